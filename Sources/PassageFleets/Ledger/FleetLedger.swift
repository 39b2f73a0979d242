package import PassageDiagnostics
package import PassageEngine
internal import PassageFiles
internal import PassagePlatform
internal import PassageStores
internal import Synchronization

/// The ledger that a run appends to: a line for each store, for people and for `migrate fleet retry`.
/// Whether a store is migrated, it records itself.
///
/// Lines are appended in groups, whole and at the end of the file whoever else writes, and synced.
package final class FleetLedger: Sendable {
  private struct State {
    var file: FileAppender?
    /// Lines that are not written.
    var waiting: [UInt8] = []
    var lastWrite = ContinuousClock.now
    /// How often each store was tried before, by the hash of its name.
    var attempts: [UInt64: Int32]
  }

  /// So many bytes of lines are written together, or what there is after so much time.
  private static let groupBytes = 32 << 10
  private static let groupTime = Duration.seconds(1)

  package let path: String
  package let plan: String
  package let shard: String?
  /// What is wrong with the lines that were there.
  package let warnings: Diagnostics
  private let state: Mutex<State>

  /// Reads the ledger; it is created when the first line is written.
  ///
  /// - Parameters:
  ///   - plan: identifies the way that is asked for.
  ///   - shard: the shard, as `3/8`.
  /// - Throws: ``MigrationError`` with `FLT-010` for a ledger of another plan, `FLT-011` for another
  ///   file.
  package init(_ path: String, plan: String, shard: String?) throws(MigrationError) {
    self.path = path
    self.plan = plan
    self.shard = shard
    var attempts: [UInt64: Int32] = [:]
    var reader = try LedgerReader(path)
    while let entry = try reader.next() {
      guard entry.plan == plan else { throw Self.isOfOtherPlan(path, entry.store) }
      attempts[Shard.hash(entry.store.utf8), default: 0] &+= 1
    }
    warnings = reader.torn
    try Self.checkWritable(path)
    state = Mutex(State(attempts: attempts))
  }

  /// Refuses a file that could not be written when the first store is done.
  private static func checkWritable(_ path: String) throws(MigrationError) {
    let folder = FileSystem.folder(of: path)
    let exists = FileSystem().entry(path) != nil
    guard exists || FileSystem().isDirectory(folder) else {
      throw MigrationError(
        .wrongCall,
        NeededFolder.missing(folder, "the ledger's folder"), diskState: "nothing was written")
    }
    do throws(FileSystem.Failure) {
      if exists {
        _ = try FileAppender(readingToo: path)
      } else if !FileSystem.isWritable(folder) {
        throw FileSystem.Failure(operation: .write, path: folder, errorNumber: EACCES)
      }
    } catch {
      var refusal = unwritable(error, path)
      refusal.diskState = "nothing was written"
      throw refusal
    }
  }

  /// Adds what became of a store.
  ///
  /// - Returns: the entry with its attempt, shard and plan, and whether ``flush()`` is due.
  package func add(_ entry: LedgerEntry) -> (entry: LedgerEntry, isDue: Bool) {
    var entry = entry
    entry.plan = plan
    entry.shard = shard
    let hash = Shard.hash(entry.store.utf8)
    entry.attempt = state.withLock { state in
      let attempt = state.attempts[hash, default: 0] &+ 1
      state.attempts[hash] = attempt
      return Int(attempt)
    }
    let line = entry.line.utf8
    let isDue = state.withLock { state in
      state.waiting += line
      return state.waiting.count >= Self.groupBytes
        || state.lastWrite.duration(to: .now) >= Self.groupTime
    }
    return (entry, isDue)
  }

  /// Writes the lines that wait.
  ///
  /// - Parameter isLast: whether the run is at its end. A run without stores, such as that of a shard
  ///   that has none, leaves an empty ledger then: it says that the run took place.
  package func flush(isLast: Bool = false) throws(MigrationError) {
    do {
      try state.withLock { try write(&$0, isLast: isLast) }
    } catch {
      throw Self.unwritable(error, path)
    }
  }

  private func write(_ state: inout State, isLast: Bool) throws {
    state.lastWrite = .now
    let isNew = FileSystem().entry(path) == nil
    guard !state.waiting.isEmpty || isLast && isNew else { return }
    let file = try state.file ?? FileAppender(readingToo: path)
    state.file = file
    // A line that another run could not finish must not take this one with it.
    let start: [UInt8] = try file.endsWithinLine() ? [UInt8(ascii: "\n")] : []
    try file.append(start + state.waiting)
    state.waiting.removeAll(keepingCapacity: true)
    try file.synchronize()
    if isNew { try FileSystem().synchronizeDirectory(FileSystem.folder(of: path)) }
  }

  // MARK: Refusals

  static func isOfOtherPlan(_ path: String, _ store: String) -> MigrationError {
    MigrationError(
      .wrongCall,
      Diagnostic(
        "FLT-010", "the ledger is about another migration", at: SourceLocation(file: path),
        reason: "its line about \(store) was written by a call with other mapping models, another "
          + "version or other options",
        remedy: "name another file with --ledger"), diskState: "nothing was written")
  }

  private static func unwritable(_ error: any Error, _ path: String) -> MigrationError {
    if let error = error as? MigrationError { return error }
    let place = SourceLocation(file: path)
    let isFull = (error as? FileSystem.Failure)?.isNoSpace == true
    return MigrationError(
      isFull
        ? Diagnostic(
          "RUN-006", "the disk is full: the ledger cannot be written", at: place,
          reason: "\(error)",
          remedy: "free some disk space, then run the same command again")
        : Diagnostic(
          "FLT-013", "the ledger cannot be written", at: place, reason: "\(error)",
          remedy: "check its permissions, then run the same command again"),
      diskState: "what was migrated, the stores themselves record")
  }
}
