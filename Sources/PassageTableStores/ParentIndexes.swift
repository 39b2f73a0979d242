internal import PassageSQLite
internal import PassageStores

/// Where rows are found by columns that the database keeps no index of: temporary tables, made once.
///
/// A foreign key should lead to what is unique, and so indexed, but SQLite asks for that only where
/// foreign keys are enforced. Without an index each link would read the parent's whole table.
final class ParentIndexes {
  private var names: [String: String] = [:]

  /// The query that finds the key of the first row of a parent whose columns are those of `t`.
  ///
  /// - Parameters:
  ///   - columns: the parent's.
  ///   - key: the SQL of the key of a row of `t`, of the parent here.
  ///   - from: the parent's rows, as `t`.
  ///   - number: of the parent.
  ///   - children: the columns of the table that refers to it, in the order of `columns`.
  func lookup(
    _ columns: [String], key: String, from: String, number: Int, for children: [String],
    _ connection: Connection
  ) throws(SQLiteError) -> String {
    let identity = ([("\(number)")] + columns.map { $0.lowercased().quotedIdentifier })
      .joined(separator: " ")
    let name: String
    if let known = names[identity] {
      name = known
    } else {
      let cells = columns.enumerated().map { "t.\($1.quotedIdentifier) AS c\($0)" }
      let index = "passage_parent_\(names.count)"
      name = "temp.\(index.quotedIdentifier)"
      // The columns keep the affinity by which SQLite compares them.
      try connection.execute(
        "CREATE TABLE \(name) AS SELECT \(cells.joined(separator: ", ")), \(key) AS key FROM \(from)"
      )
      let indexed = columns.indices.map { "c\($0)" } + ["key"]
      try connection.execute(
        "CREATE INDEX temp.\("\(index)_index".quotedIdentifier) ON \(index.quotedIdentifier) "
          + "(\(indexed.joined(separator: ", ")))")
      names[identity] = name
    }
    let isSame = children.enumerated().map { "p.c\($0) = t.\($1.quotedIdentifier)" }
      .joined(separator: " AND ")
    return "(SELECT min(p.key) FROM \(name) AS p WHERE \(isSame))"
  }
}
