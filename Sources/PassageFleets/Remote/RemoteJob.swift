internal import PassageDiagnostics
package import PassageEngine
package import PassageFiles
internal import PassagePlatform

/// The migration of one store that is not a file here: it is fetched to a scratch folder, migrated
/// there, looked at once more, and published if what is there is still what was fetched.
///
/// Until the command that publishes is run nothing has changed but the scratch folder, and that
/// command changes everything or nothing. So wherever a run is interrupted, what is there is the
/// whole old or the whole new store, and the next run finds out which.
package struct RemoteJob: Sendable {
  private let ways: FleetWays
  private let commands: TransferCommands
  private let scratch: RemoteScratch
  private let group: SyncGroup
  private let files: FileSystem

  /// - Parameters:
  ///   - ways: their options must say that no old store is kept.
  ///   - group: whose slots are given back while commands run.
  package init(
    ways: FleetWays, commands: TransferCommands, scratch: RemoteScratch, group: SyncGroup
  ) {
    self.ways = ways
    self.commands = commands
    self.scratch = scratch
    self.group = group
    // Nothing in the scratch folder must survive a power failure, but the engine does not know.
    files = FileSystem(syncs: group)
  }

  /// - Parameters:
  ///   - name: the store's name.
  ///   - notes: is told the size and the way as soon as they are known.
  /// - Throws: ``MigrationError``.
  package func run(
    _ name: String, control: RunControl, notes: inout StoreNotes
  ) throws -> MigrationReport {
    do {
      return try scratch.withFolder { folder in
        try run(name, in: folder, control, &notes)
      }
    } catch {
      throw MigrationError(error, store: name)
    }
  }

  private func run(
    _ name: String, in folder: String, _ control: RunControl, _ notes: inout StoreNotes
  ) throws -> MigrationReport {
    let store = RemoteStore(
      name: name, commands: commands,
      command: TransferCommand(
        environment: commands.environment, timeLimit: commands.timeLimit, files: files,
        folder: folder, lock: scratch.lock),
      control: control)
    let found = try group.withoutSlot { try store.state() }
    if isAtVersion(found) { return upToDate(name) }
    let place = "\(folder)/store"
    guard try files.makeNewDirectory(place) else {
      throw FileSystem.Failure(operation: .makeDirectory, path: place, errorNumber: EEXIST)
    }
    let path = "\(place)/\(Self.fileName(of: name))"
    try group.withoutSlot { try store.fetch(to: path, found) }
    notes.bytes = try files.byteCount(path)
    let job = StoreJob(ways: ways, places: .inPlace, files: files)
    var report = try job.run(path, control: control, notes: &notes)
    (report.sourcePath, report.destinationPath) = (name, name)
    guard report.outcome == .migrated else { return report }
    guard try job.isDone(path) else { throw Self.notDone(name) }
    try control.checkCancellation()
    let isPublished = try group.withoutSlot { try publish(store, path, over: found) }
    return isPublished ? report : upToDate(name)
  }

  /// - Returns: `false` if another run has published the version that is asked for.
  private func publish(
    _ store: RemoteStore, _ path: String, over found: RemoteStore.State
  ) throws -> Bool {
    let publication = try store.publish(path, over: found, version: ways.versionMark ?? "")
    let now = try store.state(isPublished: true)
    switch publication {
    case .done:
      guard now.mark != found.mark else { throw Self.notPublished(store.name) }
      return true
    case .conflict:
      if isAtVersion(now) { return false }
      throw Self.conflict(store.name)
    }
  }

  /// Whether what is there says that it was published with the version that is asked for. With mapping
  /// models the store's own record decides.
  private func isAtVersion(_ found: RemoteStore.State) -> Bool {
    guard ways.options.isAnsweredByVersion, let version = found.version else { return false }
    return version == ways.versionMark
  }

  private func upToDate(_ name: String) -> MigrationReport {
    MigrationReport(
      outcome: .upToDate, sourcePath: name, destinationPath: name, warnings: Diagnostics())
  }

  /// The last part of a name, as the name of a file: the folder of a store's external data is named
  /// after it.
  static func fileName(of name: String) -> String {
    let last = name.split(separator: "/").last.map(String.init) ?? ""
    return ["", ".", ".."].contains(last) || last.utf8.count > 200 ? "store" : last
  }

  // MARK: Refusals

  private static func notDone(_ name: String) -> MigrationError {
    MigrationError(
      Diagnostic(
        "FLT-079", "the migrated store is not what the call asks for",
        at: SourceLocation(file: name), reason: "it would have to be migrated again",
        remedy: "this is a bug: report it"),
      diskState: "nothing was published")
  }

  private static func conflict(_ name: String) -> MigrationError {
    MigrationError(
      Diagnostic(
        "FLT-080", "something else is stored now than was fetched",
        at: SourceLocation(file: name),
        reason: "the command of --publish exited with \(TransferCommands.conflictStatus)",
        remedy: "run the same command again: it fetches what is there now"),
      diskState: "nothing was published")
  }

  private static func notPublished(_ name: String) -> MigrationError {
    MigrationError(
      Diagnostic(
        "FLT-081", "the command of --publish ended well, but nothing has changed",
        at: SourceLocation(file: name),
        reason: "the command of --exists prints the same mark as before",
        remedy: "let --publish put the store where --exists looks, and --exists print a mark that "
          + "differs for every content"),
      diskState: "what was stored before is still there")
  }
}
