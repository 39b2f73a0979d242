internal import PassageExpressions
internal import PassageModels
internal import PassagePages
internal import PassagePlatform
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// A table whose pages are read or written without SQL: where it begins, and what its columns make
/// of values.
struct PageTable: Sendable {
  let name: String
  let root: UInt32
  /// The names of the columns, in the order of the records.
  let names: [String]
  let columns: TableColumns

  /// - Returns: `nil` when the table is not one whose records can be read without SQLite: it does
  ///   not exist, has no row ids, or has columns with default values, which need not be in the
  ///   records.
  init?(_ name: String, _ connection: Connection, schema: String = "main") throws {
    let hasKeyIndex = SchemaFacts.Column.keyIndexCondition(
      place: "pk", table: "?1", schema: "?2")
    let rows = try connection.rows(
      "SELECT name, type, pk, dflt_value IS NOT NULL, hidden, \(hasKeyIndex) "
        + "FROM pragma_table_xinfo(?1, ?2)",
      [.text(name), .text(schema)])
    let root = try connection.value(
      "SELECT rootpage FROM \(schema).sqlite_master WHERE type = 'table' AND name = ? "
        + "AND sql NOT LIKE '%WITHOUT%ROWID%'",
      [.text(name)])?.integer
    self.init(
      name, root: root,
      rows.map { row in
        SchemaFacts.Column(
          name: row[0].string ?? "", type: row[1].string ?? "", keyPlace: row[2].integer ?? 0,
          hasKeyIndex: row[5].integer != 0, hasDefault: row[3].integer != 0,
          isHidden: row[4].integer != 0)
      })
  }

  /// A table of a store that was opened.
  ///
  /// - Returns: `nil` as above.
  init?(_ name: String, in store: OpenStore) {
    guard let table = store.facts.table(name), !table.isWithoutRowID else { return nil }
    self.init(name, root: table.rootPage, table.columns)
  }

  /// A table of the source.
  ///
  /// - Throws: ``PagesUnsuitable`` when its records cannot be read without SQLite.
  init(ofSource name: String, _ source: Connection) throws {
    guard let table = try PageTable(name, source) else {
      throw PagesUnsuitable("a source table is not an ordinary one")
    }
    self = table
  }

  private init?(_ name: String, root: Int64?, _ columns: [SchemaFacts.Column]) {
    guard let page = root.flatMap({ UInt32(exactly: $0) }), page > 1,
      columns.allSatisfy({ !$0.hasDefault && !$0.isHidden })
    else { return nil }
    self.name = name
    self.root = page
    names = columns.map(\.name)
    self.columns = TableColumns(
      affinities: columns.map { Affinity(declaredType: $0.type) },
      keyColumn: columns.keyColumn)
  }

  /// The root page of the index that SQLite makes for a primary key or a unique constraint; `nil`
  /// when there is none, or more than one.
  func keyIndexRoot(_ connection: Connection) throws -> UInt32? {
    let rows = try connection.rows(
      "SELECT rootpage FROM main.sqlite_master WHERE type = 'index' AND tbl_name = ?",
      [.text(name)])
    return rows.count == 1 ? rows[0][0].integer.flatMap { UInt32(exactly: $0) } : nil
  }

  /// Whether it is a table of objects: a key of its own, and the number of the entity.
  var holdsObjects: Bool {
    columns.keyColumn.map { names[$0] == "Z_PK" } ?? false && names.contains("Z_ENT")
  }

  /// Whether a column stores whole numbers as integers, in the records.
  func holdsNumbers(_ column: Int) -> Bool {
    columns.affinities.indices.contains(column) && column != columns.keyColumn
      && columns.affinities[column] == .numeric
  }

  /// The position of a column; -1 when the table has none of that name. SQLite finds the same one.
  func position(_ name: String) -> Int {
    names.firstIndex { SQLName.areSame($0, name) } ?? -1
  }

  /// The position of a cell of an object; -1 for what the table does not store.
  func position(of path: ResolvedKeyPath, in entity: EntityLayout) -> Int {
    switch path.leaf {
    case .object: position("Z_PK")
    case .attribute(let attribute):
      entity.columnName(ofAttribute: attribute.name).map(position) ?? -1
    case .relationship(let relationship):
      if case .foreignKey(let column, _, _)? = entity.storage(ofRelationship: relationship.name) {
        position(column)
      } else {
        -1
      }
    }
  }
}

/// The page lane cannot go on, for a reason that is no fault of the store: another lane does the
/// work.
struct PagesUnsuitable: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

/// The pages of a source table contradict each other.
struct DamagedTable: Error {
  let table: String
  let damage: PageDamage
}

extension StoreError {
  init(_ damaged: DamagedTable, path: String) {
    self.init(.damaged, path: path, detail: "\(damaged.table): \(damaged.damage.description)")
    namesPage = true
  }
}
