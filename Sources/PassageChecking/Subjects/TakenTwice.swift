internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageMappings
internal import PassageModels

/// Two entity mappings that both take an object, which is named.
struct TakenTwice {
  let first: MappingPlace
  let second: MappingPlace
  let sample: FilterSpace.Sample

  /// More pairs of one entity are not compared.
  private static let maximumPairs = 200

  /// The pairs of entity mappings of a step that make objects of the same source entity, and for which
  /// an object is found that both take. Once the steps are used up, the other pairs are not tried.
  ///
  /// - Parameter maximumSteps: what trying all of them may cost together.
  static func pairs(
    of places: [MappingPlace], maximumSteps: Int = FilterSpace.stepsOfQuestion
  ) -> [TakenTwice] {
    var steps = maximumSteps
    let makers = places.filter { $0.mapping.source != nil && $0.mapping.destination != nil }
    return Dictionary(grouping: makers) { $0.mapping.source?.name ?? "" }
      .sorted { $0.key < $1.key }
      .flatMap { pairs(ofOneEntity: $0.value, steps: &steps) }
  }

  private static func pairs(
    ofOneEntity places: [MappingPlace], steps: inout Int
  ) -> [TakenTwice] {
    var found: [TakenTwice] = []
    var count = 0
    for (index, first) in places.enumerated() {
      for second in places.dropFirst(index + 1) {
        count += 1
        guard count <= maximumPairs, steps >= 0 else { return found }
        let filters = [first.mapping.filter, second.mapping.filter].compactMap(\.self)
        if let sample = FilterSpace(filters)?.first(
          steps: &steps, where: { answers, _ in answers.allSatisfy(\.self) })
        {
          found.append(TakenTwice(first: first, second: second, sample: sample))
        }
      }
    }
    return found
  }

  /// Where the filter of the second is written, or the entity mapping without one.
  var location: SourceLocation? {
    second.mapping.mapping.filter?.location ?? second.mapping.mapping.name.location
  }

  var reason: String {
    func name(_ place: MappingPlace) -> String {
      "“\(place.pass.model.name)”, “\(place.mapping.name)”"
    }
    return "\(sample) is taken by \(name(first)) and by \(name(second))"
  }
}
