internal import PassageSQLite
internal import PassageStores

/// The rule as SQL over the source's join table `j`.
extension JoinTableRule {
  /// The cells of a pair, one for each column of the destination's join table.
  var cellsInSQL: [String] { cells.map(\.sql) }

  /// The condition for the pairs that are copied.
  var condition: String {
    ends.map { end in
      // Numbers sort before texts and blobs: https://www.sqlite.org/datatype3.html, section 4.1.
      let isNumber = "\(end.cell) < ''"
      return end.keys.map {
        "\(isNumber) AND \(end.cell) BETWEEN \($0.smallest) AND \($0.largest)"
      } ?? isNumber
    }.joined(separator: " AND ")
  }

  /// The condition for all other pairs, which are left out. Core Data's indexes on both columns serve it.
  private var exclusion: String {
    let parts = ends.flatMap { end in
      ["\(end.cell) IS NULL OR \(end.cell) >= ''"]
        + (end.keys.map {
          ["\(end.cell) < \($0.smallest)", "\(end.cell) > \($0.largest) AND \(end.cell) < ''"]
        } ?? [])
    }
    // Sorted, so that both sides of a relationship give the same text.
    return parts.sorted().joined(separator: " OR ")
  }

  /// The query that counts the pairs that are left out, by the indexes of the source's join table.
  ///
  /// - Parameter schema: the name of the source's database on the connection.
  func countOfExcluded(inSchema schema: String) -> String {
    "SELECT count(*) FROM \(schema).\(source.name.quotedIdentifier) AS j WHERE \(exclusion)"
  }
}

extension JoinTableRule.End {
  fileprivate var cell: String { "j.\(column.quotedIdentifier)" }
}

extension JoinTableRule.Cell {
  fileprivate var sql: String {
    switch self {
    case .shifted(let column, 0): "j.\(column.quotedIdentifier)"
    case .shifted(let column, let offset): "j.\(column.quotedIdentifier) + \(offset)"
    case .copied(let column): "j.\(column.quotedIdentifier)"
    case .empty: "NULL"
    }
  }
}
