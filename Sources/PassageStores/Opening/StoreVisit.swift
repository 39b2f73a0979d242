/// A longer visit to a store by several connections, which leaves the folder as it was.
///
/// SQLite makes the sidecars of a store in WAL mode for a reader too. Those that were not there
/// before are taken away at the end, as ``OpenStore`` does for its own connection.
package struct StoreVisit {
  private let unit: StoreUnit
  private let isTidied: Bool

  /// Notes whether sidecars are there.
  package init(path: String) {
    unit = StoreUnit(path: path)
    isTidied = !unit.hasSharedSidecars
  }

  /// Takes away what the visit made. Failing is no harm: sidecars that stay are valid.
  package func end() {
    if isTidied { unit.removeEmptySidecars() }
  }
}
