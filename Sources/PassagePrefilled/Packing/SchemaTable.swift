internal import PassagePlatform
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// An ordinary table of a store, made by Core Data or by any other program.
struct SchemaTable {
  let name: String
  /// The names of all stored columns, in order.
  let columns: [String]
  /// Whether its rows have row numbers, as a column or hidden.
  let hasRowNumbers: Bool
  /// Whether the row number is a column.
  let hasOwnKey: Bool
  /// Whether it contains the contents of a virtual table.
  let isShadow: Bool
  /// Whether writing a row would evaluate an expression of the schema; rows of such tables are not
  /// changed.
  let isComputed: Bool

  /// Every table with rows of its own, in the order of names.
  static func all(of connection: Connection) throws -> [SchemaTable] {
    let code = try SchemaCode(connection)
    return try connection.rows(
      "SELECT name, type, wr FROM pragma_table_list WHERE schema = 'main' "
        + "AND type IN ('table', 'shadow') ORDER BY name"
    ).compactMap { row in
      guard let name = row[0].string, name != "sqlite_schema", name != "sqlite_master" else {
        return nil
      }
      let columns = try connection.rows(
        "SELECT name, type, pk FROM pragma_table_xinfo(?) WHERE hidden = 0 ORDER BY cid",
        [.text(name)])
      let keys = columns.filter { ($0[2].integer ?? 0) > 0 }
      return SchemaTable(
        name: name, columns: columns.compactMap { $0[0].string },
        hasRowNumbers: row[2].integer == 0,
        hasOwnKey: keys.count == 1 && keys[0][1].string?.uppercasedInASCII == "INTEGER",
        isShadow: row[1].string == "shadow", isComputed: code.computes(inTable: name))
    }
  }

  private var isOwnedBySQLite: Bool { name.uppercasedInASCII.hasPrefix("SQLITE_") }

  /// Rewrites every record: one that was written before a column was appended lacks that column's
  /// cell.
  func rewriteRecords(on connection: Connection) throws {
    // The save count is in no index, so the rows can be updated in place.
    guard hasRowNumbers, !isShadow, !isOwnedBySQLite, !isComputed,
      let column = columns.first(where: { $0 == "Z_OPT" }) ?? columns.last
    else { return }
    try connection.execute(
      "UPDATE main.\(name.quotedIdentifier) SET \(column.quotedIdentifier) = "
        + "\(column.quotedIdentifier)")
  }

  /// Renumbers the rows of a table of Core Data's without a key of its own, in the order of their
  /// contents.
  func renumberRows(on connection: Connection) throws {
    guard hasRowNumbers, !hasOwnKey, !isShadow, !isComputed, name.hasPrefix("Z_"), !columns.isEmpty,
      !columns.contains(where: { SQLName.areSame($0, "rowid") }),
      try !isNumberedInOrder(connection)
    else { return }
    let list = columns.map(\.quotedIdentifier).joined(separator: ", ")
    let table = "main.\(name.quotedIdentifier)"
    try connection.execute("DROP TABLE IF EXISTS temp.passage_rows")
    try connection.execute(
      "CREATE TEMP TABLE passage_rows AS SELECT \(list) FROM \(table) ORDER BY \(list)")
    try connection.execute("DELETE FROM \(table)")
    try connection.execute(
      "INSERT INTO \(table) (rowid, \(list)) SELECT rowid, \(list) FROM temp.passage_rows "
        + "ORDER BY rowid")
    try connection.execute("DROP TABLE temp.passage_rows")
  }

  private func isNumberedInOrder(_ connection: Connection) throws -> Bool {
    let list = columns.map(\.quotedIdentifier).joined(separator: ", ")
    let rows = try connection.prepare(
      "SELECT rowid FROM main.\(name.quotedIdentifier) ORDER BY \(list)")
    var number: Int64 = 0
    while try rows.step() {
      number += 1
      if rows.integer(at: 0) != number { return false }
    }
    return true
  }
}
