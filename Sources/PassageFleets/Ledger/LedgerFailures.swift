package import PassageEngine

/// The stores whose last line in one or several ledgers is a failure.
package struct LedgerFailures: Sendable {
  /// Which failures are meant.
  package struct Choice: Sendable {
    /// Exit statuses; empty for all.
    package var classes: Set<Int32> = []
    /// Codes; empty for all.
    package var codes: Set<String> = []

    package init() {}

    func contains(_ entry: LedgerEntry) -> Bool {
      (classes.isEmpty || classes.contains(entry.exitClass))
        && (codes.isEmpty || entry.code.map { codes.contains($0) } ?? false)
    }
  }

  /// The chosen stores, in the order in which they stand in the ledgers.
  package private(set) var names: [String] = []

  /// The number of stores whose last line is a failure, those that are not chosen included.
  package private(set) var count = 0

  /// Reads ledgers one after another, twice. Which line is a store's last, its time decides
  /// (``LastLines``), so that the ledgers may be given in any order.
  ///
  /// - Parameter plan: identifies the way that is asked for.
  /// - Throws: ``MigrationError`` with `FLT-010` for a ledger of another plan, `FLT-011` for another
  ///   file and for one that does not exist.
  package init(_ paths: [String], plan: String, _ choice: Choice) throws(MigrationError) {
    var lines = LastLines()
    try Self.read(paths) { entry, path, number throws(MigrationError) in
      guard entry.plan == plan else { throw FleetLedger.isOfOtherPlan(path, entry.store) }
      lines.add(entry, number: number)
    }
    try Self.read(paths) { entry, _, number throws(MigrationError) in
      // A line may have been appended since.
      guard entry.outcome == .failed, lines.isLast(entry, number: number) else { return }
      count += 1
      if choice.contains(entry) { names.append(entry.store) }
    }
  }

  private static func read(
    _ paths: [String],
    _ take: (_ entry: LedgerEntry, _ path: String, _ number: Int) throws(MigrationError) -> Void
  ) throws(MigrationError) {
    var number = 0
    for path in paths {
      var reader = try LedgerReader(path, mustExist: true)
      while let entry = try reader.next() {
        number += 1
        try take(entry, path, number)
      }
    }
  }
}
