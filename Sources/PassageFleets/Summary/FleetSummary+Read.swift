internal import PassageDiagnostics
package import PassageEngine
internal import PassageFiles

extension FleetSummary {
  /// Reads ledgers. They are read twice: once to find the line that tells of each store, and once to
  /// add these up. Lines that a run appends meanwhile are left for the next report.
  ///
  /// - Parameter paths: the ledgers. One that is named twice is read once.
  /// - Throws: ``MigrationError`` with `FLT-051` for a ledger that does not exist, `FLT-011` for a file
  ///   that is none.
  /// - Complexity: O(n) in the lines, and about 100 bytes of memory for each store.
  package init(reading paths: [String]) throws(MigrationError) {
    var unique: [String] = []
    for path in paths where !unique.contains(path) { unique.append(path) }
    try Self.checkExistence(unique)
    self.init(paths: unique)
    let last = try findLastLines()
    try add(last)
    noteOtherPlans()
  }

  private static func checkExistence(_ paths: [String]) throws(MigrationError) {
    var mistakes = Diagnostics()
    for path in paths where FileSystem().entry(path) == nil {
      mistakes.append(
        Diagnostic(
          "FLT-051", "the ledger does not exist", at: SourceLocation(file: path),
          remedy: "name the ledgers that a run has written: fleet.jsonl, or one for "
            + "each shard, as fleet-*-of-8.jsonl"))
    }
    guard mistakes.isEmpty else {
      throw MigrationError(.wrongCall, mistakes, diskState: "nothing was written")
    }
  }

  private mutating func findLastLines() throws(MigrationError) -> LastLines {
    var last = LastLines()
    var latest: Int64 = -1
    var number = 0
    for position in ledgers.indices {
      var reader = try LedgerReader(ledgers[position].path)
      while let entry = try reader.next() {
        last.add(entry, number: number)
        let time = LastLines.order(ofTime: entry.time)
        if time >= latest { (latest, plan) = (time, entry.plan) }
        number += 1
        ledgers[position].lines += 1
      }
      ledgers[position].tornLines = reader.torn.count + reader.torn.unlistedCount
      warnings.append(contentsOf: reader.torn)
    }
    return last
  }

  private mutating func add(_ last: LastLines) throws(MigrationError) {
    var number = 0
    for position in ledgers.indices {
      var reader = try LedgerReader(ledgers[position].path)
      for _ in 0..<ledgers[position].lines {
        guard let entry = try reader.next() else { throw Self.changed(ledgers[position].path) }
        if entry.plan != plan {
          ledgers[position].linesOfOtherPlans += 1
        } else if last.isLast(entry, number: number) {
          add(entry)
        }
        number += 1
      }
    }
  }

  private mutating func noteOtherPlans() {
    for ledger in ledgers where ledger.linesOfOtherPlans > 0 {
      warnings.append(
        Diagnostic(
          "FLT-052", "lines of another migration are left out", severity: .warning,
          at: SourceLocation(file: ledger.path),
          reason: "\(ledger.linesOfOtherPlans) of \(ledger.lines) lines were written by calls with "
            + "other mapping models, another version or other options than the latest line",
          remedy: "report ledgers of different migrations one by one"))
    }
  }

  private static func changed(_ path: String) -> MigrationError {
    MigrationError(
      .inputOutput,
      Diagnostic(
        "FLT-053", "the ledger became shorter while it was read", at: SourceLocation(file: path),
        remedy: "run the same command again when nothing replaces the ledger"),
      diskState: "nothing was written")
  }
}
