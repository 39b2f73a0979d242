package import PassageFiles
internal import PassageSQLite

extension SharedSyncs {
  /// SQLite's syncs wait in a group.
  init(_ group: SyncGroup) {
    self.init(
      synchronize: { group.synchronize(openFile: $0, alone: $1) },
      synchronizeFolder: { group.synchronizeFolder(ofFile: $0) })
  }
}

extension SyncGroup {
  /// Runs a piece of work in a slot, which others have while SQLite waits for another program's lock.
  ///
  /// - Parameter lane: whose slots are asked for.
  package func withSlotUntilLocked<Result>(
    lane: Int = 0, _ body: () throws -> Result
  ) rethrows -> Result {
    try withSlot(lane: lane) {
      try LockWait.$pause.withValue({ [self] in pause(milliseconds: $0) }, operation: body)
    }
  }
}
