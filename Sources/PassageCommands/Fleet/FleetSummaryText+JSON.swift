internal import Passage
internal import PassageFleets

extension FleetSummaryText {
  /// The summary as one JSON object. It has the same members as the result of `fleet run`, as far as
  /// both have them.
  static func json(_ summary: FleetSummary, command: String) -> JSONText {
    let totals = summary.totals
    return .object([
      ("command", .string(command)), ("stores", .integer(totals.done)),
      ("migrated", .integer(totals.migrated)), ("published", .integer(totals.published)),
      ("upToDate", .integer(totals.upToDate)), ("failed", .integer(totals.failed)),
      ("totals", .object(totals.counts.members)), ("losses", .integer(totals.losses)),
      ("storeWarnings", .integer(totals.warnings)), ("bytes", .integer(totals.bytes)),
      ("failures", FailureLines(totals).json),
      ("unlistedFailures", .integer(totals.unlistedFailures)),
      ("routes", .list(summary.routes.map(json))),
      ("unlistedRoutes", .integer(summary.unlistedRoutes)),
      ("times", .list(summary.times.bins.map(json))),
      ("slowest", .list(summary.slowest.map(json))), ("retried", .integer(summary.retried)),
      ("mostAttempts", .integer(summary.mostAttempts)),
      ("firstTime", .optional(summary.firstTime)), ("lastTime", .optional(summary.lastTime)),
      ("plan", .optional(summary.plan)),
      ("ledgers", .list(summary.ledgers.map(json))),
      ("warnings", .list(summary.warnings.all.map(\.json))),
    ])
  }

  private static func json(_ route: FleetSummary.Route) -> JSONText {
    .shortObject([
      ("from", .optional(route.from)), ("to", .optional(route.to)),
      ("outcome", .string(route.outcome.rawValue)), ("stores", .integer(route.count)),
    ])
  }

  private static func json(_ bin: TimeHistogram.Bin) -> JSONText {
    .shortObject([
      ("limitSeconds", bin.limit.map { .measure($0) } ?? .null), ("stores", .integer(bin.count)),
    ])
  }

  private static func json(_ store: FleetSummary.SlowStore) -> JSONText {
    .shortObject([
      ("store", .string(store.store)), ("outcome", .string(store.outcome.rawValue)),
      ("seconds", .measure(store.seconds)), ("bytes", .integer(store.bytes)),
      ("objects", .integer(store.objects)),
    ])
  }

  private static func json(_ ledger: FleetSummary.Ledger) -> JSONText {
    .shortObject([
      ("path", .path(ledger.path)), ("lines", .integer(ledger.lines)),
      ("linesOfOtherPlans", .integer(ledger.linesOfOtherPlans)),
      ("tornLines", .integer(ledger.tornLines)),
    ])
  }
}
