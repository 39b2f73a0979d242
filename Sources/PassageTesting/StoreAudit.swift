public import Passage
internal import PassageSQLite

/// Checks a finished store without using the engine: its file, schema, links and bookkeeping
/// tables.
///
/// The schema is compared with that of a new store of the same model.
public struct StoreAudit {
  /// Everything that is wrong, as text; empty if the store is correct.
  public let findings: [String]

  /// Checks a store.
  ///
  /// - Parameters:
  ///   - path: the store's path; the store is not changed.
  ///   - model: the model it must have.
  /// - Throws: the error that SQLite returns.
  public init(path: String, model: Model) throws {
    let connection = try Connection.reading(path)
    let layout = StoreLayout(model: model)
    var findings = try connection.rows("PRAGMA integrity_check").compactMap { $0[0].string }
      .filter { $0 != "ok" }
    let fresh = try TemporaryDirectory()
    let freshPath = fresh.path("fresh.sqlite")
    try StoreCreator.create(model: model, at: freshPath)
    findings += Self.differences(
      try Self.schema(connection), try Self.schema(Connection.reading(freshPath)))
    findings += try Self.keyFindings(connection, layout)
    findings += try Self.linkFindings(connection, layout, model)
    let metadata = try StoreMetadata.read(path: path)
    if !Compatibility(recordedHashes: metadata.versionHashes, model: model).isCompatible {
      findings.append("the version hashes are not those of \(model.name)")
    }
    self.findings = findings
  }

  private static func schema(_ connection: Connection) throws -> Set<String> {
    Set(
      try connection.rows("SELECT type, name, sql FROM sqlite_master").map { row in
        "\(row[0].string ?? "") \(row[1].string ?? ""): \(row[2].string ?? "")"
      })
  }

  private static func differences(_ found: Set<String>, _ expected: Set<String>) -> [String] {
    found.subtracting(expected).sorted().map { "not of the model: \($0)" }
      + expected.subtracting(found).sorted().map { "missing: \($0)" }
  }

  private static func keyFindings(
    _ connection: Connection, _ layout: StoreLayout
  ) throws -> [String] {
    var findings: [String] = []
    for table in layout.tables {
      let name = table.name.quotedIdentifier
      guard let root = layout.entity(named: table.rootEntityName) else { continue }
      let largest = try connection.integer("SELECT max(Z_PK) FROM \(name)")
      let recorded = try connection.integer(
        "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?", [.integer(Int64(root.number))])
      if recorded < largest {
        findings.append("\(table.name): the largest key is \(largest), recorded is \(recorded)")
      }
      let strangers = try connection.integer(
        "SELECT count(*) FROM \(name) NOT INDEXED WHERE Z_ENT NOT BETWEEN ? AND ?",
        [
          .integer(Int64(root.familyNumbers.lowerBound)),
          .integer(Int64(root.familyNumbers.upperBound)),
        ])
      if strangers > 0 { findings.append("\(table.name): \(strangers) rows of other entities") }
    }
    return findings
  }

  /// Checks that every key refers to a row, and that an entity number beside it is that row's.
  private static func linkFindings(
    _ connection: Connection, _ layout: StoreLayout, _ model: Model
  ) throws -> [String] {
    var findings: [String] = []
    for entity in model.entities {
      guard let place = layout.entity(named: entity.name) else { continue }
      for relationship in entity.relationships {
        guard let storage = place.storage(ofRelationship: relationship.name),
          let target = layout.entity(named: relationship.destinationEntityName)
        else { continue }
        let family =
          "t.Z_ENT BETWEEN \(target.familyNumbers.lowerBound) "
          + "AND \(target.familyNumbers.upperBound)"
        let join = "LEFT JOIN \(target.tableName.quotedIdentifier) AS t ON t.Z_PK = "
        let query: String
        switch storage {
        case .foreignKey(let column, let entityColumn, _):
          let key = "o.\(column.quotedIdentifier)"
          let isOther = entityColumn.map { " OR o.\($0.quotedIdentifier) IS NOT t.Z_ENT" } ?? ""
          query =
            "FROM \(place.tableName.quotedIdentifier) AS o NOT INDEXED \(join)\(key) "
            + "WHERE o.Z_ENT BETWEEN \(place.familyNumbers.lowerBound) AND "
            + "\(place.familyNumbers.upperBound) AND \(key) IS NOT NULL "
            + "AND (t.Z_PK IS NULL OR NOT \(family)\(isOther))"
        case .joinTable(let table, _, let other, _):
          query =
            "FROM \(table.name.quotedIdentifier) AS j NOT INDEXED \(join)j.\(other.quotedIdentifier) "
            + "WHERE t.Z_PK IS NULL OR NOT \(family)"
        case .inverseForeignKey:
          continue
        }
        let count = try connection.integer("SELECT count(*) \(query)")
        if count > 0 {
          findings.append("\(entity.name).\(relationship.name): \(count) links lead to no object")
        }
      }
    }
    return findings
  }
}
