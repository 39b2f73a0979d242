internal import PassageDiagnostics
package import PassageEngine
package import PassageFiles
package import PassageModels
package import PassageStores

/// Puts a kept store back in place of the store that replaced it. The library and the command line
/// both use it.
///
/// The kept store is copied as a unit, with the transactions in its log and its files of external
/// data; the copy is checked, gets a record of the restoration, and takes the store's place by the
/// cut-over of a migration in place. If the call is interrupted, the path has the whole store of
/// before or the whole kept one, and repeating the call completes it. The kept store stays where it
/// is, and the store that is replaced is kept as `<name>.after-<version>`.
package struct StoreRestoration: Sendable {
  package let store: StoreUnit
  let keptStores: KeptStores
  let choice: KeptStore.Choice
  let discardsChanges: Bool
  let versionName: VersionName
  let storedModel: StoredModel
  private let files: FileSystem

  /// The name of the version of a store at a path with these version hashes; `nil` when it is not known.
  package typealias VersionName =
    @Sendable (_ path: String, _ hashes: [String: [UInt8]]) -> String?

  /// The model that the store at a path contains; `nil` for none.
  package typealias StoredModel = @Sendable (_ path: String) -> Model?

  /// How long to wait for another process that works on the store.
  private static let patience = Duration.milliseconds(500)

  /// Describes a restoration; nothing is read until it runs.
  ///
  /// - Parameters:
  ///   - storePath: the store whose place the kept one takes.
  ///   - choice: which kept store is put back.
  ///   - folder: where its old stores are kept; `nil` for its own folder.
  ///   - discardsChanges: whether a store that was written since it was put in place is replaced.
  ///   - storedModel: tells which values are in files of their own.
  ///   - versionName: names the version of a copy, whose own name does not.
  package init(
    storePath: String, choice: KeptStore.Choice, folder: String? = nil,
    discardsChanges: Bool = false, files: FileSystem = FileSystem(),
    storedModel: @escaping StoredModel = { _ in nil },
    versionName: @escaping VersionName = { _, _ in nil }
  ) {
    // SQLite places a store's log beside the file itself, not beside a link to it.
    store = StoreUnit(path: files.resolved(storePath))
    keptStores = KeptStores(of: store, folder: folder, files: files)
    self.choice = choice
    self.discardsChanges = discardsChanges
    self.versionName = versionName
    self.storedModel = storedModel
    self.files = files
  }

  /// Runs the restoration on the calling thread.
  ///
  /// - Throws: ``MigrationError``: of kind `wrongCall` when no such store is kept (`RST-001`,
  ///   `RST-002`) or a migration of the store is unfinished (`RST-004`), of kind `valuesLost` when
  ///   the store was written since it was put in place (`RST-003`), of kind `locked` when it is in
  ///   use.
  package func run(control: RunControl) throws -> KeptStore.RestorationReport {
    let started = ContinuousClock.now
    do {
      try InterruptedCutOver.rollBack(storePath: store.path, files: files)
      var report = try perform(control)
      report.seconds = started.duration(to: .now) / .seconds(1)
      return report
    } catch {
      var result = Failure(sourcePath: store.path, workspace: "", keepsWork: false)
        .migrationError(MigrationError(error, store: store.path, elsewhere: nil))
      let state =
        files.entry(store.path) == nil
        ? "there is no store" : "the store has the same objects as before"
      result.diskState = "\(state), and the kept stores are unchanged"
      throw result
    }
  }

  /// Whether the mark of an interrupted restoration says that the store was not written.
  func isUnwrittenByMark(_ files: FileSystem) throws -> Bool {
    guard let mark = try Workspace.markLeft(of: store, files: files),
      files.entry(store.path) != nil
    else { return false }
    return try mark.isUnwritten(StoreFingerprint(path: store.path))
  }

  private func perform(_ control: RunControl) throws -> KeptStore.RestorationReport {
    control.enter(.prepare)
    try DestinationCheck(destination: store, files: files).checkNames()
    let found = try RestorationLook(self, files: files)
    var left = Diagnostics()
    // A call may have been interrupted between the cut-over and the clean-up.
    if try !isUnwrittenByMark(files) {
      left = FinishedWork.remove(
        destinationPath: store.path, storePath: store.path, files: files)
    }
    if var report = found.reportOfEarlierCall {
      report.warnings.append(contentsOf: left)
      return report
    }
    // Whether the store was written is asked under the lock: another call may be folding its log in.
    let workspace = Workspace(destination: store.path, files: files)
    let deadline = ContinuousClock.now + Self.patience
    let folder = try WorkFolder.hold(workspace.directory, files: files) {
      try control.checkCancellation()
      return ContinuousClock.now >= deadline
    }
    guard let folder else { throw Contention.isLocked(workspace.lockPath) }
    let run = RestorationRun(self, files: folder.files, control: control)
    try run.refuseUnfinishedMigration()
    var hasFolded = false
    do {
      var report = try run.perform(in: folder, hasFolded: &hasFolded)
      report.warnings.append(contentsOf: folder.end())
      control.enter(.finished)
      return report
    } catch {
      // The mark tells the next call that nothing but the folding has changed the store. An error of
      // the clean-up must not hide the first one.
      if !hasFolded { _ = folder.end() }
      throw error
    }
  }
}
