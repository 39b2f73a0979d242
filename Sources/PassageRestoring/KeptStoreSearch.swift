internal import PassageDiagnostics
internal import PassageEngine
internal import PassageFiles
internal import PassageStores

/// Finds the kept store that a call means.
struct KeptStoreSearch {
  let keptStores: KeptStores
  /// The UUID of the store; `nil` when there is none.
  let storeUUID: String?
  let files: FileSystem
  let versionName: StoreRestoration.VersionName

  /// - Returns: its path, and the version that its version hashes or its records name, or else its own name.
  /// - Throws: `RST-001` when there is none, `RST-002` when it is another store, `StoreError` when
  ///   it cannot be read.
  func find(_ choice: KeptStore.Choice) throws -> (path: String, version: String) {
    let all = try keptStores.all(storeUUID: storeUUID)
    let found: KeptStore?
    switch choice {
    case .newest: found = try all.first { try $0.reason == .before && isUsable($0) }
    case .named(let name):
      let path = files.resolved(name)
      found =
        all.first { $0.path == name || $0.path == path || StoreUnit(path: $0.path).name == name }
        ?? kept(ofVersion: name, among: all)
      if found == nil, files.entry(path) != nil {
        return (path, try version(of: check(path), at: path) ?? "unknown")
      }
    }
    guard let found else { throw missing(choice, all) }
    return (found.path, try version(of: check(found.path), at: found.path) ?? found.version)
  }

  /// The version of a store; `nil` when neither its version hashes nor its records name it.
  private func version(of metadata: StoreMetadata, at path: String) -> String? {
    versionName(path, metadata.versionHashes) ?? RestorationLook.recordedVersion(of: metadata)
  }

  /// The newest kept store of a version. Names of kept stores do not tell “r/1” from “r-1”, so that the stores
  /// are asked.
  private func kept(ofVersion name: String, among all: [KeptStore]) -> KeptStore? {
    let recorded = MigrationLedger.recordedName(name)
    let named = all.filter { kept in
      [name, recorded].contains {
        kept.version == KeptName(kept.reason, version: $0).version
          || kept.version == keptStores.name(kept.reason, version: $0).version
      }
    }
    let versions = named.map { kept in
      (try? StoreMetadata.read(path: kept.path)).flatMap { version(of: $0, at: kept.path) }
    }
    let place =
      versions.firstIndex(of: name) ?? versions.firstIndex(of: recorded)
      ?? versions.firstIndex(of: nil)
    if let place {
      return named[place]
    }
    // A name with this character is that of a version, and not a part of the name of a file.
    return name.contains("/") ? nil : named.first
  }

  /// Whether a kept store can be put back. One that could not be read is read once more: where the system
  /// fails again, an older one is not taken in its place.
  ///
  /// - Throws: `StoreError` where the system fails.
  private func isUsable(_ kept: KeptStore) throws -> Bool {
    switch kept.obstacle {
    case nil: return true
    case .otherStore: return false
    case .unreadable:
      do throws(StoreError) {
        let found = try StoreMetadata.read(path: kept.path).storeUUID
        return storeUUID == nil || found == storeUUID
      } catch {
        if error.isOfSystem { throw error }
        return false
      }
    }
  }

  /// Refuses a file that is not a store, or that is another one.
  ///
  /// - Returns: the metadata of the store.
  @discardableResult
  private func check(_ path: String) throws -> StoreMetadata {
    let metadata = try StoreMetadata.read(path: path)
    let store = keptStores.store
    let isItself =
      try files.identity(path) != nil && files.identity(path) == files.identity(store.path)
    guard isItself || storeUUID.map({ $0 != metadata.storeUUID }) == true else { return metadata }
    throw MigrationError(
      .wrongCall,
      Diagnostic(
        "RST-002", "the file is not an old store of \(store.name)",
        at: SourceLocation(file: path),
        reason: isItself ? "it is the store itself" : "it has another UUID",
        remedy: "name one of those that are kept: \(keptStores.listCommand)"))
  }

  private func missing(_ choice: KeptStore.Choice, _ all: [KeptStore]) -> MigrationError {
    let name = keptStores.store.name
    let place = SourceLocation(file: keptStores.folder)
    let found = Self.names(all)
    let elsewhere = "name the folder with --backup-dir, or a copy of the store with --from FILE"
    let diagnostic: Diagnostic
    switch choice {
    case .newest where all.contains(where: { $0.reason == .before }):
      diagnostic = Diagnostic(
        "RST-001", "no old store of \(name) that is kept can be put back", at: place,
        reason: "they cannot be read, or have another UUID: "
          + Self.names(all.filter { $0.reason == .before }),
        remedy: elsewhere)
    case .newest where !all.isEmpty:
      diagnostic = Diagnostic(
        "RST-001", "no store of \(name) that a migration has replaced is kept", at: place,
        reason: "those that are kept were replaced by an old one: \(found)",
        remedy: "name one of them (--from NAME)")
    case .newest:
      diagnostic = Diagnostic(
        "RST-001", "no old store of \(name) is kept", at: place, remedy: elsewhere)
    case .named(let wanted):
      diagnostic = Diagnostic(
        "RST-001", "no old store “\(wanted)” of \(name) is kept", at: place,
        reason: all.isEmpty ? nil : "kept are \(found)",
        remedy: all.isEmpty ? elsewhere : "name one of them (--from NAME)")
    }
    return MigrationError(.wrongCall, diagnostic)
  }

  private static func names(_ stores: [KeptStore]) -> String {
    stores.prefix(20).map { StoreUnit(path: $0.path).name }.joined(separator: ", ")
  }
}
