internal import CSQLite
internal import PassagePlatform

extension Connection {
  /// The collation of ``registerUTF8Order()``.
  package static let utf8Order = "passage_utf8"

  /// Registers a collation that orders texts by their bytes in UTF-8. SQLite's own compares the bytes
  /// that a database has (https://www.sqlite.org/datatype3.html, section 7): in UTF-16, those give
  /// another order.
  package func registerUTF8Order() throws(SQLiteError) {
    let code = sqlite3_create_collation_v2(
      handle, Self.utf8Order, SQLITE_UTF8, nil,
      { _, leftCount, left, rightCount, right in
        if let left, let right {
          let order = memcmp(left, right, Int(min(leftCount, rightCount)))
          if order != 0 { return order }
        }
        return leftCount - rightCount
      }, nil)
    if code != SQLITE_OK { throw error(code) }
  }
}
