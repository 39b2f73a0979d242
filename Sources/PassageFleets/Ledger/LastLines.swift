/// Which line of some ledgers tells of each store.
///
/// It is the latest; of lines of the same second, the one that is read last. A line that says that
/// nothing was to do tells less than the one about the migration before it, which therefore stays.
///
/// - Complexity: about 100 bytes for each store, however long its name is.
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
    var isDone: Bool
    var isLook: Bool
  }

  private var lines: [Key: Line] = [:]

  /// - Parameter number: the position among the lines of all ledgers.
  mutating func add(_ entry: LedgerEntry, number: Int) {
    let isLook = entry.outcome == .upToDate
    let line = Line(
      number: number, time: Self.order(ofTime: entry.time),
      isDone: entry.outcome == .migrated || entry.outcome == .published, isLook: isLook)
    let key = Key(entry)
    guard let before = lines[key] else {
      lines[key] = line
      return
    }
    let isLater = line.time >= before.time
    if isLater ? !(isLook && before.isDone) : line.isDone && before.isLook { lines[key] = line }
  }

  /// Whether a line is the one that tells of its store.
  func isLast(_ entry: LedgerEntry, number: Int) -> Bool {
    lines[Key(entry)]?.number == number
  }

  /// A number that orders times as they follow each other; 0 for a text that is no time.
  static func order(ofTime text: String) -> Int64 {
    let digits = text.utf8.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard digits.count == 14 else { return 0 }
    return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
  }
}
