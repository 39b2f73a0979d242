internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassageStores
internal import PassageValues

/// Computes the mapped attributes of one destination object from one source object in memory.
final class RowMapper {
  /// An attribute's value, and the fallback that is used if it is nil. It is a class, so that
  /// accessing it for each object costs one reference count and not one for each of its parts.
  private final class Compiled {
    enum Value {
      /// The cell at this position, unchanged: the case for most attributes of most mappings.
      case cell(Int)
      case computed(CompiledExpression)
    }

    let name: String
    let value: Value
    let conversion: ExternalConversion?
    let fallback: CompiledExpression?
    let fallbackConversion: ExternalConversion?
    /// The source cells whose values are lost if the value is nil, and the number under which they
    /// are counted.
    let nilled: (number: Int, slots: [Int])?

    init(
      name: String, value: Value, conversion: ExternalConversion?, fallback: CompiledExpression?,
      fallbackConversion: ExternalConversion?, nilled: (number: Int, slots: [Int])?
    ) {
      self.name = name
      self.value = value
      self.conversion = conversion
      self.fallback = fallback
      self.fallbackConversion = fallbackConversion
      self.nilled = nilled
    }
  }

  /// The names of the cells of the objects that are read.
  let shape: ObjectShape
  private let filter: CompiledPredicate?
  /// By position in the mapping; `nil` for attributes that are not computed here.
  private let attributes: [Compiled?]
  private let context: EvaluationContext
  private let externalFolder: ExternalFolder
  private let nilled: NilledValues

  /// - Parameters:
  ///   - filter: the part of the mapping's filter that is evaluated in memory.
  ///   - positions: the attributes that are needed.
  ///   - context: its reader of related objects must use the order of
  ///     ``relatedObjects(of:positions:filter:)``.
  ///   - shape: of the objects; values are computed of objects of this shape only.
  init(
    bound: BoundEntityMapping, positions: Set<Int>, filter: BoundPredicate?,
    context: EvaluationContext, externalFolder: ExternalFolder, nilled: NilledValues,
    shape: ObjectShape
  ) throws {
    self.shape = shape
    self.context = context
    self.externalFolder = externalFolder
    self.nilled = nilled
    let slot: (ResolvedKeyPath) -> Int = { shape.position(of: $0.name) ?? 0 }
    // The expressions are compiled in the order in which their collections are listed.
    var next = 0
    func numbered(_ related: RelatedObjects) -> Int {
      defer { next += 1 }
      return next
    }
    self.filter = try filter.map {
      try CompiledPredicate($0, slot: slot, collection: numbered)
    }
    attributes = try bound.attributes.enumerated().map { position, attribute in
      guard positions.contains(position) else { return nil }
      let check = attribute.policyResultCheck(entity: bound.destination?.name ?? "")
      return Compiled(
        name: attribute.attribute.name,
        value: try attribute.value.copiedCell.map { .cell(slot($0)) }
          ?? .computed(
            CompiledExpression(
              attribute.value, slot: slot, collection: numbered, checkingPolicyResults: check)),
        conversion: ExternalConversion(of: attribute.value, to: attribute.attribute),
        fallback: try attribute.fallback.map {
          try CompiledExpression(
            $0, slot: slot, collection: numbered, checkingPolicyResults: check)
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

  /// The collections of related objects that the mapping uses, in the order of their numbers.
  static func relatedObjects(
    of bound: BoundEntityMapping, positions: Set<Int>, filter: BoundPredicate?
  ) -> [RelatedObjects] {
    (filter?.relatedObjects ?? [])
      + positions.sorted().flatMap { position in
        let attribute = bound.attributes[position]
        return attribute.value.relatedObjects + (attribute.fallback?.relatedObjects ?? [])
      }
  }

  /// Whether an object passes the filter.
  func accepts(_ object: SourceObject) throws -> Bool {
    try filter?.evaluate(object, in: context) ?? true
  }

  /// The value of a mapped attribute, by position in ``BoundEntityMapping/attributes``; NULL for an
  /// attribute that is not computed here.
  func value(_ position: Int, of object: SourceObject) throws -> Value {
    guard let attribute = attributes[position] else { return .null }
    var value: Value
    switch attribute.value {
    case .cell(let slot): value = object.value(at: slot)
    case .computed(let expression): value = try compute(expression, attribute.name, object)
    }
    if let conversion = attribute.conversion {
      value = try conversion.convert(value, folder: externalFolder)
    }
    if value.isNull, let (number, slots) = attribute.nilled,
      slots.contains(where: { !object.value(at: $0).isNull })
    {
      nilled.note(number)
    }
    guard value.isNull, let fallback = attribute.fallback else { return value }
    let other = try compute(fallback, attribute.name, object)
    return try attribute.fallbackConversion?.convert(other, folder: externalFolder) ?? other
  }

  /// Computes a value; an error names the attribute.
  private func compute(
    _ expression: CompiledExpression, _ name: String, _ object: SourceObject
  ) throws -> Value {
    do {
      return try expression.evaluate(object, in: context)
    } catch var diagnostic as Diagnostic {
      diagnostic.message = "“\(name)”: \(diagnostic.message)"
      throw diagnostic
    }
  }

  /// The cells that the mapping reads, in the order of their first use.
  static func keyPaths(
    of bound: BoundEntityMapping, positions: Set<Int>, filter: BoundPredicate?
  ) -> [ResolvedKeyPath] {
    (filter?.keyPaths ?? [])
      + positions.sorted().flatMap { position in
        let attribute = bound.attributes[position]
        return attribute.value.keyPaths + (attribute.fallback?.keyPaths ?? [])
      }
  }
}
