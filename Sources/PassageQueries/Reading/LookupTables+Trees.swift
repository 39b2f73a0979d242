internal import PassageDiagnostics
internal import PassageExpressions
internal import PassagePlatform
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// The depths and paths of the objects of a tree, from the topmost objects downwards.
extension LookupTables {
  /// The largest depth, and the longest path in bytes. A path is kept for each object, so that a
  /// longer chain would take a space that grows with the square of its length.
  private static let maximumDepth = 1_000_000
  private static let maximumPathBytes = 1 << 16

  /// Makes the table of a tree.
  ///
  /// - Returns: false for a table of another kind.
  /// - Throws: `PRE-046` when an object is above itself, or a path is too long.
  /// - Complexity: O(n log n) for n objects; SQLite keeps those that are still to be visited on disk.
  func makeTree(_ lookup: ObjectLookup) throws -> Bool {
    let relationship: String
    var attribute: String?
    var between = ""
    switch lookup.content {
    case .depth(let name): relationship = name
    case .path(let name, let text, let separator):
      (relationship, attribute, between) = (name, text, separator.text)
    default: return false
    }
    guard let entity = layout.entity(named: lookup.entityName),
      case .foreignKey(let column, _, _)? = entity.storage(ofRelationship: relationship)
    else { return false }
    let links = "temp.\("passage_tree \(lookup.tableName)".quotedIdentifier)"
    let table = "temp.\(lookup.tableName.quotedIdentifier)"
    let part =
      attribute.flatMap { entity.columnName(ofAttribute: $0) }
      .map { "coalesce(o.\($0.quotedIdentifier), '')" } ?? "''"
    try connection.execute("DROP TABLE IF EXISTS \(links)")
    try connection.execute(
      "CREATE TABLE \(links) (parent INTEGER, key INTEGER, part, PRIMARY KEY (parent, key)) "
        + "WITHOUT ROWID")
    // An object whose parent does not exist is a topmost one.
    try connection.execute(
      "INSERT INTO \(links) SELECT coalesce(p.\"Z_PK\", 0), o.\"Z_PK\", \(part) "
        + "FROM \(entity.table(inSchema: schemaName)) AS o NOT INDEXED "
        + "LEFT JOIN \(entity.table(inSchema: schemaName)) AS p "
        + "ON p.\"Z_PK\" = o.\(column.quotedIdentifier) AND \(entity.isKind("p")) "
        + "WHERE \(entity.isKind("o"))")
    try connection.execute("CREATE TABLE \(table) (key INTEGER PRIMARY KEY, result)")
    let isPath = attribute != nil
    let grown =
      isPath
      ? "CASE WHEN t.result = '' THEN l.part WHEN l.part = '' THEN t.result "
        + "ELSE t.result || ? || l.part END" : "t.result + 1"
    let limit =
      isPath
      ? "length(CAST(t.result AS BLOB)) <= \(Self.maximumPathBytes)"
      : "t.result < \(Self.maximumDepth)"
    try connection.execute(
      "INSERT INTO \(table) WITH RECURSIVE t(key, result) AS ("
        + "SELECT key, \(isPath ? "part" : "0") FROM \(links) WHERE parent = 0 "
        + "UNION ALL SELECT l.key, \(grown) FROM t JOIN \(links) AS l ON l.parent = t.key "
        + "WHERE \(limit)) SELECT key, result FROM t", isPath ? [.text(between)] : [])
    try checkTree(lookup, relationship, links, table)
    try connection.execute("DROP TABLE \(links)")
    return true
  }

  private func checkTree(
    _ lookup: ObjectLookup, _ relationship: String, _ links: String, _ table: String
  ) throws {
    let missing = try connection.rows(
      "SELECT l.key, p.key IS NOT NULL FROM \(links) AS l LEFT JOIN \(table) AS d "
        + "ON d.key = l.key LEFT JOIN \(table) AS p ON p.key = l.parent "
        + "WHERE d.key IS NULL ORDER BY p.key IS NULL, l.key LIMIT 1")
    if let row = missing.first {
      let key = row[0].integer ?? 0
      let isTooDeep = row[1].integer == 1
      throw Diagnostic(
        FunctionCode.tree,
        isTooDeep
          ? "“\(lookup.entityName)” \(key) has too much above it along “\(relationship)”"
          : "“\(lookup.entityName)” \(key) is above itself along “\(relationship)”, or below such "
            + "an object",
        reason: isTooDeep
          ? "a depth is at most \(Self.maximumDepth), and a path has at most "
            + "\(Self.maximumPathBytes) bytes" : "the relationship leads in a circle",
        remedy: isTooDeep
          ? "compute the value in a policy" : "correct the source, or compute the value in a policy"
      )
    }
  }
}
