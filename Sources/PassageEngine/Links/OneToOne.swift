internal import PassageDiagnostics
internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// A to-one relationship whose inverse is also to-one: the only kind that Core Data stores twice,
/// in a foreign key on either side. A mapping may name only one side; the other is written here.
struct OneToOne {
  private let owner: EntityLayout
  private let target: EntityLayout
  private let column: String
  private let entityColumn: String?
  private let inverse: (column: String, entityColumn: String?)
  private let what: String

  /// - Returns: `nil` when the relationship or its inverse is of another kind.
  init?(
    _ relationship: Relationship, of owner: EntityLayout, model: Model, layout: StoreLayout
  ) {
    guard let inverse = model.inverse(of: relationship), !inverse.isToMany,
      case .foreignKey(let column, let entityColumn, _)? =
        owner.storage(ofRelationship: relationship.name),
      let target = layout.entity(named: relationship.destinationEntityName),
      case .foreignKey(let inverseColumn, let inverseEntityColumn, _)? =
        target.storage(ofRelationship: inverse.name)
    else { return nil }
    self.owner = owner
    self.target = target
    self.column = column
    self.entityColumn = entityColumn
    self.inverse = (inverseColumn, inverseEntityColumn)
    what = "“\(owner.name).\(relationship.name)”"
  }

  private var key: String { column.quotedIdentifier }
  private var inverseKey: String { inverse.column.quotedIdentifier }
  private var owners: String { "main.\(owner.tableName.quotedIdentifier)" }
  private var targets: String { "main.\(target.tableName.quotedIdentifier)" }

  /// Writes the inverse of every link that the owners have.
  ///
  /// - Throws: `RUN-023` when two owners lead to one object.
  func writeInverse(_ connection: Connection) throws {
    func isOwn(_ row: String) -> String {
      "\(row)Z_ENT = \(owner.number) AND \(row)\(key) IS NOT NULL"
    }
    let shared = try connection.rows(
      "SELECT \(key), count(*) FROM \(owners) NOT INDEXED WHERE \(isOwn("")) "
        + "GROUP BY 1 HAVING count(*) > 1 ORDER BY 1 LIMIT 1")
    let others = try connection.rows(
      "SELECT a.\(key), 2 FROM \(owners) AS a NOT INDEXED JOIN \(targets) AS b "
        + "ON b.Z_PK = a.\(key) WHERE \(isOwn("a.")) "
        + "AND b.\(inverseKey) <> a.Z_PK ORDER BY 1 LIMIT 1")
    if let first = (shared + others).first {
      throw MigrationError(
        .policyFailed,
        Diagnostic(
          "RUN-023",
          "the inverse of \(what) is to-one, but \(first[1].integer ?? 0) objects were found",
          reason:
            "the first such object is the one of “\(target.name)” with key "
            + "\(first[0].integer ?? 0)",
          remedy: "filter out all but one, or make the inverse to-many"))
    }
    try pointBack(connection, "\(isOwn("a."))")
  }

  /// Empties the links of the owners whose objects have another link on their side, or none.
  ///
  /// What led to an object that was merged leads to the one that it became, which has the link of the object
  /// that was kept.
  ///
  /// - Complexity: O(n) look-ups for n links.
  func keepMutual(_ connection: Connection) throws {
    try RowPatch(connection: connection).empty(
      [column, entityColumn], in: owner.tableName,
      where: "Z_ENT = \(owner.number) AND \(key) IS NOT NULL AND NOT EXISTS "
        + "(SELECT 1 FROM \(targets) AS b WHERE b.Z_PK = \(owners).\(key) "
        + "AND b.\(inverseKey) = \(owners).Z_PK)")
  }

  /// Completes links that a policy decided: objects that were related to the owners, or to their
  /// new related objects, before are no longer related to them.
  ///
  /// - Parameter decided: a query with one column, the owners' keys.
  func settle(_ connection: Connection, decided: String) throws {
    let patch = RowPatch(connection: connection)
    try patch.empty(
      [inverse.column, inverse.entityColumn], in: target.tableName,
      where: "\(inverseKey) IN (\(decided))")
    try patch.empty(
      [column, entityColumn], in: owner.tableName,
      where: "Z_PK NOT IN (\(decided)) AND \(key) IN "
        + "(SELECT \(key) FROM \(owners) WHERE Z_PK IN (\(decided)))")
    try pointBack(connection, "a.Z_PK IN (\(decided)) AND a.\(key) IS NOT NULL")
  }

  private func pointBack(_ connection: Connection, _ condition: String) throws {
    var cells = [(column: inverse.column, sql: "a.Z_PK")]
    if let entityColumn = inverse.entityColumn { cells.append((entityColumn, "a.Z_ENT")) }
    try RowPatch(connection: connection).set(
      cells, in: target.tableName, from: "\(owners) AS a",
      where: "a.\(key) = \(targets).Z_PK AND \(condition)")
  }
}
