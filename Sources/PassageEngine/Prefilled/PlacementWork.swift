internal import PassageDiagnostics
internal import PassageStores

/// The folder beside a destination in which a store is made before it is put there, and its lock:
/// `<destination>.passage/`.
///
/// Nothing in it outlives the call, save when the process is killed: then the next call begins anew.
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

  /// Does work under the lock, in an empty folder, and takes both away.
  ///
  /// - Parameters:
  ///   - patience: how long another process is waited for.
  ///   - isDone: asked before the work begins and while another process is waited for; what it gives
  ///     takes the work's place.
  /// - Throws: what the work throws; `RUN-010` when the other process takes too long, `INS-005` when
  ///   the folder holds the work of a migration.
  func run<Result>(
    patience: Duration, isDone: () throws -> Result?, body: () throws -> Result
  ) throws -> Result {
    let deadline = ContinuousClock.now + patience
    let lock = try files.lock("lock", inFolder: workspace.directory) {
      try control.checkCancellation()
      return try isDone() != nil || ContinuousClock.now >= deadline
    }
    guard let lock else {
      if let result = try isDone() { return result }
      throw MigrationError(
        .locked,
        Diagnostic(
          "RUN-010", "another runner is working on this destination",
          at: SourceLocation(file: workspace.lockPath),
          remedy: "wait until it has ended; the lock ends with it"))
    }
    defer {
      end()
      withExtendedLifetime(lock) {}
    }
    if let result = try isDone() { return result }
    try checkForeignWork()
    try workspace.clear()
    return try body()
  }

  /// Takes away what a call has left that was killed after its end; nothing while another process is
  /// at work.
  func removeLeftovers() {
    guard files.isDirectory(workspace.directory), !workspace.holdsRun,
      let lock = try? files.lock(workspace.lockPath)
    else { return }
    end()
    withExtendedLifetime(lock) {}
  }

  private func checkForeignWork() throws {
    guard workspace.holdsRun else { return }
    throw MigrationError(
      .wrongCall,
      Diagnostic(
        "INS-005", "a migration to this destination was begun and not finished",
        at: SourceLocation(file: workspace.directory),
        remedy: "finish it with migrate run, or remove the folder"))
  }

  /// What cannot be removed is left for the next call: the result stands, and no failure is hidden.
  private func end() {
    guard !workspace.holdsRun else { return }
    try? workspace.clear()
    try? files.remove(workspace.lockPath)
    // Another process may have made the folder its own.
    try? files.removeEmptyDirectory(workspace.directory)
  }

  // MARK: Before anything is written

  /// What can be found wrong with a call before the folder is made.
  ///
  /// - Parameters:
  ///   - neededBytes: how much is written beside the destination at most.
  func check(source: StoreUnit, neededBytes: Int64) throws {
    guard files.isDirectory(destination.folder) else {
      throw MigrationError(
        .wrongCall,
        Diagnostic(
          "RUN-003", "the destination's folder does not exist",
          at: SourceLocation(file: destination.folder), remedy: "make the folder first"))
    }
    try checkIdentity(source)
    if files.isDirectory(source.supportPath),
      files.resolved(source.supportPath) == resolvedSupportPath
    {
      throw MigrationError(
        .wrongCall,
        Diagnostic(
          "STO-315", "the destination would share the source's folder of external data",
          at: SourceLocation(file: destination.path),
          reason: "both names without their extension are the same, and "
            + "\(destination.supportPath) is named after them",
          remedy: "give the destination another name"))
    }
    let free = try files.freeBytes(at: destination.folder)
    guard free >= neededBytes else {
      throw MigrationError(
        .diskTooSmall,
        Diagnostic(
          "RUN-005", "not enough room on the disk", at: SourceLocation(file: destination.folder),
          reason: "about \(neededBytes) bytes are needed, \(free) are free",
          remedy: "free some room, or name a destination on another disk"))
    }
  }

  /// Refuses a destination that is the source itself.
  func checkIdentity(_ source: StoreUnit) throws {
    guard let identity = files.identity(destination.path),
      identity == files.identity(source.path)
    else { return }
    throw MigrationError(
      .wrongCall,
      Diagnostic(
        "RUN-001", "the source is given as its own destination",
        at: SourceLocation(file: destination.path), remedy: "name another file"))
  }

  /// Where the destination's folder of external data is or would be.
  private var resolvedSupportPath: String {
    let path = destination.supportPath
    let name = StoreUnit(path: path).name
    let folder = files.resolved(destination.folder)
    return files.exists(path) ? files.resolved(path) : "\(folder == "/" ? "" : folder)/\(name)"
  }
}
