internal import PassageDiagnostics
internal import PassagePages
internal import PassageQueries
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Source objects that have the number of another entity in `Z_ENT`, in a table that only one entity
/// uses. Core Data ignores the number there, and so do all lanes.
struct ForeignNumbers {
  let step: StepPlan
  /// The source of the step.
  let source: SourceAccess
  /// The mappings of which a sweep has counted them in another lane than that of pages.
  let counted: Set<Int>

  /// Counts the objects of mappings of which no sweep has counted them, and looks at the
  /// values of tables that have such objects.
  ///
  /// - Parameter connection: has no database named `source` attached.
  /// - Returns: the accounts with their counts.
  /// - Throws: `StoreError` when the objects are rows of another table: pages of the source have
  ///   been mixed up.
  /// - Complexity: O(n) in the rows of the tables of these mappings.
  func counted(
    in accounts: [MappingAccount], on connection: Connection
  ) throws -> [MappingAccount] {
    let items = step.mappingPlans.compactMap { mappingPlan -> (index: Int, entity: EntityLayout)? in
      guard let entity = mappingPlan.source, entity.isAlone,
        accounts.indices.contains(mappingPlan.index)
      else { return nil }
      let account = accounts[mappingPlan.index]
      let isCounted = account.lane == .page || counted.contains(mappingPlan.index)
      return isCounted && account.foreignNumbers == 0 || account.read == 0
        ? nil : (mappingPlan.index, entity)
    }
    guard !items.isEmpty else { return accounts }
    var accounts = accounts
    var known: [String: Int64] = [:]
    try connection.attach(source.path, as: "source", mode: source.mode)
    let result = Result {
      for item in items {
        let count = try known[item.entity.tableName] ?? Self.count(item.entity, on: connection)
        if count > 0, known[item.entity.tableName] == nil {
          try checkValues(of: item.entity, on: connection)
        }
        known[item.entity.tableName] = count
        accounts[item.index].foreignNumbers = count
      }
    }
    try connection.detach("source")
    try result.get()
    return accounts
  }

  private static func count(_ entity: EntityLayout, on connection: Connection) throws -> Int64 {
    try connection.integer(
      "SELECT count(*) FROM source.\(entity.tableName.quotedIdentifier) NOT INDEXED "
        + "WHERE \"Z_ENT\" IS NOT \(entity.number)")
  }

  /// Refuses a table with a value that SQLite would have converted when it was stored, by the type that the
  /// store declares for its column: such a row was never written to this table.
  private func checkValues(of entity: EntityLayout, on connection: Connection) throws {
    let declared = try connection.rows(
      "SELECT name, type FROM pragma_table_xinfo(?, 'source')", [.text(entity.tableName)])
    let columns = step.sourceLayout.table(named: entity.tableName)?.columns ?? []
    // A decimal number of many digits may be stored as a text.
    for column in columns where column.role != .entityNumber && column.type != .decimal {
      let type = declared.first { row in
        row[0].string.map { SQLName.areSame($0, column.name) } == true
      }?[1].string
      let cell = column.name.quotedIdentifier
      let (condition, finding): (String, String)
      switch Affinity(declaredType: type ?? column.type.rawValue) {
      case .text:
        (condition, finding) = (
          "typeof(\(cell)) IN ('integer', 'real')", "a number in a column of texts"
        )
      case .numeric, .real:
        // Any other text stays one.
        (condition, finding) = (
          "typeof(\(cell)) = 'text' AND \(LinkNumber.isNumber(cell))",
          "a number stored as a text in a column of numbers"
        )
      case .blob: continue
      }
      let found = try connection.rows(
        "SELECT \"Z_PK\" FROM source.\(entity.tableName.quotedIdentifier) NOT INDEXED "
          + "WHERE \(condition) LIMIT 1")
      guard let key = found.first?[0].integer else { continue }
      throw StoreError(
        .damaged, path: source.path,
        detail:
          "\(entity.tableName).\(column.name): the row \(key) has \(finding), and the table has "
          + "rows with the number of another entity")
    }
  }

  /// A warning `RUN-025` for each source entity that has such objects.
  static func warnings(_ accounts: [MappingAccount]) -> Diagnostics {
    var warnings = Diagnostics()
    var told: Set<String> = []
    for account in accounts where account.foreignNumbers > 0 {
      guard let source = account.source, told.insert(source).inserted else { continue }
      let count = account.foreignNumbers
      warnings.append(
        Diagnostic(
          "RUN-025",
          "\(count) object\(count == 1 ? "" : "s") of “\(source)” "
            + "\(count == 1 ? "has" : "have") the number of another entity",
          severity: .warning,
          reason: "Z_ENT is not the entity's number; Core Data ignores it in a table of one entity",
          remedy: "nothing is needed: the objects were migrated, and the new store has the right "
            + "number"))
    }
    return warnings
  }
}
