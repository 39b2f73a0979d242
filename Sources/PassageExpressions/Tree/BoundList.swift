package import PassageDiagnostics

/// A list of values or of objects with resolved names and checked types, for ``CompiledList``.
package struct BoundList: Sendable {
  let collection: BoundCollection
  /// What each element is sorted by.
  let sortKeys: [BoundNode]
  /// The type of each element.
  package let type: ValueType
  /// Whether the elements are in an order that means something.
  package let isOrdered: Bool
  /// Whether the list may have more than one element.
  package let isToMany: Bool
  /// Whether the elements are objects whose properties can be read, so that they can be sorted by them.
  package let isReadable: Bool
  /// The cells it reads, in the order of their first use, without the object's own key.
  package let keyPaths: [ResolvedKeyPath]
  /// The collections of objects that it reads, by their numbers. Their cells are not in
  /// ``keyPaths``.
  package let relatedObjects: [RelatedObjects]
  /// The tables in which it looks up values.
  package let lookups: [ObjectLookup]
  /// The program's own functions that it calls, in the order of their first use.
  package let registeredFunctions: [ValueFunction]
  /// Warnings only.
  package let warnings: Diagnostics

  /// The name of the elements' entity; `nil` when they are values.
  package var entityName: String? {
    if case .object(let name) = type { name } else { nil }
  }
}
