/// Leaves a store's folder as it was after several connections have read the store.
///
/// SQLite creates the sidecar files of a store in WAL mode even for a reader. Files that did not
/// exist before are removed at the end, as ``OpenStore`` does for its own connection.
package struct StoreVisit {
  private let unit: StoreUnit
  private let before: StoreUnit.Sidecars
  private let takesLeftovers: Bool

  /// Records which sidecar files exist.
  ///
  /// - Parameters:
  ///   - takesLeftovers: whether an empty log, and its index if there is one, are removed even if they
  ///   existed before, provided that nobody has the store open. A killed run leaves them.
  ///   - sight: what was just seen of the store, if nobody has taken it.
  package init(path: String, takesLeftovers: Bool = false, sight: StoreSight? = nil) {
    unit = StoreUnit(path: path)
    before =
      sight?.singleStatus != nil
      ? StoreUnit.Sidecars(hasLog: false, hasIndex: false) : unit.sidecars
    self.takesLeftovers = takesLeftovers
  }

  /// Removes the files that were created. A failure does no harm: the files are valid.
  package func end() {
    unit.tidy(since: before)
    if takesLeftovers, before.hasLog { unit.removeEmptySidecars() }
  }
}
