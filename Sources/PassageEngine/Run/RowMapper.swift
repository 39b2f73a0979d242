internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassageValues

/// Computes the mapped attributes of one destination object from one source object in memory.
struct RowMapper {
  /// An attribute's value expression, compiled, and the one used where it is nil.
  private struct Compiled {
    var value: CompiledExpression
    var fallback: CompiledExpression?
  }

  private let filter: CompiledPredicate?
  private let attributes: [Compiled]
  private let context: EvaluationContext

  init(
    bound: BoundEntityMapping, context: EvaluationContext, slot: @escaping (ResolvedKeyPath) -> Int
  ) throws {
    self.context = context
    filter = try bound.filter.map { try CompiledPredicate($0, slot: slot) }
    attributes = try bound.attributes.map { attribute in
      Compiled(
        value: try CompiledExpression(attribute.value, slot: slot),
        fallback: try attribute.fallback.map { try CompiledExpression($0, slot: slot) })
    }
  }

  /// Whether the filter lets an object through.
  func accepts(_ object: SourceObject) throws -> Bool {
    try filter?.evaluate(object, in: context) ?? true
  }

  /// The value of a mapped attribute, by position in ``BoundEntityMapping/attributes``.
  func value(_ position: Int, of object: SourceObject) throws -> Value {
    let compiled = attributes[position]
    let value = try compiled.value.evaluate(object, in: context)
    guard value.isNull, let fallback = compiled.fallback else { return value }
    return try fallback.evaluate(object, in: context)
  }

  /// The cells the mapping reads, in first-use order.
  static func keyPaths(of bound: BoundEntityMapping) -> [ResolvedKeyPath] {
    (bound.filter?.keyPaths ?? [])
      + bound.attributes.flatMap { $0.value.keyPaths + ($0.fallback?.keyPaths ?? []) }
  }
}
