package import PassageDiagnostics
package import PassageValues

/// A value expression as a closure over the positions of an object's cells.
package struct CompiledExpression: Sendable {
  private let compute: Computation

  /// Compiles an expression once.
  ///
  /// - Parameters:
  ///   - bound: the expression.
  ///   - slot: the position in `SourceObject.values` of each path it reads; asked
  ///     once for each use.
  ///   - collection: the number by which a ``RelatedObjectReader`` knows the objects of a to-many
  ///     relationship; their own number where nothing else is given.
  /// - Throws: `PRE-021` for a constant regular expression that does not compile.
  package init(
    _ bound: BoundExpression, slot: @escaping (ResolvedKeyPath) -> Int,
    collection: (RelatedObjects) -> Int = { $0.number }
  ) throws(Diagnostic) {
    compute = try Compiler(slot: slot, collections: bound.relatedObjects.map(collection))
      .computation(bound.node)
  }

  /// The value for an object.
  ///
  /// - Throws: a `Diagnostic` with `PRE-030` to `PRE-034`, or what a registered function throws.
  package func evaluate(
    _ object: SourceObject, in context: EvaluationContext
  ) throws -> Value {
    try compute(object, context)
  }
}

/// A predicate as a closure over the positions of an object's cells.
package struct CompiledPredicate: Sendable {
  private let test: Test

  /// Compiles a predicate once; parameters and errors as for ``CompiledExpression``.
  package init(
    _ bound: BoundPredicate, slot: @escaping (ResolvedKeyPath) -> Int,
    collection: (RelatedObjects) -> Int = { $0.number }
  ) throws(Diagnostic) {
    test = try Compiler(slot: slot, collections: bound.relatedObjects.map(collection))
      .test(bound.condition)
  }

  /// Whether the predicate holds for an object.
  ///
  /// - Throws: a `Diagnostic` with `PRE-030` to `PRE-034`, or what a registered function throws.
  package func evaluate(
    _ object: SourceObject, in context: EvaluationContext
  ) throws -> Bool {
    try test(object, context)
  }
}

typealias Computation = @Sendable (SourceObject, EvaluationContext) throws -> Value
typealias Test = @Sendable (SourceObject, EvaluationContext) throws -> Bool
