internal import PassagePlatform

/// Waits, during which others compute if the files are synced in a group: see `SyncGroup/slots`.
extension FileSystem {
  /// Waits for a number of milliseconds. Others compute meanwhile. `usleep(3)`.
  package func pause(milliseconds: Int) {
    waitingForDisk { _ = usleep(UInt32(clamping: milliseconds * 1_000)) }
  }

  /// Runs a piece of work that waits for the disk more than it computes: not only a sync may wait, but
  /// also the removal of a file, where the file system tells the disk at once what is free.
  package func waitingForDisk<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let syncs else { return try body() }
    return try syncs.withoutSlot(body)
  }
}
