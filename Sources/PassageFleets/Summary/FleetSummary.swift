package import PassageDiagnostics
internal import PassageStores

/// What some ledgers say of a fleet: each store counts once, by the line that tells of it.
package struct FleetSummary: Sendable {
  /// One of the ledgers.
  package struct Ledger: Sendable, Hashable {
    package var path: String
    /// The lines that could be read.
    package var lines = 0
    /// Those among them that were written by calls that asked for another way.
    package var linesOfOtherPlans = 0
    /// Lines that were not written to their end.
    package var tornLines = 0
  }

  /// Stores that came from one version to another.
  package struct Route: Sendable, Hashable {
    /// `nil` if it is not known.
    package var from: String?
    package var to: String?
    package var outcome: LedgerEntry.Outcome
    package var count = 0
  }

  /// A store that took long.
  package struct SlowStore: Sendable, Hashable {
    package var store: String
    package var outcome: LedgerEntry.Outcome
    package var seconds: Double
    package var bytes: Int64
    package var objects: Int64
  }

  /// So many slow stores are named.
  package static let maximumSlowStores = 10
  /// So many pairs of versions are told apart.
  private static let maximumRoutes = 200

  package var ledgers: [Ledger]
  /// Identifies the way that was asked for, as the latest line says; `nil` without lines.
  package var plan: String?
  package private(set) var totals = FleetTotals()
  /// In the order in which they came.
  package private(set) var routes: [Route] = []
  /// Stores whose route is not among ``routes``.
  package private(set) var unlistedRoutes = 0
  /// The slowest first.
  package private(set) var slowest: [SlowStore] = []
  /// The times of the stores that were migrated, each until it was durable: a store waits for others of
  /// its group.
  package private(set) var times = TimeHistogram()
  /// When the first and the last of the stores were done, as their lines say it.
  package private(set) var firstTime: String?
  package private(set) var lastTime: String?
  /// Stores that were tried more than once, and the most tries of one.
  package private(set) var retried = 0
  package private(set) var mostAttempts = 0
  /// Warnings about the ledgers.
  package var warnings = Diagnostics()

  init(paths: [String]) { ledgers = paths.map { Ledger(path: $0) } }

  /// Adds the line that tells of a store.
  mutating func add(_ entry: LedgerEntry) {
    totals.add(entry)
    addRoute(entry)
    mostAttempts = max(mostAttempts, entry.attempt)
    if entry.attempt > 1 { retried += 1 }
    if !entry.time.isEmpty {
      firstTime = min(firstTime ?? entry.time, entry.time)
      lastTime = max(lastTime ?? entry.time, entry.time)
    }
    guard entry.outcome != .upToDate else { return }
    if entry.outcome != .failed { times.add(entry.seconds) }
    let place = slowest.firstIndex { $0.seconds < entry.seconds } ?? slowest.count
    guard place < Self.maximumSlowStores else { return }
    slowest.insert(
      SlowStore(
        store: entry.store, outcome: entry.outcome, seconds: entry.seconds, bytes: entry.bytes,
        objects: entry.counts.migrated), at: place)
    if slowest.count > Self.maximumSlowStores { slowest.removeLast() }
  }

  private mutating func addRoute(_ entry: LedgerEntry) {
    let place = routes.firstIndex {
      $0.from == entry.from && $0.to == entry.to && $0.outcome == entry.outcome
    }
    if let place {
      routes[place].count += 1
    } else if routes.count < Self.maximumRoutes {
      routes.append(Route(from: entry.from, to: entry.to, outcome: entry.outcome, count: 1))
    } else {
      unlistedRoutes += 1
    }
  }
}
