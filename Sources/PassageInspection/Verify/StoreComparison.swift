internal import PassageDiagnostics
internal import PassageEngine
package import PassageModels
internal import PassageSQLite
package import PassageStores
internal import PassageValues

/// Compares two stores of one model object by object: every table and every column except `Z_OPT`,
/// which counts how often an object was saved, and attributes derived by `now()`, which contain the
/// time of saving. Then it compares the persistent history row by row, the files of external data
/// byte by byte, and what the stores record of entities and keys. Not compared are indexes, triggers, the
/// model that a store keeps, and its metadata, such as the UUID.
///
/// Both stores are read once, side by side, in key order; the memory used does not depend on their
/// size. Columns are matched by name, so stores with columns in different orders can be equal.
package struct StoreComparison {
  let model: Model
  let expected: OpenStore
  let found: OpenStore
  let limit: Int
  let showsValues: Bool
  let isCancelled: () -> Bool
  let comparesFiles: Bool
  let readsFiles: Bool

  /// - Parameters:
  ///   - expected: the store as it should be.
  ///   - found: the store to check.
  ///   - model: the model of both.
  ///   - limit: the maximum number of listed differences; all are counted.
  ///   - showsValues: whether differences include the values of properties.
  ///   - readsFiles: whether a value is compared by its bytes, in the column or in a file of
  ///     external data, of the places in an ordered relationship only their order counts, and links to no
  ///     object do not. This is for stores converted from another type, which has none of these.
  ///   - isCancelled: called now and then.
  package init(
    expected: OpenStore, found: OpenStore, model: Model, limit: Int = 20,
    showsValues: Bool = false, readsFiles: Bool = false,
    isCancelled: @escaping () -> Bool = { false }
  ) {
    self.expected = expected
    self.found = found
    self.model = model
    self.limit = max(0, limit)
    self.showsValues = showsValues
    self.isCancelled = isCancelled
    comparesFiles = !readsFiles
    self.readsFiles = readsFiles
  }

  /// A comparison of stores whose files of external data may not be beside them.
  package init(
    expected: OpenStore, found: OpenStore, model: Model, limit: Int, comparesFiles: Bool,
    isCancelled: @escaping () -> Bool
  ) {
    self.model = model
    self.expected = expected
    self.found = found
    self.limit = max(0, limit)
    showsValues = false
    self.isCancelled = isCancelled
    self.comparesFiles = comparesFiles
    readsFiles = false
  }

  /// Compares the stores.
  ///
  /// - Throws: `StoreError`, such as `layoutMismatch` when a store does not have the tables of the
  ///   model, or `damaged`; ``MigrationError`` of kind `cancelled`.
  /// - Complexity: O(n) in the rows of both stores.
  package func run() throws -> ComparisonReport {
    let layouts = (expected: try expected.layout(of: model), found: try found.layout(of: model))
    try expected.checkRowCounts(layouts.expected)
    try found.checkRowCounts(layouts.found)
    var report = ComparisonReport()
    report.parts = layouts.expected.entities.map {
      ComparisonReport.Part(name: $0.name, isJoinTable: false)
    }
    for table in layouts.expected.tables {
      try compare(table, layouts.found, layouts.expected, &report)
    }
    for (table, other) in zip(layouts.expected.joinTables, layouts.found.joinTables) {
      try compare(table, other, &report)
    }
    try compareHistory(&report)
    if comparesFiles { try compareFiles(layouts.expected, &report) }
    try comparePrimaryKeys(layouts.expected, layouts.found, &report)
    return report
  }

  /// Compares the objects of one table, by entity.
  private func compare(
    _ table: TableLayout, _ foundLayout: StoreLayout, _ layout: StoreLayout,
    _ report: inout ComparisonReport
  ) throws {
    let foundName =
      foundLayout.entity(named: table.rootEntityName)?.tableName ?? table.name
    let columns = table.columns.filter { $0.role != .saveCount && !isTimeOfSaving($0.role) }
    // The key and the entity come first, wherever they are in the table. In a table of one entity
    // the number has no meaning.
    let isShared = table.hasSubentities
    let ordered =
      columns.filter { $0.role == .key }
      + columns.filter { $0.role == .entityNumber && isShared }
      + columns.filter { $0.role != .key && $0.role != .entityNumber }
    let large = ordered.indices.filter { mayBeLarge(ordered[$0].role) }
    let external = readsFiles ? ordered.indices.filter { isExternal(ordered[$0].role) } : []
    var rows = TableRows(
      columns: ordered.map(\.name), keyCount: 1, large: large, external: Set(external),
      ranked: readsFiles ? owners(ofPlacesIn: ordered) : [:])
    if readsFiles { rows.linked = tables(ofLinksIn: ordered, layout) }
    let numbers = layout.entities
    var tally = ComparisonTally(
      limit: limit, names: ordered.map(\.role.propertyName), showsValues: showsValues
    ) { row in
      // A row of an unknown entity is counted with the table's root entity.
      let root = layout.entity(named: table.rootEntityName)?.number ?? 1
      let number =
        isShared ? row[1].integer.flatMap { layout.entity(numbered: $0)?.number } ?? root : root
      return min(max(number - 1, 0), numbers.count - 1)
    }
    try merge(
      rows.cursor(expected, table: table.name), rows.cursor(found, table: foundName), keyCount: 1,
      &tally, &report)
  }

  /// The columns with places in lists, and the column with each list's owner.
  private func owners(ofPlacesIn columns: [Column]) -> [Int: String] {
    var owners: [Int: String] = [:]
    for (index, column) in columns.enumerated() {
      guard case .order(let entity, let relationship) = column.role else { continue }
      owners[index] =
        columns.first {
          $0.role == .foreignKey(entity: entity, relationship: relationship)
        }?.name
    }
    return owners
  }

  /// The columns with links, and the table to which each leads.
  private func tables(ofLinksIn columns: [Column], _ layout: StoreLayout) -> [Int: String] {
    var tables: [Int: String] = [:]
    for (index, column) in columns.enumerated() {
      guard case .foreignKey(let name, let relationship) = column.role,
        let entity = model.entity(named: name),
        let target = model.relationship(relationship, of: entity)?.destinationEntityName
      else { continue }
      tables[index] = layout.entity(named: target)?.tableName
    }
    return tables
  }

  private func isExternal(_ role: Column.Role) -> Bool {
    guard case .attribute(let name, let attributeName) = role,
      let entity = model.entity(named: name)
    else { return false }
    return model.attribute(attributeName, of: entity)?.allowsExternalBinaryDataStorage == true
  }

  /// Whether a column may contain large values.
  private func mayBeLarge(_ role: Column.Role) -> Bool {
    guard case .attribute(let name, let attributeName) = role,
      let entity = model.entity(named: name)
    else { return false }
    return model.attribute(attributeName, of: entity)?.type.holdsBytes == true
  }

  /// Whether a column contains the time at which its object was last saved, which each migration
  /// sets again.
  private func isTimeOfSaving(_ role: Column.Role) -> Bool {
    guard case .attribute(let name, let attributeName) = role,
      let entity = model.entity(named: name),
      let attribute = model.attribute(attributeName, of: entity), attribute.derivation != nil
    else { return false }
    return (try? model.derivation(of: attribute, in: entity))?.function == .now
  }

  /// Compares the pairs of one join table.
  private func compare(
    _ table: JoinTable, _ other: JoinTable, _ report: inout ComparisonReport
  ) throws {
    let owner = table.owner
    report.parts.append(
      ComparisonReport.Part(
        name: "\(owner.entityName).\(owner.relationshipName)", isJoinTable: true))
    let part = report.parts.count - 1
    var tally = ComparisonTally(
      limit: limit, names: table.columns.map { Self.name(of: $0, in: table) },
      showsValues: showsValues
    ) { _ in part }
    try merge(
      rows(of: table).cursor(expected, table: table.name),
      rows(of: other).cursor(found, table: other.name), keyCount: 2, &tally, &report)
  }

  private func rows(of table: JoinTable) -> TableRows {
    var rows = TableRows(columns: table.columns, keyCount: 2)
    guard readsFiles else { return rows }
    for end in [table.owner, table.other] {
      guard let order = end.orderColumn, let place = table.columns.firstIndex(of: order) else {
        continue
      }
      rows.ranked[place] = end.column
    }
    return rows
  }

  /// The name of a column of a join table, in terms of the model.
  private static func name(of column: String, in table: JoinTable) -> String {
    for end in [table.owner, table.other] where end.orderColumn == column {
      return "\(end.relationshipName) (order)"
    }
    return "key"
  }

  func merge(
    _ expected: TableRows.Cursor, _ found: TableRows.Cursor, keyCount: Int,
    _ tally: inout ComparisonTally, _ report: inout ComparisonReport
  ) throws {
    var left = try expected.next()
    var right = try found.next()
    var rows = 0
    while left != nil || right != nil {
      rows += 1
      if rows.isMultiple(of: 4_096), isCancelled() { throw Self.cancelled }
      switch Self.order(left, right, keyCount) {
      case .missing:
        tally.count(left, nil, keyCount, in: &report)
        left = try expected.next()
      case .unexpected:
        tally.count(nil, right, keyCount, in: &report)
        right = try found.next()
      case .changed, .changedFile:
        tally.count(left, right, keyCount, in: &report)
        left = try expected.next()
        right = try found.next()
      }
    }
    tally.finish(&report)
  }

  /// Which of two rows comes first: `changed` when they have the same key.
  private static func order(
    _ left: [Value]?, _ right: [Value]?, _ keyCount: Int
  ) -> ComparisonReport.Difference.Kind {
    guard let left else { return .unexpected }
    guard let right else { return .missing }
    for column in 0..<keyCount {
      // In every store of Core Data keys are integers; anything else is treated as 0.
      let (a, b) = (left[column].integer ?? 0, right[column].integer ?? 0)
      if a != b { return a < b ? .missing : .unexpected }
    }
    return .changed
  }

  static var cancelled: MigrationError {
    MigrationError(
      .cancelled,
      Diagnostic(
        "RUN-013", "the comparison was stopped before it was finished",
        remedy: "run the same command again"))
  }
}

extension Column.Role {
  /// The name of the column's content, in terms of the model.
  fileprivate var propertyName: String {
    switch self {
    case .key: "key"
    case .entityNumber: "entity"
    case .saveCount: "save count"
    case .attribute(_, let name): name
    case .foreignKey(_, let relationship): relationship
    case .foreignEntity(_, let relationship): "\(relationship) (entity)"
    case .order(_, let relationship): "\(relationship) (order)"
    }
  }
}
