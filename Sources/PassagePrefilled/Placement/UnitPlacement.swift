internal import PassageDiagnostics
internal import PassageEngine
internal import PassageFiles
internal import PassageStores

/// Puts a finished store and its files of external data at a path where no store exists: the whole
/// unit or nothing.
///
/// The order makes this safe. The files of external data come first, as one folder by one rename;
/// without a store beside it that folder has no effect. Then the main file gets its name by a hard
/// link, which never replaces another file. From then on the complete store is in place.
struct UnitPlacement {
  private let files: FileSystem
  private let destination: StoreUnit
  /// The sidecars that were beside the free path when the work began.
  private let leftovers: [(path: String, identity: [UInt64])]
  /// What failed after the store was in place.
  private(set) var warnings = Diagnostics()

  /// Records which sidecars are beside the destination's path.
  init(files: FileSystem, destination: StoreUnit) throws {
    self.files = files
    self.destination = destination
    leftovers = try destination.sidecarPaths.compactMap { path in
      try files.identity(path).map { (path, $0) }
    }
  }

  /// Puts the store in place.
  ///
  /// - Parameters:
  ///   - finished: the store, without sidecars, on the same file system.
  ///   - template: the file whose permissions the store gets; its owner can also write to it.
  ///   - temporary: a path on that file system for copying a file.
  /// - Returns: `false` when another program has created a file at the destination in the meantime;
  ///   that file is not changed.
  mutating func place(_ finished: StoreUnit, template: String, temporary: String) throws -> Bool {
    try files.copyPermissions(of: template, toWritable: finished.path)
    try files.synchronize(finished.path)
    guard try !files.exists(destination.path) else { return false }
    try DestinationCheck(destination: destination, files: files).checkLogs()
    try removeLeftovers()
    if files.isDirectory(finished.supportPath) {
      if try files.exists(destination.supportPath) {
        // From an interrupted run, or from a store that was removed: equal files are kept, others
        // are refused.
        var transfer = ExternalTransfer(files: files, temporary: temporary)
        try transfer.transfer(from: finished, to: destination)
      } else {
        try files.rename(finished.supportPath, to: destination.supportPath)
      }
      try files.synchronizeDirectory(destination.folder)
    }
    do {
      try files.moveWithoutReplacing(finished.path, to: destination.path)
    } catch let failure as FileSystem.Failure where failure.isExisting {
      return false
    }
    warnings.append(contentsOf: destination.synchronizePlacedName(files))
    return true
  }

  /// Removes old sidecars, because SQLite would apply a log to any store with its name. Only those
  /// that existed when the work began are removed: a program that creates a store here in the
  /// meantime makes a new log.
  private func removeLeftovers() throws {
    for (path, identity) in leftovers where try files.identity(path) == identity {
      try files.remove(path)
    }
  }
}
