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

  /// The names, in the order in which they failed last, and whether the choice has them.
  private var failures: [String: (number: Int, isChosen: Bool)] = [:]

  /// Reads ledgers one after another.
  ///
  /// - Parameter plan: identifies the way that is asked for.
  /// - Throws: ``MigrationError`` with `FLT-010` for a ledger of another plan, `FLT-011` for another
  ///   file and for one that does not exist.
  package init(_ paths: [String], plan: String, _ choice: Choice) throws(MigrationError) {
    var number = 0
    for path in paths {
      var reader = try LedgerReader(path, mustExist: true)
      while let entry = try reader.next() {
        guard entry.plan == plan else { throw FleetLedger.isOfOtherPlan(path, entry.store) }
        number += 1
        failures[entry.store] =
          entry.outcome == .failed ? (number, choice.contains(entry)) : nil
      }
    }
  }

  /// The chosen stores, in the order in which they failed.
  package var names: [String] {
    failures.filter(\.value.isChosen).sorted { $0.value.number < $1.value.number }.map(\.key)
  }

  /// The stores whose last line is a failure, those that are not chosen included.
  package var count: Int { failures.count }
}
