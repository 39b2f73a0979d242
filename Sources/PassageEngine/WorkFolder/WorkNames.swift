/// The names that Passage uses in its own folders. Nothing else in such a folder is ever removed.
///
/// Code that creates a file with a new name there must add the name here. Names made from one of
/// these and a suffix (`output.new`, `source.sqlite-journal`) are included.
enum WorkNames {
  /// The kinds of folders.
  enum Level: Sendable, Hashable {
    /// A work folder itself, or one inside another.
    case work
    /// The folder of a step.
    case step
    /// A folder of external data, or one in it: everything in it was copied there, whatever its name.
    case everything
  }

  /// Passage makes no folder that is nested more deeply inside a work folder: external data is copied from
  /// 16 levels. What is in deeper ones is not looked at.
  static let maximumDepth = 20

  /// What is stored under a name. There may be a file under the name of a folder of external data.
  enum Meaning: Sendable, Hashable {
    case file
    case folder(Level)
  }

  static let marker = "passage-work"
  static let lock = "lock"

  /// The finished store of a migration whose work is in memory, until it has its final name.
  static let finished = "finished.sqlite"

  /// The mark of a cut-over in place.
  static let cutOver = "cut-over"

  /// The journal of a step.
  static let journal = "journal.sqlite"

  private static let work = [
    // Files of a migration; `kept` is the old store where the file system has no links.
    "run.json", cutOver, finished, "source.sqlite", "source-staging.sqlite", "output", "kept",
    // Files of a store that is installed or packed.
    "bundle.sqlite", "migrated.sqlite", "packed.sqlite", "work.sqlite", "copy",
    // Files of a verification.
    "expected.sqlite", "found.sqlite",
  ]
  private static let step = [
    "store.sqlite", journal, "account.json", "warnings.json", "quarantine.jsonl",
  ]

  /// The meaning of a name in a folder; `nil` when Passage uses no such name.
  static func meaning(of name: String, in level: Level) -> Meaning? {
    switch level {
    case .everything: return .folder(.everything)
    case .step:
      return isMade(name, of: step) || isNumbered(name, "pass-", ".sqlite") ? .file : nil
    case .work:
      if [marker, lock].contains(name) { return .file }
      if isNumbered(name, "step-", "") { return .folder(.step) }
      if name.hasPrefix("."), name.hasSuffix("_SUPPORT") {
        let stem = name.dropFirst().dropLast("_SUPPORT".count)
        return work.contains { $0 == stem || $0.hasPrefix(stem + ".") }
          ? .folder(.everything) : nil
      }
      guard isMade(name, of: work) else { return nil }
      return name.hasSuffix(".passage") ? .folder(.work) : .file
    }
  }

  /// Whether what has a name is written into as it is found: by SQLite, or by Passage under a lock.
  ///
  /// A finished store is not: while it is put in place it has two names. Every other file is made anew.
  static func isWrittenInto(_ name: String, in level: Level) -> Bool {
    if sideFileEnds.contains(where: name.hasSuffix) { return true }
    return switch level {
    case .work: [marker, lock].contains(name)
    case .step: isMade(name, of: [journal]) || isNumbered(name, "pass-", ".sqlite")
    case .everything: false
    }
  }

  /// What SQLite appends to the name of a database for its own files.
  private static let sideFileEnds = ["-journal", "-wal", "-shm"]

  /// Whether a name is one of the stems, or one of them with a suffix.
  private static func isMade(_ name: String, of stems: [String]) -> Bool {
    stems.contains { stem in
      guard name.hasPrefix(stem) else { return false }
      let suffix = name.dropFirst(stem.count)
      return suffix.isEmpty || suffix.hasPrefix(".") || suffix.hasPrefix("-")
    }
  }

  /// Whether a name consists of the prefix, a number, `end` and an optional suffix.
  private static func isNumbered(_ name: String, _ prefix: String, _ end: String) -> Bool {
    guard name.hasPrefix(prefix) else { return false }
    let rest = name.dropFirst(prefix.count)
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty, digits.utf8.count < 10 else { return false }
    let suffix = rest.dropFirst(digits.count)
    return end.isEmpty ? suffix.isEmpty : isMade(String(suffix), of: [end])
  }
}
