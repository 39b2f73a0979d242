package import PassageDiagnostics
package import PassageFiles
package import PassageModels
package import PassageStores

/// Checks a destination path before anything is written there.
package struct DestinationCheck {
  private let destination: StoreUnit
  private let files: FileSystem

  package init(destination: StoreUnit, files: FileSystem = FileSystem()) {
    self.destination = destination
    self.files = files
  }

  /// Refuses names that are too long or those of another store's files, a destination that belongs to a store that is only read, and one
  /// beside which something is that no store can have there.
  ///
  /// - Parameter sources: every store that the call names.
  /// - Throws: `RUN-060` when the destination belongs to one of the stores, `STO-161` when its name
  ///   is too long, `RUN-096` when it is that of another store's log or journal, `RUN-002` when a folder
  ///   has the name of one of SQLite's files, `STO-316` when a source has external data and something
  ///   else has the name of their folder.
  package func check(reading sources: [StoreUnit]) throws {
    try checkLength(isResolved: false)
    // That a name is one of a store that is read says more than that it is one of any store.
    for source in sources { try checkOverlap(with: source) }
    try checkForeignName()
    try checkSidecars()
    for source in sources where files.isDirectory(source.supportPath) {
      try ExternalTransfer.checkFolder(destination.supportPath, files: files)
    }
  }

  /// Refuses a path at which no new, empty store can be, for the same reasons.
  ///
  /// - Parameter model: of the store. If it has attributes whose values may be in files, the store will have a
  ///   folder of external data.
  /// - Throws: `STO-161`, `RUN-096`, `RUN-002`, `STO-316` and `STO-315`.
  package func check(creating model: Model) throws {
    try checkNames()
    try checkSidecars()
    try checkLogs()
    guard
      model.entities.contains(where: {
        $0.attributes.contains(where: \.allowsExternalBinaryDataStorage)
      })
    else { return }
    try ExternalTransfer.checkFolder(destination.supportPath, files: files)
    try checkNamesakes()
  }

  private func checkSidecars() throws {
    for path in destination.sidecarPaths where files.entry(path)?.kind == .directory {
      throw MigrationError(.wrongCall, OccupiedPlace.folderOfSidecar(path))
    }
  }

  /// Refuses a free path beside which SQLite's log of another store is. Its store may come back, and the log may
  /// have the only copy of what was written last; beside the result, SQLite would apply it to that.
  ///
  /// - Throws: `RUN-002`.
  package func checkLogs() throws {
    guard try !files.exists(destination.path) else { return }
    for path in [destination.walPath, destination.journalPath] where try files.byteCount(path) > 0 {
      throw MigrationError(.wrongCall, OccupiedPlace.logWithoutStore(path))
    }
  }

  /// Refuses a destination whose folder of external data is the source's or that of a database beside it: an
  /// app that uses one store would remove files that the other refers to.
  ///
  /// - Throws: `STO-315`.
  package func checkSupportFolder(reading source: StoreUnit) throws {
    guard files.isDirectory(source.supportPath) else { return }
    if try files.identity(source.supportPath) == files.identity(destination.supportPath) {
      throw sharedFolder(with: source.path, whose: "the source's")
    }
    try checkNamesakes()
  }

  private func checkNamesakes() throws {
    guard try mayHaveNamesake else { return }
    for name in try files.names(in: destination.folder) {
      let other = StoreUnit(path: "\(destination.folder)/\(name)")
      guard other.name != destination.name, other.supportPath == destination.supportPath,
        KeptStores.isDatabase(other.path)
      else { continue }
      throw sharedFolder(with: other.path, whose: "another store's")
    }
  }

  /// Whether a file beside the destination may have its name before the extension. A folder that takes the
  /// results of a fleet is not listed for each of them.
  private var mayHaveNamesake: Bool {
    get throws {
      // The folder's name is a dot, the stem and an end.
      let stem = StoreUnit(path: destination.supportPath).name.dropFirst().dropLast(
        "_SUPPORT".count)
      // Some file systems take several spellings of other letters for one name.
      guard let known = files.stems, stem.utf8.allSatisfy({ $0 < 0x80 }) else { return true }
      let had = try known.hadOrAdded("\(stem).", in: destination.folder)
      return try had || files.exists("\(destination.folder)/\(stem)")
    }
  }

  private func sharedFolder(with other: String, whose owner: String) -> MigrationError {
    MigrationError(
      .wrongCall,
      Diagnostic(
        "STO-315", "the destination would share \(owner) folder of external data",
        at: SourceLocation(file: destination.path),
        reason: "\(other) has the same name without its extension, after which "
          + "\(destination.supportPath) is named",
        remedy: "give the destination another name"))
  }

  /// Refuses a name that is too long for the names derived from it, and one that SQLite gives a file of
  /// another store.
  ///
  /// - Parameter isResolved: whether no symbolic link is on the destination's path, which is absolute.
  /// - Throws: `STO-161`, `RUN-096`.
  package func checkNames(isResolved: Bool = false) throws {
    try checkLength(isResolved: isResolved)
    try checkForeignName()
  }

  private func checkLength(isResolved: Bool) throws {
    // The end of a work folder's name is as long as the longest one that SQLite adds.
    try destination.checkName(
      suffix: ".passage", deepest: ".passage/migrated.sqlite.passage/step-9/pass-99.sqlite",
      isResolved: isResolved)
  }

  private func checkForeignName() throws {
    if let refusal = foreignName { throw MigrationError(.wrongCall, refusal) }
  }

  /// That the destination has the name of the log or the journal of another store, which SQLite removes, or
  /// applies, when that store is opened: `RUN-096`; `nil` for any other name. The file system is only asked
  /// about a name that ends so.
  package var foreignName: Diagnostic? {
    guard let name = SidecarName(destination.path), files.entry(name.owner)?.kind == .file,
      KeptStores.isDatabase(name.owner),
      name.isExact || (try? files.ignoresCase(beside: name.owner)) == true
    else { return nil }
    return Diagnostic(
      "RUN-096", "the name is that of a file of another store",
      at: SourceLocation(file: destination.path),
      reason: "SQLite keeps \(name.part) of \(name.owner) under it, and removes or applies what is "
        + "there when that store is opened",
      remedy: "use another name")
  }

  /// Refuses a destination that is part of a store's unit, or beside which a file would be created
  /// or removed that is part of one.
  package func checkOverlap(with source: StoreUnit) throws {
    guard
      let overlap = try StoreOverlap(writing: destination, reading: source, files: files)
    else { return }
    let part =
      switch overlap.part {
      case .store: "the store \(overlap.path) that is read"
      case .log: "\(overlap.path), where SQLite keeps the log of a store that is read"
      case .index: "\(overlap.path), where SQLite keeps the index of a log"
      case .journal: "\(overlap.path), where SQLite keeps the journal of a store that is read"
      case .externalData: "\(overlap.path), the folder of external data of a store that is read"
      case .work: "\(overlap.path), the work folder of a store that is read"
      }
    throw MigrationError(
      .wrongCall,
      Diagnostic(
        "RUN-060", "the destination belongs to a store that is being read",
        at: SourceLocation(file: destination.path),
        reason: overlap.written == destination.path
          ? "it is \(part)"
          : "\(overlap.written), which belongs to it, is \(part)",
        remedy: "name another file, in another folder if possible"))
  }
}

/// A path that ends as those of the files that SQLite keeps beside a store.
package struct SidecarName: Sendable, Hashable {
  /// The store's path.
  package let owner: String
  /// What SQLite keeps there, in words.
  package let part: String
  /// Whether the end is spelled as SQLite does. Where a folder ignores case, any other spelling is the same name.
  package let isExact: Bool

  /// - Returns: `nil` for a path with another end.
  package init?(_ path: String) {
    let bytes = path.utf8
    for (end, part) in Self.ends {
      let found = String(decoding: bytes.suffix(end.utf8.count), as: UTF8.self)
      guard found.lowercased().utf8.elementsEqual(end.utf8) else { continue }
      owner = String(decoding: bytes.dropLast(end.utf8.count), as: UTF8.self)
      self.part = part
      isExact = found.utf8.elementsEqual(end.utf8)
      return
    }
    return nil
  }

  private static let ends = [
    ("-wal", "the log"), ("-shm", "the index of the log"), ("-journal", "the journal"),
  ]
}
