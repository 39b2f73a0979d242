internal import PassageSQLite
internal import PassageStores

extension Connection {
  /// Opens a connection that reads a store and leaves its folder as it was.
  static func reading(_ path: String) throws -> Connection {
    let visit = StoreVisit(path: path)
    let connection = try Connection(path: path, mode: .readOnly)
    connection.afterClose = { visit.end() }
    return connection
  }
}
