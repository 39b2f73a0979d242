package import PassageDiagnostics
package import PassageFiles
package import PassageModels
package import PassagePlatform
internal import PassageSQLite

/// Creates empty, complete stores.
package enum StoreCreator {
  /// Creates an empty store of a model: every table, index and bookkeeping entry, no objects.
  ///
  /// The store is created under a temporary name in the same folder, synced, and renamed. At every
  /// moment `path` has either no file or the complete store.
  ///
  /// - Parameters:
  ///   - model: the model; its layout decides tables and indexes.
  ///   - path: the store's path; its folder must exist.
  ///   - storeUUID: the store's UUID; `nil` for a new one.
  ///   - journalMode: the journal mode of the store.
  /// - Returns: the layout; ``StoreLayout/unsupported`` lists what it leaves out.
  /// - Throws: ``StoreError``: `destinationExists`, `missing` (no such folder), `nameTooLong`,
  ///   `permissionDenied`,
  ///   `diskFull`, `inputOutput`, `modelNotWritable`. Nothing is left behind.
  @discardableResult
  package static func create(
    model: Model, at path: String, storeUUID: UUID? = nil,
    journalMode: StoreBuilder.JournalMode = .wal
  ) throws(StoreError) -> StoreLayout {
    var warnings = Diagnostics()
    return try create(
      model: model, at: path, storeUUID: storeUUID, journalMode: journalMode, warnings: &warnings)
  }

  /// Like ``create(model:at:storeUUID:journalMode:)``, but reports what fails once the store is in
  /// place as a warning.
  ///
  /// - Parameters:
  ///   - model: the model of the store.
  ///   - path: the store's path; nothing may exist there.
  ///   - storeUUID: the store's UUID; `nil` for a new one.
  ///   - journalMode: the journal mode of the store.
  ///   - warnings: receives `RUN-053` if the store's name may not survive a power failure.
  /// - Returns: the layout; ``StoreLayout/unsupported`` lists what it leaves out.
  /// - Throws: the errors of the other method.
  package static func create(
    model: Model, at path: String, storeUUID: UUID? = nil,
    journalMode: StoreBuilder.JournalMode = .wal, warnings: inout Diagnostics
  ) throws(StoreError) -> StoreLayout {
    try create(
      model: model, at: path, storeUUID: storeUUID, journalMode: journalMode, warnings: &warnings,
      files: FileSystem())
  }

  package static func create(
    model: Model, at path: String, storeUUID: UUID? = nil,
    journalMode: StoreBuilder.JournalMode = .wal, warnings: inout Diagnostics, files: FileSystem
  ) throws(StoreError) -> StoreLayout {
    let unit = StoreUnit(path: path)
    if let found = files.entry(path) {
      throw StoreError(
        .destinationExists, path: path,
        detail: found.kind == .file ? nil : "it is a \(found.kind.rawValue)")
    }
    // SQLite would apply the log to the new store.
    for log in [unit.walPath, unit.journalPath] {
      var bytes: Int64 = 0
      try failing(at: log) { bytes = try files.byteCount(log) }
      guard bytes == 0 else {
        throw StoreError(
          .destinationExists, path: log, detail: "it is the log of a store that is not there now")
      }
    }
    do {
      _ = try FileSystem.status(unit.folder)
    } catch {
      throw StoreError(error, path: path)
    }
    try unit.checkName()
    let temporary = StoreUnit(
      path: "\(unit.folder == "/" ? "" : unit.folder)/.passage.\(UUID().uuidString).new")
    defer {
      for path in [temporary.path] + temporary.sidecarPaths { try? files.remove(path) }
    }
    let layout = StoreLayout(model: model)
    try layout.checkWritable(path: path)
    // Where SQLite cannot create a file, it tries to read it, and says why that fails.
    try failing(at: path) {
      try files.makeFile(temporary.path)
      try files.remove(temporary.path)
    }
    try build(
      layout, archive: ModelArchive(model),
      metadata: StoreMetadata(
        storeUUID: (storeUUID ?? UUID()).uuidString, hashes: ModelHashes(model: model),
        versionIdentifiers: model.versionIdentifiers), at: temporary.path,
      journalMode: journalMode)
    try failing(at: path) {
      try files.synchronize(temporary.path)
      try files.moveWithoutReplacing(temporary.path, to: path)
    }
    // The store is in place, so nothing that happens now is a failure.
    warnings.append(contentsOf: unit.synchronizePlacedName(files))
    return layout
  }

  /// Reports the failure of some work as that of a store.
  private static func failing(at path: String, _ work: () throws -> Void) throws(StoreError) {
    do {
      try work()
    } catch let failure as FileSystem.Failure {
      throw StoreError(failure, path: path)
    } catch {
      throw StoreError(.failed, path: path, detail: "\(error)")
    }
  }

  /// Builds the store and closes it.
  private static func build(
    _ layout: StoreLayout, archive: ModelArchive, metadata: StoreMetadata, at path: String,
    journalMode: StoreBuilder.JournalMode
  ) throws(StoreError) {
    let builder = try StoreBuilder(path: path, layout: layout)
    do {
      // No other process uses the file yet, and it is synced as a whole before it is renamed.
      try builder.connection.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
    } catch {
      throw StoreError(error, path: path)
    }
    try builder.createTables()
    try builder.createIndexes()
    try builder.writePrimaryKeys()
    try builder.writeMetadata(metadata)
    try builder.writeModel(archive)
    try builder.createTriggers()
    try builder.finish(journalMode: journalMode)
  }
}
