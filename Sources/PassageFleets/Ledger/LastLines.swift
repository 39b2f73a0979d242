internal import PassageEngine

/// Which line of some ledgers tells of each store.
///
/// It is the latest; of lines of the same second, the one that is read last. A line that says that
/// nothing was to do tells less than the latest one about a migration before it, which therefore stays,
/// whatever failed in between. Nor does a line hide a migration of the same second that says that another
/// runner was at work: that was the one that migrated.
///
/// - Complexity: about 150 bytes for each store, however long its name is.
struct LastLines {
  /// Identifies a store and the way that was asked for, by two hashes of which one is different in
  /// each process, so that no names can be made up that have the same.
  struct Key: Hashable {
    private let stable: UInt64
    private let changing: Int

    init(_ entry: LedgerEntry) {
      stable = Shard.hash(entry.store.utf8)
      var hasher = Hasher()
      hasher.combine(entry.plan)
      hasher.combine(entry.store)
      changing = hasher.finalize()
    }
  }

  private struct Line {
    var number: Int
    var time: Int64
  }

  /// The lines about a store.
  private struct Lines {
    /// The latest, and whether it says that nothing was to do.
    var last: Line
    var isLook: Bool
    /// The latest about a migration.
    var done: Line?

    var telling: Line { isLook ? done ?? last : last }
  }

  private var lines: [Key: Lines] = [:]

  /// - Parameter number: the position among the lines of all ledgers.
  mutating func add(_ entry: LedgerEntry, number: Int) {
    let line = Line(number: number, time: Self.order(ofTime: entry.time))
    let isDone = entry.outcome == .migrated || entry.outcome == .published
    let isLook = entry.outcome == .upToDate
    let key = Key(entry)
    var known = lines[key] ?? Lines(last: line, isLook: isLook)
    let isOfOtherRunner =
      entry.exitClass == MigrationError.Kind.locked.rawValue && line.time == known.done?.time
    if line.time >= known.last.time, !isOfOtherRunner {
      (known.last, known.isLook) = (line, isLook)
    }
    if isDone, known.done.map({ line.time >= $0.time }) ?? true { known.done = line }
    lines[key] = known
  }

  /// Whether a line is the one that tells of its store.
  func isLast(_ entry: LedgerEntry, number: Int) -> Bool {
    lines[Key(entry)]?.telling.number == number
  }

  /// A number that orders times as they follow each other; 0 for a text that is no time.
  static func order(ofTime text: String) -> Int64 {
    let digits = text.utf8.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard digits.count == 14 else { return 0 }
    return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
  }
}
