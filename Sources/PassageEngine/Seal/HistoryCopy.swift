internal import PassageSQLite
internal import PassageStores

/// The source's persistent history, on its way into the finished store.
struct HistoryCopy {
  let tables: HistoryTables
  /// The migration's source, in whichever step the history is copied.
  let path: String
  let mode: Connection.Mode
  /// The metadata that describes the history's own model.
  let ancillary: PropertyList.Member?

  /// Copies the tables, in one transaction.
  func run(on connection: Connection) throws {
    try connection.attach(path, as: "history", mode: mode)
    defer { try? connection.detach("history") }
    try tables.copy(from: "history", on: connection)
  }
}
