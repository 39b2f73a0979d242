internal import PassageDiagnostics
internal import PassageEngine
internal import PassageFiles
internal import PassagePlatform
internal import PassagePrefilled
internal import PassageSQLite
internal import PassageStores

/// The part of a restoration that runs under the lock.
struct RestorationRun {
  private let restoration: StoreRestoration
  /// Relative to the work folder.
  private let files: FileSystem
  private let control: RunControl
  private let workspace: Workspace

  init(_ restoration: StoreRestoration, files: FileSystem, control: RunControl) {
    self.restoration = restoration
    self.files = files
    self.control = control
    workspace = Workspace(destination: restoration.store.path, files: files)
  }

  private var store: StoreUnit { restoration.store }

  /// Refuses a store of which a migration was interrupted, because its work would be lost.
  ///
  /// - Throws: `RST-004`.
  func refuseUnfinishedMigration() throws {
    guard try workspace.holdsRun else { return }
    throw MigrationError(
      .wrongCall,
      Diagnostic(
        "RST-004", "a migration of the store was not finished",
        at: SourceLocation(file: workspace.directory),
        remedy: "finish it with the command that began it, or remove the folder"))
  }

  /// - Parameter hasFolded: set to whether the log of the store was folded into its file, wholly or
  ///   partly.
  func perform(in folder: WorkFolder, hasFolded: inout Bool) throws -> KeptStore.RestorationReport {
    try removeInterruptedBackups()
    // The mark stays until the next one takes its place.
    for path in unfinishedPaths { try files.remove(path) }
    try folder.checkPlace()
    // What is written after the look must not be lost, so the files are looked at before it.
    let seen = Result { try StoreFingerprint(path: store.path) }
    // What was seen without the lock may have changed.
    let found = try RestorationLook(restoration, files: files)
    if let report = found.reportOfEarlierCall { return report }
    try found.checkChanges(restoration.discardsChanges)
    let fingerprint = found.isStoreThere ? try seen.get() : nil
    try DestinationCheck(destination: store, files: files).checkLogs()
    try checkDisk(found.kept)
    if found.isStoreThere, FileSystem.isHeldByStickyBit(store.path) {
      throw FileSystem.Failure(operation: .rename, path: store.path, errorNumber: EPERM)
    }
    let (finished, staleIndexes) = try makeCopy(of: found)
    var report = KeptStore.RestorationReport(
      outcome: .restored, storePath: store.path, keptPath: found.kept.path,
      version: found.keptVersion, replacedVersion: found.version)
    var transfer = ExternalTransfer(files: files, temporary: temporaryPath)
    try transfer.transfer(from: found.kept, to: store)
    let missing = try missingFiles(of: finished, keptPath: found.kept.path)
    try control.checkCancellation()
    control.enter(.cutOver)
    try folder.checkPlace()
    var cutOver = CutOver(files: files, keepsWork: false)
    defer { hasFolded = cutOver.hasFolded }
    if let fingerprint {
      let replaced = try restoration.keptStores.next(.after, version: found.version ?? "")
      try cutOver.replace(
        store, with: finished, backup: replaced, fingerprint: fingerprint, workspace: workspace,
        isUnwritten: found.isUnwritten)
      report.replacedPath = replaced
    } else {
      try cutOver.place(finished, at: store.path, template: found.kept.path, support: nil)
    }
    report.warnings = Diagnostics(
      staleIndexes + missing + transfer.warnings.all + cutOver.warnings.all)
    return report
  }

  /// Compares the references of the copy with the files of external data that it will have.
  private func missingFiles(of finished: String, keptPath: String) throws -> [Diagnostic] {
    guard let model = restoration.storedModel(finished),
      let report = try StoreFile.open(path: finished).externalData(
        of: model, in: store.externalDataPath, isCancelled: { [control] in control.shouldStop }),
      !report.isComplete
    else { return [] }
    return report.missingFiles(
      isRefused: false, at: keptPath,
      remedy: "look for them in a backup, and put them into \(store.externalDataPath)")
  }

  /// Removes what an interrupted call has kept of a store that is still in its place.
  private func removeInterruptedBackups() throws {
    for path in try restoration.keptStores.names(.after).map(restoration.keptStores.path)
    where try workspace.isLeftByCutOver(path, of: store) {
      try files.remove(path)
    }
  }

