package import PassageDiagnostics
package import PassageValues

/// A value expression compiled to a closure over the positions of an object's cells.
package struct CompiledExpression: Sendable {
  private let compute: Computation

  /// Compiles an expression once.
  ///
  /// - Parameters:
  ///   - bound: the expression.
  ///   - slot: returns the position in `SourceObject.values` for a path; called once for each use
  ///     of the path.
  ///   - collection: returns the number under which a ``RelatedObjectReader`` provides the objects
  ///     of a to-many relationship; by default their own number.
  ///   - check: called for what a policy's function returns where that is the whole value; `nil`
  ///     for no check.
  /// - Throws: `PRE-021` for a constant regular expression that does not compile.
  package init(
    _ bound: BoundExpression, slot: @escaping (ResolvedKeyPath) -> Int,
    collection: (RelatedObjects) -> Int = { $0.number },
    checkingPolicyResults check: PolicyResultCheck? = nil
  ) throws(Diagnostic) {
    compute = try Compiler(slot: slot, collections: bound.relatedObjects.map(collection))
      .computation(bound.node, checking: check)
  }

  /// Computes the value for an object.
  ///
  /// - Throws: a `Diagnostic` with `PRE-030` to `PRE-034`, or the error of a registered function.
  package func evaluate(
    _ object: SourceObject, in context: EvaluationContext
  ) throws -> Value {
    try compute(object, context)
  }
}

/// A predicate compiled to a closure over the positions of an object's cells.
package struct CompiledPredicate: Sendable {
  private let test: Test

  /// Compiles a predicate once. Parameters and errors are those of ``CompiledExpression``.
  package init(
    _ bound: BoundPredicate, slot: @escaping (ResolvedKeyPath) -> Int,
    collection: (RelatedObjects) -> Int = { $0.number }
  ) throws(Diagnostic) {
    test = try Compiler(slot: slot, collections: bound.relatedObjects.map(collection))
      .test(bound.condition)
  }

  /// Whether the predicate holds for an object.
  ///
  /// - Throws: a `Diagnostic` with `PRE-030` to `PRE-034`, or the error of a registered function.
  package func evaluate(
    _ object: SourceObject, in context: EvaluationContext
  ) throws -> Bool {
    try test(object, context)
  }
}

/// Throws what is wrong with the result of a policy's function.
package typealias PolicyResultCheck =
  @Sendable (_ selector: String, _ result: Value) throws -> Void

typealias Computation = @Sendable (SourceObject, EvaluationContext) throws -> Value
typealias Test = @Sendable (SourceObject, EvaluationContext) throws -> Bool
