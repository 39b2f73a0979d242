internal import PassageDiagnostics
internal import PassageEngine
internal import PassageFiles
internal import PassageStores

/// The locked folder beside a destination in which a store is made before it is put in place:
/// `<destination>.passage/`.
///
/// Nothing in it remains after the call, unless the process is killed; the next call then starts
/// again.
struct PlacementWork {
  let destination: StoreUnit
  let files: FileSystem
  let control: RunControl
  private let workspace: Workspace

  init(destination: StoreUnit, files: FileSystem, control: RunControl) {
    self.destination = destination
    self.files = files
    self.control = control
    workspace = Workspace(destination: destination.path, files: files)
  }

  var folder: String { workspace.directory }

  /// A path in the folder.
  func path(_ name: String) -> String { "\(workspace.directory)/\(name)" }

  /// Runs `body` under the lock, in an empty folder, and removes both afterwards.
  ///
  /// - Parameters:
  ///   - patience: how long to wait for another process.
  ///   - isDone: called before the work begins and while waiting for another process; if it returns
  ///     a result, that is used and the work is not done.
  ///   - body: the work; it receives access to files relative to the folder.
  /// - Returns: the result, and a warning when the folder could not be removed; what was put in
  ///   place stays.
  /// - Throws: the errors of `body`; `RUN-010` when the other process takes too long, `INS-005`
  ///   when the folder contains the work of a migration, `RUN-050` when it is not Passage's own.
  func run<Result>(
    patience: Duration, isDone: () throws -> Result?, body: (FileSystem) throws -> Result
  ) throws -> (result: Result, left: Diagnostics) {
    let deadline = ContinuousClock.now + patience
    let held = try WorkFolder.hold(workspace.directory, files: files) {
      try control.checkCancellation()
      return try isDone() != nil || ContinuousClock.now >= deadline
    }
    guard let held else {
      if let result = try isDone() { return (result, Diagnostics()) }
      throw MigrationError(
        .locked,
        Diagnostic(
          "RUN-010", "another runner is working on this destination",
          at: SourceLocation(file: workspace.lockPath),
          remedy: "wait until it has ended; the lock ends with it"))
    }
    if try Workspace(destination: destination.path, files: held.files).holdsRun {
      if let result = try isDone() { return (result, Diagnostics()) }
      throw foreignWork
    }
    do {
      if let result = try isDone() { return (result, held.end()) }
      try held.clear()
      try held.checkPlace()
      return (try body(held.files), held.end())
    } catch {
      // An error of the clean-up must not hide the original one.
      _ = held.end()
      throw error
    }
  }

  /// Removes what remains of a call that was killed after it had put its store in place. Does
  /// nothing while another process is at work.
  ///
  /// - Returns: a warning about what could not be removed.
  func removeLeftovers() -> Diagnostics {
    guard let held = try? WorkFolder.holdExisting(workspace.directory, files: files),
      // If the folder cannot be examined, it is left alone.
      (try? Workspace(destination: destination.path, files: held.files).holdsRun) == false
    else { return Diagnostics() }
    return held.end()
  }

  private var foreignWork: MigrationError {
    MigrationError(
      .wrongCall,
      Diagnostic(
        "INS-005", "a migration to this destination was not finished",
        at: SourceLocation(file: workspace.directory),
        remedy: "finish it with the command that began it, or remove the folder"))
  }

  // MARK: Before anything is written

  /// Checks everything that can be refused before the folder is created.
  ///
  /// - Parameters:
  ///   - source: the store that is read.
  ///   - neededBytes: the maximum number of bytes that are written beside the destination.
  func check(source: StoreUnit, neededBytes: Int64) throws {
    guard files.isDirectory(destination.folder) else {
      throw MigrationError(
        .wrongCall,
        NeededFolder.missing(destination.folder, "the destination's folder"))
    }
    try checkIdentity(source)
    let check = DestinationCheck(destination: destination, files: files)
    try check.check(reading: [source])
    try check.checkLogs()
    _ = try WorkFolder.check(workspace.directory, files: files)
    try check.checkSupportFolder(reading: source)
    let free = try files.freeBytes(at: destination.folder)
    // What an interrupted call has left is removed.
    guard
      free >= neededBytes
        || free.saturatingAdd(
          Workspace.leftBytes(ofDestination: destination.path, files: files)) >= neededBytes
    else {
      throw MigrationError(
        .diskTooSmall,
        Diagnostic(
          "RUN-005", "not enough disk space", at: SourceLocation(file: destination.folder),
          reason: "about \(neededBytes) bytes are needed, \(free) are free",
          remedy: "free some disk space, or name a destination on another disk"))
    }
  }

  /// Refuses a destination that is the source itself.
  func checkIdentity(_ source: StoreUnit) throws {
    guard let identity = try files.identity(destination.path),
      try identity == files.identity(source.path)
    else { return }
    throw MigrationError(
      .wrongCall,
      Diagnostic(
        "RUN-001", "the source is given as its own destination",
        at: SourceLocation(file: destination.path), remedy: "name another file"))
  }
}
