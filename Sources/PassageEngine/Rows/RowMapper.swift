internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassageStores
internal import PassageValues

/// Computes the mapped attributes of one destination object from one source object in memory.
struct RowMapper {
  /// An attribute's value, and the one used where it is nil.
  private struct Compiled {
    enum Value {
      /// The cell at this position as it is: most attributes of most mappings.
      case cell(Int)
      case computed(CompiledExpression)
    }

    let name: String
    var value: Value
    var conversion: ExternalConversion?
    var fallback: CompiledExpression?
    var fallbackConversion: ExternalConversion?
    /// The cells whose values are lost where the value is nil, and what they are counted under.
    var nilled: (number: Int, slots: [Int])?
  }

  private let filter: CompiledPredicate?
  private let attributes: [Compiled]
  private let context: EvaluationContext
  private let externalFolder: ExternalFolder
  private let nilled: NilledValues

  /// - Parameters:
  ///   - filter: what is left of the mapping's filter for the memory.
  ///   - context: its reader of related objects knows those of ``relatedObjects(of:filter:)`` by
  ///     their positions there.
  init(
    bound: BoundEntityMapping, filter: BoundPredicate?, context: EvaluationContext,
    externalFolder: ExternalFolder, nilled: NilledValues,
    slot: @escaping (ResolvedKeyPath) -> Int
  ) throws {
    self.context = context
    self.externalFolder = externalFolder
    self.nilled = nilled
    // The expressions are compiled in the order in which their collections are listed.
    var next = 0
    func numbered(_ related: RelatedObjects) -> Int {
      defer { next += 1 }
      return next
    }
    self.filter = try filter.map {
      try CompiledPredicate($0, slot: slot, collection: numbered)
    }
    attributes = try bound.attributes.map { attribute in
      Compiled(
        name: attribute.attribute.name,
        value: try attribute.value.copiedCell.map { .cell(slot($0)) }
          ?? .computed(CompiledExpression(attribute.value, slot: slot, collection: numbered)),
        conversion: ExternalConversion(of: attribute.value, to: attribute.attribute),
        fallback: try attribute.fallback.map {
          try CompiledExpression($0, slot: slot, collection: numbered)
        },
        fallbackConversion: attribute.fallback.flatMap {
          ExternalConversion(of: $0, to: attribute.attribute)
        },
        nilled: attribute.cellsThatMayBeNilled.isEmpty
          ? nil
          : (
            nilled.number(attribute: attribute.attribute.name),
            attribute.cellsThatMayBeNilled.map(slot)
          ))
    }
  }

  /// The collections the mapping goes through, in the order of the numbers it calls them by.
  static func relatedObjects(
    of bound: BoundEntityMapping, filter: BoundPredicate?
  ) -> [RelatedObjects] {
    (filter?.relatedObjects ?? [])
      + bound.attributes.flatMap {
        $0.value.relatedObjects + ($0.fallback?.relatedObjects ?? [])
      }
  }

  /// Whether the filter lets an object through.
  func accepts(_ object: SourceObject) throws -> Bool {
    try filter?.evaluate(object, in: context) ?? true
  }

  /// The value of a mapped attribute, by position in ``BoundEntityMapping/attributes``.
  func value(_ position: Int, of object: SourceObject) throws -> Value {
    var value: Value
    switch attributes[position].value {
    case .cell(let slot): value = object.values[slot]
    case .computed(let expression): value = try compute(expression, position, object)
    }
    if let conversion = attributes[position].conversion {
      value = try conversion.convert(value, folder: externalFolder)
    }
    if value.isNull, let (number, slots) = attributes[position].nilled,
      slots.contains(where: { !object.values[$0].isNull })
    {
      nilled.note(number)
    }
    guard value.isNull, let fallback = attributes[position].fallback else { return value }
    let other = try compute(fallback, position, object)
    return try attributes[position].fallbackConversion?.convert(other, folder: externalFolder)
      ?? other
  }

  /// Computes a value; what cannot be computed names the attribute.
  private func compute(
    _ expression: CompiledExpression, _ position: Int, _ object: SourceObject
  ) throws -> Value {
    do {
      return try expression.evaluate(object, in: context)
    } catch var diagnostic as Diagnostic {
      diagnostic.message = "“\(attributes[position].name)”: \(diagnostic.message)"
      throw diagnostic
    }
  }

  /// The cells the mapping reads, in first-use order.
  static func keyPaths(
    of bound: BoundEntityMapping, filter: BoundPredicate?
  ) -> [ResolvedKeyPath] {
    (filter?.keyPaths ?? [])
      + bound.attributes.flatMap { $0.value.keyPaths + ($0.fallback?.keyPaths ?? []) }
  }
}
