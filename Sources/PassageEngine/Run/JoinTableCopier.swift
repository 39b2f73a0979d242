internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Copies the join tables of a pass whose two ends are arithmetic, in the order of the destination's
/// key, one range of leading keys at a time.
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
    for rule in step.relationshipPlan.copies[pass] ?? [] {
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
    let columns = rule.destination.columns.map(\.quotedIdentifier).joined(separator: ", ")
    // A join table may hold a pair twice only where it has no primary key: in very old stores.
    let insert = try connection.prepare(
      "INSERT OR IGNORE INTO main.\(rule.destination.name.quotedIdentifier) (\(columns)) "
        + "SELECT \(rule.cells.joined(separator: ", ")) FROM \(sourceName) AS j "
        + "WHERE \(leading) > ? AND \(leading) <= ?\(rule.condition) ORDER BY \(leading), \(following)"
    )
    let end = try connection.prepare(
      "SELECT \(leading) FROM \(sourceName) AS j WHERE \(leading) > ? "
        + "ORDER BY \(leading) LIMIT 1 OFFSET ?")
    let last = try connection.value("SELECT max(\(leading)) FROM \(sourceName) AS j")?.integer
    guard let last else { return }
    var cursor = try store.state(stateName)?.integer ?? .min
    while cursor < last {
      try control.checkCancellation()
      try end.bind([.integer(cursor), .integer(Int64(limits.rows - 1))])
      let upper = try end.step() ? end.integer(at: 0) : last
      end.reset()
      try connection.transaction {
        try insert.bind([.integer(cursor), .integer(upper)])
        try insert.run()
        try store.setState(stateName, .integer(upper))
      }
      connection.releaseMemory()
      cursor = upper
      control.update { _ in }
    }
  }
}
