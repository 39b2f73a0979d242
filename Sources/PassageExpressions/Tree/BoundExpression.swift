package import PassageDiagnostics
package import PassageValues

/// A value expression whose names are resolved and whose types are checked: ready for
/// ``CompiledExpression`` and ``SQLTranslator``.
package struct BoundExpression: Sendable {
  let node: BoundNode
  /// What it gives.
  package let type: ValueType
  /// The cells it reads, in the order of their first use; the object's own key is not among them.
  package let keyPaths: [ResolvedKeyPath]
  /// The collections of objects it walks through, by their numbers. Their cells are not among
  /// ``keyPaths``.
  package let relatedObjects: [RelatedObjects]
  /// The tables of objects it looks values up in.
  package let lookups: [ObjectLookup]
  /// The program's own functions that it calls, in the order of their first use; a call that was
  /// computed while the names were resolved is among them.
  package let registeredFunctions: [ValueFunction]
  /// Warnings only.
  package let warnings: Diagnostics

  /// Whether a registered function is called: such an expression runs in memory only.
  package var callsPolicy: Bool { node.callsPolicy }

  /// The value, when it is the same for every object.
  package var constantValue: Value? { node.constantValue }

  /// The cell, when it is taken over as it is.
  package var copiedCell: ResolvedKeyPath? {
    if case .cell(let path) = node { path } else { nil }
  }
}
