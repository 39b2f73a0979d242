import PassageDiagnostics
package import PassageValues

/// Passes the value of each element of a collection to the last argument, until that returns
/// `false`.
typealias Enumeration =
  @Sendable (SourceObject, EvaluationContext, (Value) throws -> Bool) throws -> Void

extension Compiler {
  func element(_ frame: Int, _ part: ElementPart) -> Computation {
    switch part {
    case .key: return { $1.frames.key(frame) }
    case .cell(let position, _): return { $1.frames.cell(frame, position) }
    case .value: return { $1.frames.value(frame) }
    }
  }

  func exists(_ collection: BoundCollection) throws(Diagnostic) -> Test {
    // Only the existence of an element matters, not its value.
    var collection = collection
    collection.value = .constant(.null)
    let enumerate = try enumeration(collection, once: true)
    return { object, context in
      var isFound = false
      try enumerate(object, context) { _ in
        isFound = true
        return false
      }
      return isFound
    }
  }

  func count(
    _ collection: BoundCollection, _ limit: Int64?
  ) throws(Diagnostic) -> Computation {
    var collection = collection
    collection.value = .constant(.null)
    let enumerate = try enumeration(collection, once: false)
    return { object, context in
      var count: Int64 = 0
      try enumerate(object, context) { _ in
        count += 1
        return limit.map { count < $0 } ?? true
      }
      return .integer(count)
    }
  }

  func aggregate(
    _ function: AggregateFunction, _ collection: BoundCollection
  ) throws(Diagnostic) -> Computation {
    let enumerate = try enumeration(collection, once: function.isSameForSets)
    return { object, context in
      var aggregation = Aggregation(function)
      try enumerate(object, context) {
        aggregation.add($0)
        return true
      }
      return aggregation.result()
    }
  }

  func item(
    _ collection: BoundCollection, _ position: ItemPosition
  ) throws(Diagnostic) -> Computation {
    let enumerate = try enumeration(collection, once: false)
    switch position {
    case .last:
      return { object, context in
        var last = Value.null
        try enumerate(object, context) {
          last = $0
          return true
        }
        return last
      }
    case .first: return { try Self.item(0, of: enumerate, $0, $1) }
    case .at(let index):
      let index = try computation(index)
      return {
        guard let place = try index($0, $1).integer, place >= 0 else { return .null }
        return try Self.item(place, of: enumerate, $0, $1)
      }
    }
  }

  private static func item(
    _ place: Int64, of enumerate: Enumeration, _ object: SourceObject, _ context: EvaluationContext
  ) throws -> Value {
    var rest = place
    var found = Value.null
    try enumerate(object, context) {
      if rest == 0 { found = $0 }
      rest -= 1
      return rest >= 0
    }
    return found
  }

  // MARK: Elements

  /// - Parameter once: whether duplicate elements make no difference.
  func enumeration(
    _ collection: BoundCollection, once: Bool
  ) throws(Diagnostic) -> Enumeration {
    let frame = collection.frame
    let condition: Test? =
      if let condition = collection.condition { try test(condition) } else { nil }
    let value = try computation(collection.value)
    let give: @Sendable (SourceObject, EvaluationContext, (Value) throws -> Bool) throws -> Bool = {
      if let condition, try !condition($0, $1) { return true }
      return try $2(try value($0, $1))
    }
    switch collection.base {
    case .related(let start, let number):
      return related(try computation(start), collections[number], once, frame, give)
    case .list(let nodes):
      var elements: [Computation] = []
      for node in nodes { elements.append(try computation(node)) }
      return { [elements] object, context, body in
        for element in elements {
          context.frames.enter(try element(object, context), at: frame)
          guard try give(object, context, body) else { return }
        }
      }
    case .function(let function, let nodes):
      var arguments: [Computation] = []
      for node in nodes { arguments.append(try computation(node)) }
      return { [arguments] object, context, body in
        let values = try arguments.map { try $0(object, context) }
        try function.forEach(values) { element in
          context.frames.enter(element, at: frame)
          return try give(object, context, body)
        }
      }
    case .distinct(let inner): return distinct([try enumeration(inner, once: true)], frame, give)
    case .union(let left, let right):
      return distinct(
        [try enumeration(left, once: true), try enumeration(right, once: true)], frame, give)
    }
  }

  private func related(
    _ start: @escaping Computation, _ collection: Int, _ once: Bool, _ frame: Int,
    _ give:
      @escaping @Sendable (SourceObject, EvaluationContext, (Value) throws -> Bool) throws -> Bool
  ) -> Enumeration {
    { object, context, body in
      guard let reader = context.relatedObjects else {
        throw Diagnostic(
          ExpressionCode.noRelatedObjects, "related objects are needed, but nothing here reads them"
        )
      }
      guard let key = try start(object, context).integer else { return }
      try reader.forEachObject(of: collection, relatedTo: key, once: once) { element in
        context.frames.enter(element, at: frame)
        return try give(object, context, body)
      }
    }
  }

  private func distinct(
    _ enumerations: [Enumeration], _ frame: Int,
    _ give:
      @escaping @Sendable (SourceObject, EvaluationContext, (Value) throws -> Bool) throws -> Bool
  ) -> Enumeration {
    { object, context, body in
      var met: Set<Value> = []
      var goesOn = true
      for enumerate in enumerations where goesOn {
        try enumerate(object, context) { value in
          guard met.insert(value.distinctForm).inserted else { return true }
          context.frames.enter(value, at: frame)
          goesOn = try give(object, context, body)
          return goesOn
        }
      }
    }
  }
}

extension Value {
  /// A form that is equal for two values exactly if SQLite's `IS` is true for them: whole numbers
  /// as integers.
  package var distinctForm: Value {
    switch self {
    case .real(let value):
      if value.isNaN { return .null }
      return Int64(exactly: value).map { .integer($0) } ?? self
    default: return self
    }
  }
}
