internal import PassageSQLite

/// Leaves the folder of a store as it was before the store was read.
///
/// SQLite makes the sidecars of a store in WAL mode for a reader too, and a connection that may not
/// write cannot take them away again. When there were none before, a connection that may write is
/// opened and closed at the end: SQLite itself takes them away, under its own locks and only when
/// nobody else has the store open. It writes nothing, because the log is empty.
package struct StoreVisit {
  private let unit: StoreUnit
  private let isTidied: Bool

  /// Notes which sidecars are there.
  package init(path: String) {
    unit = StoreUnit(path: path)
    isTidied = [unit.walPath, unit.sharedMemoryPath].allSatisfy { path in
      (try? FileDoor.status(path)) == nil
    }
  }

  /// Takes away what the visit made. Failing is no harm: sidecars that stay are valid.
  package func end() {
    guard isTidied, let log = try? FileDoor.status(unit.walPath), log.bytes == 0,
      let connection = try? Connection(path: unit.path, mode: .readWrite, busyTimeout: 0)
    else { return }
    _ = try? connection.integer("SELECT count(*) FROM sqlite_master")
  }
}
