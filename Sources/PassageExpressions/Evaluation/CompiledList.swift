package import PassageDiagnostics
package import PassageValues

/// A list compiled to closures over the positions of an object's cells.
package struct CompiledList: Sendable {
  private let enumerate: Enumeration
  private let sortKeys: [Computation]

  /// Compiles a list once. Parameters and errors are those of ``CompiledExpression``.
  package init(
    _ bound: BoundList, slot: @escaping (ResolvedKeyPath) -> Int,
    collection: (RelatedObjects) -> Int = { $0.number }
  ) throws(Diagnostic) {
    let compiler = Compiler(slot: slot, collections: bound.relatedObjects.map(collection))
    enumerate = try compiler.enumeration(bound.collection, once: false)
    var sortKeys: [Computation] = []
    for node in bound.sortKeys { sortKeys.append(try compiler.computation(node)) }
    self.sortKeys = sortKeys
  }

  /// Passes the elements for an object, in order: values, or the keys of objects.
  ///
  /// - Parameter body: receives each element and what it is sorted by.
  /// - Throws: a `Diagnostic` with `PRE-030` to `PRE-034`, the error of a registered function, or
  ///   what `body` throws.
  package func forEach(
    of object: SourceObject, in context: EvaluationContext,
    _ body: (_ element: Value, _ sortKeys: [Value]) throws -> Void
  ) throws {
    try enumerate(object, context) { element in
      try body(element, try sortKeys.map { try $0(object, context) })
      return true
    }
  }
}
