package import PassageStores

/// What is known about a store, whatever becomes of it.
package struct StoreNotes {
  /// The way that it has; `nil` if that is not known.
  package var way: StoreWay?
  /// The size of the source; `nil` if it is what the list says.
  package var bytes: Int64?
  /// What the store said of itself before the attempt; `nil` if that is not known.
  package var metadata: StoreMetadata?

  package init() {}
}
