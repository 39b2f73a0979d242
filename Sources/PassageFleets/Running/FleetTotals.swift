internal import PassageEngine
package import PassageStores

/// What became of the stores of a run so far.
package struct FleetTotals: Sendable, Hashable {
  /// Failures of one class with one code.
  package struct Failures: Sendable, Hashable {
    package var exitClass: Int32
    package var code: String
    package var count: Int
    /// The message and the remedy of the first.
    package var message: String
    package var remedy: String?
    /// The first store.
    package var example: String
  }

  /// So many codes are told apart. A policy may give every failure a code of its own.
  private static let maximumCodes = 200

  package var migrated = 0
  package var upToDate = 0
  package var published = 0
  package var failed = 0
  /// The sums over all migrated stores.
  package var counts = MigrationRecord.Counts()
  package var losses: Int64 = 0
  package var warnings: Int64 = 0
  /// The bytes of the sources of all stores that are done, failed ones included.
  package var bytes: Int64 = 0
  /// The failures by code, in the order in which codes came.
  package private(set) var failures: [Failures] = []
  /// Failures whose code is not among ``failures``.
  package private(set) var unlistedFailures = 0

  package init() {}

  /// The stores that were looked at to their end.
  package var done: Int { migrated + upToDate + published + failed }

  package mutating func add(_ entry: LedgerEntry) {
    switch entry.outcome {
    case .migrated: migrated += 1
    case .upToDate: upToDate += 1
    case .published: published += 1
    case .failed:
      failed += 1
      addFailure(entry)
    }
    counts.add(entry.counts)
    losses = losses.saturatingAdd(entry.losses)
    warnings = warnings.saturatingAdd(entry.warnings)
    bytes = bytes.saturatingAdd(entry.bytes)
  }

  private mutating func addFailure(_ entry: LedgerEntry) {
    let code = entry.code ?? ""
    if let place = failures.firstIndex(where: {
      $0.code == code && $0.exitClass == entry.exitClass
    }) {
      failures[place].count += 1
    } else if failures.count < Self.maximumCodes {
      failures.append(
        Failures(
          exitClass: entry.exitClass, code: code, count: 1, message: entry.message ?? "",
          remedy: entry.remedy, example: entry.store))
    } else {
      unlistedFailures += 1
    }
  }
}

extension MigrationRecord.Counts {
  /// Adds other counts, limited to the largest number.
  package mutating func add(_ other: Self) {
    read = read.saturatingAdd(other.read)
    filtered = filtered.saturatingAdd(other.filtered)
    migrated = migrated.saturatingAdd(other.migrated)
    split = split.saturatingAdd(other.split)
    merged = merged.saturatingAdd(other.merged)
    removed = removed.saturatingAdd(other.removed)
    quarantined = quarantined.saturatingAdd(other.quarantined)
    added = added.saturatingAdd(other.added)
    made = made.saturatingAdd(other.made)
  }
}
