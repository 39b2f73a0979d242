/// A longer visit to a store by several connections, which leaves the folder as it was.
///
/// SQLite makes the sidecars of a store in WAL mode for a reader too. Those that were not there
/// before are removed at the end, as ``OpenStore`` does for its own connection.
package struct StoreVisit {
  private let unit: StoreUnit
  private let before: StoreUnit.Sidecars
  private let takesLeftovers: Bool

  /// Notes whether sidecars are there.
  ///
  /// - Parameter takesLeftovers: whether an empty log with its index is removed even if it was there
  ///   before, when nobody has the store open: a run that was killed leaves them.
  package init(path: String, takesLeftovers: Bool = false) {
    unit = StoreUnit(path: path)
    before = unit.sidecars
    self.takesLeftovers = takesLeftovers
  }

  /// Removes what the visit made. Failing is no harm: sidecars that stay are valid.
  package func end() {
    unit.tidy(since: before)
    if takesLeftovers, before.hasLog, before.hasIndex { unit.removeEmptySidecars() }
  }
}
