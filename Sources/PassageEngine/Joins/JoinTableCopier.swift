internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Copies the join tables of a pass whose two ends are arithmetic, in the order of the
/// destination's key, one range of leading keys at a time.
struct JoinTableCopier {
  private let step: StepRun
  private let pass: Int
  private let store: PassStore
  private let limits: BatchLimits
  private let control: RunControl

  init(
    step: StepRun, pass: Int, store: PassStore, limits: BatchLimits, control: RunControl
  ) {
    self.step = step
    self.pass = pass
    self.store = store
    self.limits = limits
    self.control = control
  }

  func run() throws {
    for rule in step.links.plan.copies[pass] ?? [] {
      guard try !store.journal.isCopied(rule) else { continue }
      control.update(isMilestone: true) {
        $0.phase = .relate
        $0.mappingName = rule.destination.name
      }
      try copy(rule)
    }
  }

  private func copy(_ rule: JoinTableRule) throws {
    let stateName = "join:\(rule.source.name):\(rule.destination.name)"
    let connection = store.connection
    let sourceName = "source.\(rule.source.name.quotedIdentifier)"
    let leading = "j.\(rule.leadingColumn.quotedIdentifier)"
    let following = "j.\(rule.followingColumn.quotedIdentifier)"
    // A join table can contain a pair twice only if it has no primary key, as in very old stores.
    func pairs(_ isAfter: String) throws -> QueryRows {
      try QueryRows(
        of: SQLFragment(
          "SELECT \(rule.cellsInSQL.joined(separator: ", ")) FROM \(sourceName) AS j "
            + "WHERE \(leading) \(isAfter) ? "
            + "AND \(leading) <= ? AND \(rule.condition) ORDER BY \(leading), \(following)", []),
        into: rule.destination.name, columns: rule.destination.columns, repetition: .isLeftOut,
        on: connection)
    }
    func end(_ isAfter: String) throws -> Statement {
      try connection.prepare(
        "SELECT \(leading) FROM \(sourceName) AS j WHERE \(leading) \(isAfter) ? "
          + "AND \(leading) < '' ORDER BY \(leading) LIMIT 1 OFFSET ?")
    }
    let last = try connection.value(
      "SELECT max(\(leading)) FROM \(sourceName) AS j WHERE \(leading) < ''")
    var copied = try store.journal.count("\(stateName):count") ?? 0
    // A damaged store may have keys that are not whole numbers; they are copied unchanged. Pairs
    // above the last one, which an index out of order may have, are not copied, and the audit finds
    // them.
    var cursor = try store.journal.state(stateName)
    /// The statements for a range, and whether it is the first: that begins with the smallest key.
    var range: (pairs: QueryRows, end: Statement, isFirst: Bool)?
    while let last, !last.isNull, cursor.map({ last.isNumberAbove($0) }) ?? true {
      try control.checkCancellation()
      if range?.isFirst != (cursor == nil) {
        let isAfter = cursor == nil ? ">=" : ">"
        range = try (pairs(isAfter), end(isAfter), cursor == nil)
      }
      guard let range else { break }
      let start = cursor ?? .real(-.infinity)
      try range.end.bind([start, .integer(Int64(limits.rows - 1))])
      let upper = try range.end.step() ? range.end.value(at: 0) : last
      range.end.reset()
      // An index whose entries are out of order could cause an endless loop.
      guard cursor.map({ upper.isNumberAbove($0) }) ?? true else { throw outOfOrder(rule) }
      try connection.transaction {
        copied += try range.pairs.append([start, upper])
        try store.journal.setState(stateName, upper)
        try store.journal.setState("\(stateName):count", .integer(copied))
      }
      connection.releaseMemory()
      cursor = upper
      control.update { _ in }
    }
    try audit(rule, copied: copied)
  }

  private func outOfOrder(_ rule: JoinTableRule) -> StoreError {
    StoreError(
      .damaged, path: step.source.path,
      detail: "the keys of \(rule.source.name) are out of order")
  }

  /// Compares the numbers of copied pairs and of pairs that are left out with the table itself: both
  /// were found by an index, and the index of a damaged store may lack some or have others.
  ///
  /// - Throws: `RUN-033` when they differ.
  private func audit(_ rule: JoinTableRule, copied: Int64) throws {
    let connection = store.connection
    let rows = "FROM source.\(rule.source.name.quotedIdentifier) AS j NOT INDEXED"
    let count = try connection.integer("SELECT count(*) \(rows)")
    var expected = try connection.integer("SELECT count(*) \(rows) WHERE \(rule.condition)")
    let excluded = try connection.integer(rule.countOfExcluded(inSchema: "source"))
    let isAgreed = count - expected == excluded
    if isAgreed, expected == copied { return }
    if isAgreed {
      // Some pairs may be stored twice.
      let columns = [rule.leadingColumn, rule.followingColumn].map { "j.\($0.quotedIdentifier)" }
        .joined(separator: ", ")
      expected = try connection.integer(
        "SELECT count(*) FROM (SELECT DISTINCT \(columns) \(rows) WHERE \(rule.condition))")
      if expected == copied { return }
    }
    throw MigrationError(
      .verificationFailed,
      Diagnostic(
        "RUN-033",
        "\(rule.destination.name) of the destination received \(copied) of \(expected) links of "
          + "\(rule.source.name) of the source",
        reason: "the table has \(count) rows, and by its indexes \(excluded) of them lead to no "
          + "object"))
  }
}
