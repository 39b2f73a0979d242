internal import PassageDiagnostics
internal import PassageEngine
internal import PassageFiles
internal import PassageStores

/// What a restoration finds: the store, and the kept store that is to take its place.
struct RestorationLook {
  private let store: StoreUnit
  /// The metadata of the store; `nil` when nothing is at its path.
  private let metadata: StoreMetadata?
  /// The version of the store, by its version hashes or its last record; `nil` when there is no store.
  let version: String?
  /// Whether the store was written; `nil` when there is none.
  private let state: WrittenStore?
  /// The folder that was named for kept stores; `nil` for the store's own.
  private let namedFolder: String?
  let kept: StoreUnit
  /// The version of the kept store, by its version hashes or records, or else as in its name.
  let keptVersion: String

  init(_ restoration: StoreRestoration, files: FileSystem) throws {
    store = restoration.store
    let folder = restoration.keptStores.folder
    namedFolder = folder == store.folder ? nil : folder
    func find(_ storeUUID: String?) throws -> (path: String, version: String) {
      try KeptStoreSearch(
        keptStores: restoration.keptStores, storeUUID: storeUUID, files: files,
        versionName: restoration.versionName
      ).find(restoration.choice)
    }
    if files.entry(store.path) == nil {
      (metadata, version, state) = (nil, nil, nil)
    } else {
      // Where nothing is kept, nothing need make way: that is told instead.
      let found = try Self.metadata(of: store) { _ = try find(nil) }
      metadata = found
      // A record does not have every character of a name.
      version =
        restoration.versionName(store.path, found.versionHashes)
        ?? Self.recordedVersion(of: found) ?? "unknown"
      let written = try WrittenStore(store, found)
      // An interrupted restoration may have folded the log in.
      let isOnlyFolded =
        try written == .written && restoration.isUnwrittenByMark(files)
      state = isOnlyFolded ? .unchanged : written
    }
    let choice = try find(metadata?.storeUUID)
    (kept, keptVersion) = (StoreUnit(path: choice.path), choice.version)
  }

  /// A store that cannot be read cannot be locked either, so it must make way first.
  ///
  /// - Parameter checkKept: throws where no kept store could take its place.
  private static func metadata(
    of store: StoreUnit, checkKept: () throws -> Void
  ) throws -> StoreMetadata {
    do {
      return try StoreMetadata.read(path: store.path)
    } catch {
      guard ![.locked, .inputOutput, .diskFull, .tooManyOpenFiles].contains(error.kind) else {
        throw error
      }
      try checkKept()
      var diagnostic = error.diagnostic
      diagnostic.remedy =
        "move the store and the files that belong to it away, then run the same command again"
      throw MigrationError(diagnostic)
    }
  }

  var isStoreThere: Bool { metadata != nil }
  /// Whether the store is known not to have been written.
  var isUnwritten: Bool { state == .unchanged }

  /// The version of a store, as its last record names it; `nil` when none does.
  static func recordedVersion(of metadata: StoreMetadata) -> String? {
    if let restored = metadata.restoration, restored.seconds == metadata.lastRecordSeconds {
      return restored.version
    }
    let ledger = metadata.migrationLedger
    guard ledger.leads(to: metadata.versionHashes) else { return nil }
    return ledger.steps.last?.destination
  }

  /// The report of a call that finds its work done: the store is the kept one, put back and not
  /// written since.
  var reportOfEarlierCall: KeptStore.RestorationReport? {
    guard let metadata, state == .unchanged, let restored = metadata.restoration,
      restored.seconds == metadata.lastRecordSeconds, restored.keptName == kept.name,
      let status = try? FileSystem.status(kept.path),
      status.modifiedNanoseconds < StoreMetadata.modifiedNanoseconds(ofRecord: restored.seconds)
    else { return nil }
    return KeptStore.RestorationReport(
      outcome: .alreadyThere, storePath: store.path, keptPath: kept.path, version: keptVersion)
  }

  /// Refuses to replace a store that was written since it was put in place.
  ///
  /// - Throws: `RST-003`.
  func checkChanges(_ discardsChanges: Bool) throws {
    guard let state, state != .unchanged, !discardsChanges else { return }
    throw MigrationError(
      .valuesLost,
      Diagnostic(
        "RST-003",
        state == .written
          ? "the store was written since Passage put it in place"
          : "it cannot be told whether the store was written",
        at: SourceLocation(file: store.path),
        reason: state == .written
          ? "what was written is not in the kept store \(kept.name)"
          : "the store has no record of a migration",
        remedy: "add --discard-changes: the store as it is now is kept "
          + (namedFolder.map { "in \($0)" } ?? "beside it")))
  }
}
