internal import PassageSQLite
internal import PassageStores

/// Temporary tables for looking up rows by columns that have no index in the database. Each is
/// created once.
///
/// A foreign key should refer to unique, and so indexed, columns, but SQLite requires that only if
/// foreign keys are enforced. Without an index, each link would read the parent's whole table.
final class ParentIndexes {
  private var names: [[SQLName]: String] = [:]

  /// A query for the key of the first row of a parent that matches the columns of `t`.
  ///
  /// - Parameters:
  ///   - columns: the columns of the parent.
  ///   - key: the SQL of a row's key, where `t` is a row of the parent.
  ///   - from: the SQL of the parent's rows, named `t`.
  ///   - number: the number of the parent.
  ///   - children: the columns of the referring table, in the order of `columns`.
  func lookup(
    _ columns: [String], key: String, from: String, number: Int, for children: [String],
    _ connection: Connection
  ) throws(SQLiteError) -> String {
    let identity = ["\(number)"].map(SQLName.init) + columns.map(SQLName.init)
    let name: String
    if let known = names[identity] {
      name = known
    } else {
      let cells = columns.enumerated().map { "t.\($1.quotedIdentifier) AS c\($0)" }
      let index = "passage_parent_\(names.count)"
      name = "temp.\(index.quotedIdentifier)"
      // The columns keep their affinity, by which SQLite compares them.
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
