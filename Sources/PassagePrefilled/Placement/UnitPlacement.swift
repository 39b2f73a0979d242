internal import PassageFiles
internal import PassageDiagnostics
internal import PassageEngine
internal import PassageStores

/// Puts a finished store with its files of external data where nothing is: the whole unit or nothing.
///
/// The order is what makes it safe. The files of external data go first, as one folder by one rename:
/// without a store beside it that folder means nothing. Then the main file gets its name, by a hard
/// link, which never replaces another file; from that instant the store is there, and whole.
struct UnitPlacement {
  private let files: FileSystem
  private let destination: StoreUnit
  /// The log and the like that stood beside the empty place when the work began.
  private let leftovers: [(path: String, identity: [UInt64])]
  /// What failed when the store was in its place already.
  private(set) var warnings = Diagnostics()

  /// Notes what is beside the destination's place.
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
  ///   - template: the file whose permissions it gets, with the right to write for the owner.
  ///   - temporary: a path on that file system where a file may be copied to.
  /// - Returns: `false` when another program has made a file at the destination meanwhile; it is left
  ///   as it is.
  mutating func place(_ finished: StoreUnit, template: String, temporary: String) throws -> Bool {
    try files.copyPermissions(of: template, toWritable: finished.path)
    try files.synchronize(finished.path)
    guard try !files.exists(destination.path) else { return false }
    try removeLeftovers()
    if files.isDirectory(finished.supportPath) {
      if try files.exists(destination.supportPath) {
        // Of an interrupted run, or of a store that was removed: equal files stay, others are refused.
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

  /// SQLite would apply a log to the store whose name it bears, whoever wrote it. Only what was there
  /// before is removed: a program that begins a store of its own here makes a new log.
  private func removeLeftovers() throws {
    for (path, identity) in leftovers where try files.identity(path) == identity {
      try files.remove(path)
    }
  }
}
