package import PassageModels
internal import PassagePlatform
package import PassageValues

/// A few objects on which filters over one entity can differ: every combination of nil, the
/// constants that the filters compare an attribute with, and the values beside and between them.
///
/// The filters themselves are evaluated on each, so that an object which is found is a proof. That
/// none is found proves nothing: a filter may call for a value that is not tried.
package struct FilterSpace {
  /// An object, as the values of the attributes that the filters read, in their order.
  package struct Sample: Sendable, Hashable {
    package var values: [(attribute: Attribute, value: Value)]

    package static func == (a: Self, b: Self) -> Bool {
      a.values.elementsEqual(b.values) { $0.attribute == $1.attribute && $0.value == $1.value }
    }

    package func hash(into hasher: inout Hasher) {
      for (_, value) in values { hasher.combine(value) }
    }
  }

  /// More attributes, or more combinations of their values, are not tried.
  private static let maximumCells = 8
  private static let maximumSamples = 20_000

  /// What the filters of a step may cost together in one question: the nodes of the filters that are
  /// evaluated, over all objects.
  package static let stepsOfQuestion = 10_000_000

  /// The nodes that are evaluated for one object.
  package let stepsOfSample: Int
  private let attributes: [Attribute]
  private let candidates: [[Value]]
  private let shape: ObjectShape
  private let tests: [CompiledPredicate]

  /// - Parameter filters: predicates over the same entity.
  /// - Returns: `nil` when what the filters say does not depend on a few attributes of the object
  ///   alone, so that no object can be made up: they follow relationships, look up other objects, ask
  ///   for the time or call functions that can fail.
  package init?(_ filters: [BoundPredicate]) {
    var paths: [ResolvedKeyPath] = []
    var constants: [ResolvedKeyPath: Set<Value>] = [:]
    var steps = 1
    for filter in filters {
      guard filter.relatedObjects.isEmpty, filter.lookups.isEmpty, !filter.callsPolicy,
        !filter.canFail, filter.condition.addConstants(to: &constants, steps: &steps)
      else { return nil }
      for path in filter.keyPaths where !paths.contains(path) {
        guard paths.count < Self.maximumCells else { return nil }
        paths.append(path)
      }
    }
    var attributes: [Attribute] = []
    var candidates: [[Value]] = []
    var count = 1
    for path in paths {
      guard case .attribute(let attribute) = path.leaf, path.relationships.isEmpty,
        attribute.regularExpression == nil,
        let values = attribute.candidates(around: constants[path] ?? [])
      else { return nil }
      attributes.append(attribute)
      candidates.append(values)
      count *= values.count
      guard count <= Self.maximumSamples else { return nil }
    }
    let names = paths.map(\.name)
    var tests: [CompiledPredicate] = []
    for filter in filters {
      guard
        let test = try? CompiledPredicate(
          filter, slot: { path in names.firstIndex(of: path.name) ?? 0 })
      else { return nil }
      tests.append(test)
    }
    self.attributes = attributes
    self.candidates = candidates
    self.tests = tests
    stepsOfSample = steps
    shape = ObjectShape(entityName: "", names: names)
  }

  /// The first object for whose answers, one for each filter, something is true; the objects with
  /// fewer values that are nil come first.
  ///
  /// - Parameter steps: what is left of ``stepsOfQuestion``; below 0 when not every object was tried.
  /// - Complexity: at most 20,000 evaluations of each filter.
  package func first(
    steps: inout Int, where isWanted: ([Bool], Sample) -> Bool
  ) -> Sample? {
    let context = EvaluationContext(now: 0)
    var positions = candidates.map { _ in 0 }
    while true {
      steps -= stepsOfSample
      guard steps >= 0 else { return nil }
      let values = zip(candidates, positions).map { $0[$1] }
      let object = SourceObject(shape: shape, key: 1, values: values)
      let answers = tests.compactMap { try? $0.evaluate(object, in: context) }
      if answers.count == tests.count {
        let sample = Sample(values: zip(attributes, values).map { (attribute: $0, value: $1) })
        if isWanted(answers, sample) { return sample }
      }
      // The next combination, as digits are counted.
      var place = positions.count - 1
      while place >= 0, positions[place] + 1 == candidates[place].count {
        positions[place] = 0
        place -= 1
      }
      guard place >= 0 else { return nil }
      positions[place] += 1
    }
  }
}

