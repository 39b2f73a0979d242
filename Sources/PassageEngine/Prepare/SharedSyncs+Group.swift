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
  package func withSlotUntilLocked<Result>(_ body: () throws -> Result) rethrows -> Result {
    try withSlot {
      try LockWait.$pause.withValue({ [self] in pause(milliseconds: $0) }, operation: body)
    }
  }
}
