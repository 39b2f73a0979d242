package import PassageDiagnostics
package import PassageFiles
internal import PassageSQLite
package import PassageStores
internal import PassageValues

/// The cut-over: a rename puts the finished store at its path.
///
/// Before the rename the path holds the whole old store; after it, the whole new one. If the old
/// store has a log, SQLite first folds it in under an exclusive lock, because neither removing the
/// log before the rename nor leaving it in place after the rename would be safe.
package struct CutOver {
  private let files: FileSystem
  /// Entries of the folder of external data that were left out, and what failed after the store was
  /// in place.
  package private(set) var warnings = Diagnostics()
  /// Whether bytes of the old store were changed because its log was folded in, wholly or partly.
  package private(set) var hasFolded = false

  /// Whether a later run continues the work if this one is refused.
  private let keepsWork: Bool

  package init(files: FileSystem, keepsWork: Bool) {
    self.files = files
    self.keepsWork = keepsWork
  }

  /// Puts a finished store at a path where no file exists, or where an empty file reserves the
  /// name.
  ///
  /// - Parameters:
  ///   - template: the file whose permissions the store gets.
  ///   - source: the store whose files of external data it gets; `nil` for none.
  ///   - isReserved: whether an empty file at the path reserves the name.
  /// - Throws: `RUN-002` when another program has put something there since the checks.
  package mutating func place(
    _ finished: String, at destination: String, template: String, support source: StoreUnit?,
    isReserved: Bool = false
  ) throws {
    let unit = StoreUnit(path: destination)
    try files.copyPermissions(of: template, to: finished)
    try files.synchronize(finished)
    files.dropFromCache(finished)
    // What is beside a store that another program has made there belongs to that.
    guard try isReserved ? files.byteCount(destination) == 0 : !files.exists(destination) else {
      throw taken(destination)
    }
    try DestinationCheck(destination: unit, files: files).checkLogs()
    try removeSidecars(of: unit)
    if let source { try transferSupport(of: source, to: unit, temporary: finished + ".copy") }
    if isReserved {
      try files.rename(finished, to: destination)
    } else {
      do {
        try files.moveWithoutReplacing(finished, to: destination)
      } catch let failure as FileSystem.Failure where failure.isExisting {
        throw taken(destination)
      }
    }
    warnings.append(contentsOf: unit.synchronizePlacedName(files))
  }

  private func taken(_ path: String) -> MigrationError {
    MigrationError(
      .wrongCall,
      OccupiedPlace.refusal(path, reason: "another program has put it there since the checks"))
  }

  /// Puts a finished store in place of the old one.
  ///
  /// - Parameters:
  ///   - backup: where the old store is kept; `nil` to keep none.
  ///   - fingerprint: the fingerprint of the source at the time it was read.
  ///   - workspace: stores the mark of this cut-over.
  ///   - isUnwritten: whether the old store has not been written since it was put in place, which
  ///     the mark records.
  ///   - isNewFolder: whether nothing in the work folder is durable yet, not even its marker, and
  ///     nothing but the finished store is in it.
  /// - Throws: `RUN-011` when another program has the store open, `RUN-012` when the store was
  ///   changed since it was read.
  package mutating func replace(
    _ unit: StoreUnit, with finished: String, backup: String?, fingerprint: StoreFingerprint,
    workspace: Workspace, isUnwritten: Bool = false, isNewFolder: Bool = false
  ) throws {
    let (status, start) = try files.copyPermissions(
      of: unit.path, to: finished, reading: DatabaseHeader.byteCount)
    if !isNewFolder { try files.synchronize(finished) }
    // In a new folder nothing is beside the finished store.
    let seen = isNewFolder ? StoreFingerprint(status, start: start) : nil
    var mark = try CutOverMark(
      old: fingerprint, new: seen ?? StoreFingerprint(path: finished),
      backup: backup.map { CutOverMark.name(ofBackup: $0, of: unit) })
    // The end of the log's mode is one transaction.
    if isUnwritten { mark.unwrittenCounter = fingerprint.changeCounter &+ 1 }
    if isNewFolder {
      try workspace.writeUnsynced(mark)
      if let resting = try RestingLock(unit, files, isKnownClosed: false) {
        guard resting.isUnchanged(since: fingerprint) else { throw SourceChanged() }
        return try exchangeOnce(
          unit, fingerprint.inode, resting, finished, backup, workspace, &mark)
      }
      try workspace.synchronizeMark(togetherWith: finished)
    } else {
      try workspace.write(mark)
    }
    guard try StoreFingerprint(path: unit.path) == fingerprint else { throw SourceChanged() }
    let isClosed = try refuseOpen(unit, control: finished)
    if isClosed, let resting = try RestingLock(unit, files, isKnownClosed: true) {
      guard resting.isUnchanged(since: fingerprint) else { throw SourceChanged() }
      hasFolded = resting.header.isWAL
      try resting.leaveLogMode()
      try exchange(unit, fingerprint.inode, finished, backup, workspace, &mark)
      resting.dropFromCache()
      return
    }
    let old = try lockExclusively(unit)
    // Until the rename, nothing may open the store's file: closing it again would release the lock.
    guard try fingerprint.isUnchanged(at: unit.path) else { throw SourceChanged() }
    // From here on the old store has no log, and no other program can write one.
    try foldLog(of: unit, old)
    try exchange(unit, fingerprint.inode, finished, backup, workspace, &mark)
    // The exclusive lock on the old file is released here.
    withExtendedLifetime(old) {}
  }

  /// Makes the finished store, the mark and the kept store's name durable together, and puts the new
  /// store in its place.
  ///
  /// The second name may be there before the mark is durable, because it is told from any other kept
  /// store by its file. Where the old store is kept in another way, the mark is durable before.
  private mutating func exchangeOnce(
    _ unit: StoreUnit, _ inode: UInt64, _ resting: RestingLock, _ finished: String,
    _ backup: String?, _ workspace: Workspace, _ mark: inout CutOverMark
  ) throws {
    let isLinked = try backup.map { try linked(unit, to: $0) } ?? false
    do {
      try workspace.synchronizeMark(togetherWith: finished)
      guard resting.isStillThere else { throw SourceChanged() }
      hasFolded = resting.header.isWAL
      try resting.leaveLogMode()
      if isLinked {
        try put(finished, at: unit, inPlaceOf: inode)
      } else {
        try exchange(unit, inode, finished, backup, workspace, &mark)
      }
      resting.dropFromCache()
    } catch {
      // As long as the path holds the same file, its second name is nothing that is kept.
      if isLinked, let backup, let identity = try? files.identity(backup),
        (try? files.identity(unit.path)) == identity
      {
        try? files.remove(backup)
      }
      if isLinked, let backup, error is SourceChanged, isFile(inode, at: backup) {
        throw SourceChanged(keptPath: backup)
      }
      throw error
    }
  }

  /// Gives an old store without files of external data the name of its kept store beside it.
  ///
  /// - Returns: `false` if it is to be kept in another way.
  private func linked(_ unit: StoreUnit, to backup: String) throws -> Bool {
    guard StoreUnit(path: backup).folder == unit.folder, try !files.exists(unit.supportPath) else {
      return false
    }
    do {
      try files.link(unit.path, to: backup)
      return true
    } catch let failure as FileSystem.Failure where !failure.isExisting {
      return false
    }
  }

  /// Keeps the old store, which is locked, and puts the new one in its place.
  ///
  /// - Parameter inode: that of the old store, which must still be at its path.
  private mutating func exchange(
    _ unit: StoreUnit, _ inode: UInt64, _ finished: String, _ backup: String?,
    _ workspace: Workspace, _ mark: inout CutOverMark
  ) throws {
    guard isFile(inode, at: unit.path) else { throw SourceChanged() }
    var isCopied = false
    if let backup {
      let kept = StoreUnit(path: backup)
      // A copy is made in the work folder, or, because only a rename within a file system is one
      // step, where it will be.
      let copy = kept.folder == unit.folder ? workspace.keptPath : backup + KeptStores.copyEnd
      // The kept store must be complete: its files of external data get the names that belong to
      // it.
      try transferSupport(of: unit, to: kept, temporary: copy)
      do {
        try files.link(unit.path, to: backup)
      } catch let failure as FileSystem.Failure where !failure.isExisting {
        // Reading the file to copy it releases the lock, so the store is checked for changes
        // instead.
        let folded = try StoreFingerprint(path: unit.path)
        guard folded.inode == inode else { throw SourceChanged() }
        mark.folded = "\(folded)"
        try workspace.write(mark)
        // The kept store is always complete under its final name.
        try files.remove(copy)
        do {
          try files.copy(unit.path, to: copy)
          try files.copyPermissions(of: unit.path, to: copy)
          guard try folded.isUnchanged(at: unit.path) else { throw SourceChanged() }
          guard files.entry(backup) == nil else { throw failure }
          try files.rename(copy, to: backup)
          isCopied = true
        } catch {
          // Half a copy would fill a disk on which nobody looks for it.
          try? files.remove(copy)
          throw error
        }
      }
    }
    do {
      if let backup { try files.synchronizeDirectory(StoreUnit(path: backup).folder) }
      try put(finished, at: unit, inPlaceOf: inode)
    } catch is SourceChanged {
      guard let backup else { throw SourceChanged() }
      if isCopied || isFile(inode, at: backup) { throw SourceChanged(keptPath: backup) }
      // What got the second name was another file already.
      if try files.identity(backup) == files.identity(unit.path) { try? files.remove(backup) }
      throw SourceChanged()
    } catch {
      // The store was not replaced, so nothing of it is kept: this name was made above.
      if let backup, isFile(inode, at: unit.path) { try? files.remove(backup) }
      throw error
    }
  }

  /// Whether the file with this inode is at a path.
  private func isFile(_ inode: UInt64, at path: String) -> Bool {
    (try? FileSystem.status(path))?.inode == inode
  }

  /// Puts the new store in the place of the old one, which is locked and kept.
  ///
  /// - Throws: ``SourceChanged`` if another file is there: a program that asks for no lock may have put
  ///   it there while something became durable.
  private mutating func put(
    _ finished: String, at unit: StoreUnit, inPlaceOf inode: UInt64
  ) throws {
    files.dropFromCache(finished)
    // What is beside another file belongs to that.
    guard isFile(inode, at: unit.path) else { throw SourceChanged() }
    try removeSidecars(of: unit)
    guard isFile(inode, at: unit.path) else { throw SourceChanged() }
    try files.rename(finished, to: unit.path)
    warnings.append(contentsOf: unit.synchronizePlacedName(files))
  }

  /// Removes the files that SQLite has left beside a path. Their removal is durable before the
  /// rename is: after a power failure, none of them is beside the new store.
  private func removeSidecars(of unit: StoreUnit) throws {
    let left = unit.sidecarPaths.filter { files.entry($0) != nil }
    guard !left.isEmpty else { return }
    for path in left { try files.remove(path) }
    try files.synchronizeDirectory(unit.folder)
  }

  /// Refuses a store that another program has open without a lock: an idle connection whose journal
  /// is in memory or off would go on writing into the kept store. If the system does not show who
  /// has a file open, nothing is refused.
  ///
  /// - Returns: whether it is certain that no program has the store open.
  private func refuseOpen(_ unit: StoreUnit, control: String) throws -> Bool {
    // Wait for a program that only reads, such as a backup.
    for _ in 0..<100 {
      let isOpen = FileSystem.isOpenElsewhere(unit.path, control: control)
      guard isOpen == true else { return isOpen == false }
      files.pause(milliseconds: 20)
    }
    throw isOpen(unit)
  }

  private func isOpen(_ unit: StoreUnit) -> MigrationError {
    MigrationError(
      .locked,
      Diagnostic(
        "RUN-011", "another program has the store open", at: SourceLocation(file: unit.path),
        reason: "the store cannot be replaced while it is in use",
        remedy: "end the program, then run the same command again"
          + (keepsWork ? ": the work is kept" : "")))
  }

  private func lockExclusively(_ unit: StoreUnit) throws -> Connection {
    do throws(SQLiteError) {
      // From here on the work is finished, and it is too late to cancel.
      let connection = try StatementWatch.$current.withValue(nil) {
        Result { () throws(SQLiteError) in
          try Connection(path: unit.path, mode: .readWrite, busyTimeout: 5_000)
        }
      }.get()
      try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
      try connection.execute("BEGIN EXCLUSIVE")
      try connection.execute("COMMIT")
      return connection
    } catch {
      guard error.isBusy else { throw error }
      throw isOpen(unit)
    }
  }

  /// Folds the log into the main file, durably, and removes the log. In exclusive mode no other
  /// connection can start a new one.
  private mutating func foldLog(of unit: StoreUnit, _ connection: Connection) throws {
    try connection.execute("PRAGMA synchronous = FULL")
    hasFolded = try connection.value("PRAGMA journal_mode")?.string?.lowercased() == "wal"
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let mode = try connection.value("PRAGMA journal_mode = DELETE")?.string
    guard mode?.lowercased() == "delete" else {
      throw MigrationError(
        .locked,
        Diagnostic(
          "RUN-011", "the store's log cannot be merged into its file",
          at: SourceLocation(file: unit.path),
          reason: "the journal mode is still \(mode ?? "unknown")",
          remedy: "end every program that uses the store, then run the same command again"))
    }
    // The lock must be taken again in the new journal mode.
    try connection.execute("BEGIN EXCLUSIVE")
    try connection.execute("COMMIT")
  }

  private mutating func transferSupport(
    of source: StoreUnit, to destination: StoreUnit, temporary: String
  ) throws {
    var transfer = ExternalTransfer(files: files, temporary: temporary)
    defer { warnings.append(contentsOf: transfer.warnings) }
    try transfer.transfer(from: source, to: destination)
  }
}
