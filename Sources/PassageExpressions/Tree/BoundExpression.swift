package import PassageDiagnostics
package import PassageValues

/// A value expression with resolved names and checked types, for ``CompiledExpression`` and
/// ``SQLTranslator``.
package struct BoundExpression: Sendable {
  let node: BoundNode
  /// The type of its value.
  package let type: ValueType
  /// The cells it reads, in the order of their first use, without the object's own key.
  package let keyPaths: [ResolvedKeyPath]
  /// The collections of objects that it reads, by their numbers. Their cells are not in
  /// ``keyPaths``.
  package let relatedObjects: [RelatedObjects]
  /// The tables in which it looks up values.
  package let lookups: [ObjectLookup]
  /// The program's own functions that it calls, in the order of their first use, including calls
  /// that were evaluated while names were resolved.
  package let registeredFunctions: [ValueFunction]
  /// Warnings only.
  package let warnings: Diagnostics

  /// Whether it calls a policy's function. If so, it can only be evaluated in memory.
  package var callsPolicy: Bool { node.callsPolicy }

  /// The value, if it is the same for every object.
  package var constantValue: Value? { node.constantValue }

  /// The cell, if the value is an unchanged cell.
  package var copiedCell: ResolvedKeyPath? {
    if case .cell(let path) = node { path } else { nil }
  }
}
