package import PassageDiagnostics
package import PassageMappings
package import PassageModels

/// The mapping models from one model to another when the versions in between are not known.
///
/// One inferred step is enough as long as it keeps all values. A property that was renamed twice
/// has a renaming identifier in each step, but none from the first version to the last, so a single
/// step would lose its values. In that case the way goes through those versions in between that
/// keep the values. The order of versions is accepted because this way keeps everything that the
/// single step keeps, and more. The names of the versions, in natural order, only decide what is
/// tried first.
package struct InferredWay {
  private let source: Model
  private let destination: Model
  /// The versions that may lie between, in the natural order of their names.
  private let others: [Model]

  /// If there are more versions than this, none of them is considered.
  private static let maximumVersions = 100

  /// Infers the mapping models from one model to another.
  ///
  /// - Parameters:
  ///   - source: the model the store has.
  ///   - destination: the model it should have.
  ///   - models: all known models; unrelated ones do not matter.
  /// - Returns: the mapping models in the order in which they run. Their `remarks` say why there
  ///   are several (`RUN-085`), and what they lose that another way would keep (`RUN-086`).
  /// - Throws: the reasons why one step cannot be inferred.
  /// - Complexity: O(v²) inferences for v versions; one inference if nothing is lost.
  package static func mappings(
    from source: Model, to destination: Model, among models: some Collection<Model>
  ) throws(Diagnostics) -> [MappingModel] {
    let way = InferredWay(
      source: source, destination: destination,
      others: models.filter {
        $0.versionHashes != source.versionHashes && $0.versionHashes != destination.versionHashes
      }.sorted { naturallyPrecedes($0.name, $1.name) })
    return try way.mappings()
  }

  private init(source: Model, destination: Model, others: [Model]) {
    self.source = source
    self.destination = destination
    self.others = others.count > Self.maximumVersions ? [] : others
  }

  /// Mapping models through some versions, and which properties of the source they keep.
  private struct Way {
    var between: [Model]
    var mappings: [MappingModel]
    var kept: KeptProperties
  }

  private func mappings() throws(Diagnostics) -> [MappingModel] {
    let mapping = try InferredMapping.infer(from: source, to: destination)
    guard
      let kept = KeptProperties(of: source).through(mapping, from: source, to: destination),
      !kept.lost.isEmpty, !others.isEmpty
    else { return [mapping] }
    let lost = kept.lost
    var ways = others.compactMap { way(through: [$0]) }
    if let long = longest { ways.append(shortened(long)) }
    let direct = Way(between: [], mappings: [mapping], kept: kept)
    let keeping = Self.keeping(some: lost, among: ways)
    var taken = direct
    if let best = Self.best(keeping.filter { $0.kept.lost.isSubset(of: lost) }) {
      taken = best
      taken.mappings[0].remarks.append(detour(best, insteadOf: lost))
    }
    // A detour keeps more than one step does, but perhaps not what yet another way would keep.
    if let other = Self.best(Self.keeping(some: taken.kept.lost, among: keeping)) {
      let choice = choice(between: taken, and: other)
      taken.mappings[0].remarks.append(choice)
    }
    return taken.mappings
  }

  /// The ways that keep at least one of these properties.
  private static func keeping(some lost: Set<KeptProperties.Property>, among ways: [Way]) -> [Way] {
    ways.filter { !$0.kept.lost.isSuperset(of: lost) }
  }

  /// The way with the fewest losses, then with the fewest steps, then the first.
  private static func best(_ ways: [Way]) -> Way? {
    ways.enumerated().min { a, b in
      (a.element.kept.lost.count, a.element.between.count, a.offset)
        < (b.element.kept.lost.count, b.element.between.count, b.offset)
    }?.element
  }

  /// The way through these versions in this order; `nil` when a step cannot be inferred.
  private func way(through between: [Model]) -> Way? {
    var mappings: [MappingModel] = []
    var kept = KeptProperties(of: source)
    for (from, to) in zip([source] + between, between + [destination]) {
      guard let mapping = try? InferredMapping.infer(from: from, to: to),
        let next = kept.through(mapping, from: from, to: to)
      else { return nil }
      mappings.append(mapping)
      kept = next
    }
    return Way(between: between, mappings: mappings, kept: kept)
  }

  /// The way through every version between the two in the natural order of names, except those to
  /// which no step can be inferred.
  private var longest: Way? {
    var between: [Model] = []
    for model in others
    where Self.naturallyPrecedes(source.name, model.name)
      && Self.naturallyPrecedes(model.name, destination.name)
    {
      let last = between.last ?? source
      if (try? InferredMapping.infer(from: last, to: model)) != nil { between.append(model) }
    }
    while !between.isEmpty {
      if let way = way(through: between) { return way }
      between.removeLast()
    }
    return nil
  }

  /// Removes the versions from a way that it does not need to keep as much.
  private func shortened(_ way: Way) -> Way {
    var way = way
    for model in way.between where way.between.count > 1 {
      let rest = way.between.filter { $0.name != model.name }
      if let shorter = self.way(through: rest), shorter.kept.lost.isSubset(of: way.kept.lost) {
        way = shorter
      }
    }
    return way
  }

  // MARK: Remarks

  private func detour(
    _ way: Way, insteadOf lost: Set<KeptProperties.Property>
  ) -> Diagnostic {
    Diagnostic(
      "RUN-085",
      "the migration from “\(source.name)” to “\(destination.name)” goes through "
        + Self.names(way.between),
      severity: .note,
      reason: "one step would lose the values of "
        + Self.list(lost.subtracting(way.kept.lost)))
  }

  private func choice(between taken: Way, and other: Way) -> Diagnostic {
    let ends = "from “\(source.name)” to “\(destination.name)”"
    let (lost, lostByOther) = (taken.kept.lost, other.kept.lost)
    return Diagnostic(
      "RUN-086",
      (taken.between.isEmpty
        ? "one step \(ends)" : "the migration \(ends) through \(Self.names(taken.between))")
        + " loses the values of " + Self.list(lost.subtracting(lostByOther)),
      severity: .warning,
      reason: "a migration through \(Self.names(other.between)) would keep them, but lose those of "
        + Self.list(lostByOther.subtracting(lost)),
      remedy: "choose a path by the steps of a history (--migrations DIR) or by mapping models "
        + "(--mappings A,B; migrate infer prints them)")
  }

  private static func names(_ models: [Model]) -> String {
    models.map { "“\($0.name)”" }.joined(separator: ", ")
  }

  private static func list(_ properties: Set<KeptProperties.Property>) -> String {
    let names = properties.map { "“\($0.entity).\($0.name)”" }.sorted()
    let more = names.count > 12 ? " and \(names.count - 12) more" : ""
    return names.prefix(12).joined(separator: ", ") + more
  }

  /// `Model` before `Model 2` before `Model 10`.
  package static func naturallyPrecedes(_ a: String, _ b: String) -> Bool {
    var (left, right) = (Array(a.utf8)[...], Array(b.utf8)[...])
    while let first = left.first, let second = right.first {
      let numbers = (digits(&left), digits(&right))
      if let x = numbers.0, let y = numbers.1 {
        if x.count != y.count { return x.count < y.count }
        if x != y { return x.lexicographicallyPrecedes(y) }
        continue
      }
      // A number that is on one side only has been removed, so its first digit is compared with the
      // other side's character.
      if first != second { return first < second }
      if numbers.0 == nil { left = left.dropFirst() }
      if numbers.1 == nil { right = right.dropFirst() }
    }
    return left.isEmpty && !right.isEmpty
  }

  /// Removes a number from the front and returns its digits without leading zeros; `nil` when there
  /// is none.
  private static func digits(_ text: inout ArraySlice<UInt8>) -> [UInt8]? {
    let digits = text.prefix { (0x30...0x39).contains($0) }
    guard !digits.isEmpty else { return nil }
    text = text.dropFirst(digits.count)
    return Array(digits.drop { $0 == 0x30 })
  }
}