extension Attribute {
  /// The values to try of the attribute, those that it may not have left out; `nil` for a type whose
  /// values are not made up.
  fileprivate func candidates(around constants: Set<Value>) -> [Value]? {
    var values: [Value]
    switch type {
    case .boolean: values = [.integer(0), .integer(1)]
    case .integer16, .integer32, .integer64:
      values = Self.numbers(constants).flatMap { number -> [Value] in
        guard let whole = Int64(exactly: number.rounded(.down)) else { return [] }
        return [whole - 1, whole, whole + 1].map(Value.integer)
      }
      let range = wholeRange
      values = values.filter { $0.double.map { range.contains($0) } ?? false }
    case .decimal, .double, .float, .date:
      let numbers = Self.numbers(constants)
      let between = zip(numbers, numbers.dropFirst()).map { ($0 + $1) / 2 }
      values = ([numbers[0] - 1] + numbers + between + [numbers[numbers.count - 1] + 1])
        .map { .real(type == .float ? Double(Float($0)) : $0) }
    case .string, .uri:
      let texts = constants.compactMap(\.string).sorted {
        $0.utf8.lexicographicallyPrecedes($1.utf8)
      }
      values = ([""] + texts.flatMap { [$0, $0 + "x"] }).map(Value.text)
    case .uuid, .binary:
      values = constants.filter { $0.bytes != nil }.sorted { Value.order($0, $1) < 0 }
    case .undefined, .transformable, .objectID, .composite: return nil
    }
    var seen: Set<Value> = []
    values = values.filter { isInside($0) && seen.insert($0).inserted }
    if isOptional { values.append(.null) }
    return values.isEmpty ? nil : values
  }

  /// The numbers among the constants in their order; 0 if there is none.
  private static func numbers(_ constants: Set<Value>) -> [Double] {
    let numbers = Set(constants.compactMap(\.double)).filter { abs($0) < 1e15 }.sorted()
    return numbers.isEmpty ? [0] : numbers
  }

  private var wholeRange: ClosedRange<Double> {
    switch type {
    case .integer16: -32_768...32_767
    case .integer32: -2_147_483_648...2_147_483_647
    default: -1e15...1e15
    }
  }

  /// Whether a value is within the minimum and the maximum that the model gives.
  private func isInside(_ value: Value) -> Bool {
    guard let measure = value.string.map({ Double($0.unicodeScalars.count) }) ?? value.double else {
      return true
    }
    // A limit that is not a number is not understood here, so that nothing is made up beside it.
    let low = minimum.map { Double($0) ?? .infinity } ?? -.infinity
    let high = maximum.map { Double($0) ?? -.infinity } ?? .infinity
    return low <= measure && measure <= high
  }
}

extension BoundCondition {
  /// Adds the constants of each condition to the cells of the object that it reads.
  ///
  /// - Parameter steps: gets what evaluating the condition costs. 16 bytes of a text count as a node.
  /// - Returns: whether only the object's cells and constants decide.
  fileprivate func addConstants(
    to constants: inout [ResolvedKeyPath: Set<Value>], steps: inout Int
  ) -> Bool {
    var pending = [self]
    while let condition = pending.popLast() {
      steps += 1
      if case .isIn(_, let elements) = condition {
        // Constants are found by binary search.
        let count = elements.count { $0.constantValue != nil }
        steps -= count - (Int.bitWidth - count.leadingZeroBitCount)
      }
      var nodes: [BoundNode] = []
      var inner: [BoundCondition] = []
      condition.addParts(to: &nodes, &inner)
      if nodes.isEmpty {
        if case .exists = condition { return false }
        pending += inner
        continue
      }
      var cells: [ResolvedKeyPath] = []
      var found: Set<Value> = []
      while let node = nodes.popLast() {
        steps += 1
        switch node {
        case .cell(let path): cells.append(path)
        case .constant(let value):
          steps += (value.string?.utf8.count ?? value.bytes?.count ?? 0) / 16
          found.insert(value)
        case .arithmetic, .call, .conditional: break
        // The key, the time, and whatever else an object that is made up does not have.
        default: return false
        }
        node.addParts(to: &nodes, &pending)
      }
      for cell in cells { constants[cell, default: []].formUnion(found) }
      pending += inner
    }
    return true
  }
}

extension FilterSpace.Sample: CustomStringConvertible {
  /// The values as conditions, such as `year = 2020, name = nil`; `any object` when none is read.
  package var description: String {
    values.isEmpty
      ? "any object"
      : values.map { "\($0.name) = \(Self.text($1, $0.type))" }.joined(separator: ", ")
  }

  private static func text(_ value: Value, _ type: AttributeType) -> String {
    switch value {
    case .null: "nil"
    case .integer(let number):
      type == .boolean ? (number == 0 ? "NO" : "YES") : "\(number)"
    case .real(let number):
      (type == .date ? ISO8601.text(number) : nil) ?? "\(number)"
    case .text(let text): "“\(text)”"
    case .blob(let bytes):
      value.uuid.map(\.uuidString) ?? "\(bytes.count) bytes"
    case .malformedText: "a text"
    }
  }
}
