internal import Passage
internal import PassageFleets

/// The result of a run over many stores, as text and as JSON.
struct FleetReport {
  /// What the call asked for.
  struct Call {
    let command: String
    let storeCount: Int
    /// The stores of the whole list.
    let listCount: Int
    /// The files that patterns matched and that belong to stores.
    let leftOutCount: Int
    let target: String?
    let plan: String
    let ledger: String?
    let shard: GivenShard?
    let order: FleetOrder
    let warnings: Diagnostics
  }

  private let call: Call
  private let end: FleetRun.End
  private var totals: FleetTotals { end.totals }

  init(_ call: FleetCall, _ end: FleetRun.End) {
    self.init(call.forReport, end)
  }

  private init(_ call: Call, _ end: FleetRun.End) {
    self.call = call
    self.end = end
  }

  /// The report of a retry of no stores.
  init(nothingToRetry call: Call) {
    self.init(call, FleetRun.End(totals: FleetTotals(), left: 0, stop: nil, seconds: 0))
  }

  var result: CommandResult {
    CommandResult(text: text, json: json, exitStatus: end.exitStatus)
  }

  // MARK: Text

  private var text: OutputText {
    var lines = OutputText(lines: [headline, ""])
    func add(_ name: String, _ text: String?) {
      guard let text else { return }
      lines.append("  " + name + String(repeating: " ", count: max(1, 12 - name.count)) + text)
    }
    add("migrated", NumberText.count(totals.migrated))
    if totals.published > 0 { add("published", NumberText.count(totals.published)) }
    add("up to date", NumberText.count(totals.upToDate))
    add("failed", NumberText.count(totals.failed))
    if end.left > 0 { add("not done", NumberText.count(end.left)) }
    if totals.counts.read > 0 { add("objects", objects) }
    if totals.losses > 0 { add("lost", NumberText.count(totals.losses, "value")) }
    if totals.warnings > 0 { add("warnings", NumberText.count(totals.warnings)) }
    add("ledger", call.ledger)
    add("shard", call.shard?.text(of: call.storeCount, listed: call.listCount))
    if call.leftOutCount > 0 { add("left out", Self.leftOut(call.leftOutCount)) }
    add("order", order)
    add("time", "\(NumberText.duration(end.seconds))\(rate)")
    lines += FailureLines(totals).lines
    if let stop = end.stop {
      lines.append("")
      lines += OutputText(Diagnostics([stop.diagnostic(left: end.left)]))
    }
    return lines
  }

  /// What a pattern matched beside stores.
  static func leftOut(_ count: Int) -> String {
    "\(NumberText.count(Int64(count), "file")) beside stores"
  }

  private var headline: String {
    let count = NumberText.count(call.storeCount, "store")
    let version = call.target.map { " at version “\($0)”" } ?? ""
    let well = totals.migrated + totals.published + totals.upToDate
    return well == call.storeCount
      ? "\(count)\(version)" : "\(NumberText.count(well)) of \(count)\(version)"
  }

  private var objects: String {
    let counts = totals.counts
    let parts = [
      ("migrated", counts.migrated), ("split", counts.split), ("merged", counts.merged),
      ("filtered", counts.filtered), ("removed", counts.removed),
      ("quarantined", counts.quarantined), ("added", counts.added),
    ]
    let rest = parts.filter { $0.1 > 0 }.map { "\(NumberText.count($0.1)) \($0.0)" }
    return "\(NumberText.count(counts.read)) read, \(rest.joined(separator: ", "))"
  }

  private var order: String? {
    switch call.order {
    case .listed: nil
    case .smallest: "smallest first"
    case .random(let seed): "random, seed \(seed)"
    }
  }

  private var rate: String {
    guard end.seconds > 0, totals.done > 0 else { return "" }
    let rate = Double(totals.done) / end.seconds
    return RateText.text(rate, of: "stores")
  }

  // MARK: JSON

  var json: JSONText {
    .object([
      ("command", .string(call.command)), ("stores", .integer(call.storeCount)),
      ("migrated", .integer(totals.migrated)), ("published", .integer(totals.published)),
      ("upToDate", .integer(totals.upToDate)), ("failed", .integer(totals.failed)),
      ("notDone", .integer(end.left)),
      ("stop", end.stop.map { $0.diagnostic(left: end.left).json } ?? .null),
      ("target", .optional(call.target)),
      ("totals", .object(totals.counts.members)), ("losses", .integer(totals.losses)),
      ("bytes", .integer(totals.bytes)), ("failures", FailureLines(totals).json),
      ("unlistedFailures", .integer(totals.unlistedFailures)),
      ("ledger", .path(call.ledger)), ("plan", .string(call.plan)),
      ("shard", .optional(call.shard?.shard.text)),
      ("shardVariable", .optional(call.shard?.variable)),
      ("listed", .integer(call.listCount)),
      ("leftOut", .integer(call.leftOutCount)), ("order", .optional(order)),
      ("warnings", .list((call.warnings.all + end.warnings.all).map(\.json))),
      ("seconds", .measure(end.seconds)),
      (
        "storesPerSecond",
        .measure(end.seconds > 0 ? Double(totals.done) / end.seconds : 0)
      ),
    ])
  }
}