  /// The copy of the kept store.
  private var copy: StoreUnit { StoreUnit(path: workspace.directory + "/bundle.sqlite") }
  /// A file of external data while it is copied.
  private var temporaryPath: String { workspace.directory + "/copy" }
  /// What an interrupted call may have left.
  private var unfinishedPaths: [String] { [copy.path] + copy.sidecarPaths + [temporaryPath] }

  /// Whether stores are kept that were written before this one, which removing them would not touch.
  private func others(than kept: StoreUnit) -> Bool {
    let all = (try? restoration.keptStores.all(storeUUID: nil)) ?? []
    return all.count > 1 && all.first?.path == kept.path
  }

  private func checkDisk(_ kept: StoreUnit) throws {
    let (needed, overflow) = kept.totalBytes.addingReportingOverflow(1 << 20)
    let free = try files.freeBytes(at: store.folder)
    guard overflow || free < needed else { return }
    throw MigrationError(
      .diskTooSmall,
      Diagnostic(
        "RUN-005", "not enough disk space", at: SourceLocation(file: store.folder),
        reason: "about \(needed) bytes are needed, \(free) are free",
        remedy: "free some disk space"
          + (others(than: kept)
            ? ", for instance: "
              + restoration.keptStores.pruneCommand(keeping: 1) : "")))
  }

  /// Checks the copy of a kept store.
  ///
  /// - Returns: `RST-005` where only indexes differ from their tables. No object is missing then, programs
  ///   used the store so before it was migrated, and it may be the only way back.
  private func check(_ kept: StoreUnit) throws -> [Diagnostic] {
    let (findings, isDamaged) = try checkCopy()
    if findings.isEmpty { return [] }
    let detail = findings.prefix(3).joined(separator: "\n")
    if isDamaged { throw StoreError(.damaged, path: kept.path, detail: detail) }
    // Such values keep the index from being built again. Where that cannot be tried, SQLite's words for them count.
    let isRepeated =
      try IndexTrial(path: copy.path, control: control).findsEqualValues()
      ?? findings.contains { $0.hasPrefix("non-unique") }
    return [
      Diagnostic(
        "RST-005", "indexes of the store differ from its tables", severity: .warning,
        at: SourceLocation(file: kept.path),
        reason: "it was put back as it was kept, and a query may miss objects: \(detail)",
        remedy: isRepeated
          ? "give objects with equal values others, or remove all but one, and build the indexes again "
            + "(REINDEX)"
          : "have SQLite build them again while no program has the store open: "
            + ShellText.command(["sqlite3", store.path, "REINDEX"]))
    ]
  }

  /// Opens the copy to check it, and closes it.
  private func checkCopy() throws -> (findings: [String], isDamaged: Bool) {
    let opened = try StoreFile.open(path: copy.path)
    let findings = try opened.fullCheck()
    return (findings, try !findings.isEmpty && !opened.quickCheck(limit: 1).isEmpty)
  }

  /// Makes the store that is put in place: a checked copy of the kept one, with a record.
  private func makeCopy(
    of found: RestorationLook
  ) throws -> (path: String, findings: [Diagnostic]) {
    control.enter(.copy)
    try StoreImage(files: files, control: control).make(of: found.kept, at: copy.path)
    control.enter(.verify)
    let findings = try check(found.kept)
    let now = Date().timeIntervalSinceReferenceDate
    do {
      let connection = try Connection(path: copy.path, mode: .readWrite)
      try connection.execute("PRAGMA synchronous = OFF")
      let record = RestorationRecord(
        seconds: now, toolVersion: PassageVersion.current, version: found.keptVersion,
        replacedVersion: found.version, keptName: found.kept.name)
      try StoreMetadata.read(connection, path: copy.path).recording(record)
        .replace(on: connection)
      try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    for path in copy.sidecarPaths { try files.remove(path) }
    try files.setModificationTimeIfPossible(
      copy.path, nanoseconds: StoreMetadata.modifiedNanoseconds(ofRecord: now))
    return (copy.path, findings)
  }
}
