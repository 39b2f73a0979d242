internal import PassageSQLite
internal import PassageValues

/// The schema of a store, as its file declares it.
struct SchemaSnapshot {
  /// One row of `sqlite_master`.
  struct Object {
    var type: String
    var name: String
    var tableName: String
    var sql: String
    /// The columns of a table or an index, in order.
    var columns: [Column]
  }

  struct Column: Hashable {
    var name: String
    /// Empty for an index and for a column without type.
    var type: String
  }

  struct Entity: Hashable {
    var number: Int64
    var name: String
    var parentNumber: Int64

    var text: String { "\(number) \(name) < \(parentNumber)" }
  }

  /// In the order of the file, without SQLite's own tables and the shadow tables of virtual ones.
  var objects: [Object] = []
  /// By number.
  var entities: [Entity] = []

  init(_ connection: Connection) throws {
    let rows = try connection.rows(
      "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL "
        + "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid"
    ).map { $0.map { $0.string ?? "" } }
    let virtual = rows.filter { $0[3].hasPrefix("CREATE VIRTUAL TABLE") }.map { $0[1] }
    let shadows = Set(virtual.flatMap { ["\($0)_node", "\($0)_parent", "\($0)_rowid"] })
    for row in rows where !shadows.contains(row[1]) {
      objects.append(
        Object(
          type: row[0], name: row[1], tableName: row[2], sql: row[3],
          columns: try Self.columns(of: row[1], type: row[0], connection)))
    }
    entities = try connection.rows(
      "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT"
    ).map {
      Entity(
        number: $0[0].integer ?? 0, name: $0[1].string ?? "", parentNumber: $0[2].integer ?? 0)
    }
  }

  private static func columns(
    of name: String, type: String, _ connection: Connection
  ) throws -> [Column] {
    switch type {
    case "table":
      try connection.rows(
        "SELECT name, type FROM pragma_table_xinfo(?) ORDER BY cid", [.text(name)]
      ).map { Column(name: $0[0].string ?? "", type: $0[1].string ?? "") }
    case "index":
      try connection.rows("SELECT name FROM pragma_index_info(?) ORDER BY seqno", [.text(name)])
        .map { Column(name: $0[0].string ?? "", type: "") }
    default: []
    }
  }
}
