package import PassageDiagnostics
package import PassageFiles
package import PassageStores

/// Gives a store the files of external data of its source: a second name for each file where the
/// file system supports links, otherwise a copy that is read back and compared.
///
/// All files are transferred, whether or not an object refers to them. Repeating a transfer changes
/// nothing, so an interrupted one is completed by the next run.
package struct ExternalTransfer {
  private let files: FileSystem
  /// Warnings about entries that are neither a file nor a folder.
  package private(set) var warnings = Diagnostics()

  /// Core Data's folder has one level; a deeper tree was not made by Core Data.
  private static let maximumDepth = 16

  /// Where a copy is made before it gets its final name.
  private let temporary: String

  /// Whether a file may be shared with the source under a second name.
  private let isLinking: Bool
  /// Which files are transferred, by name.
  private let isTaken: (String) throws -> Bool

  /// - Parameters:
  ///   - temporary: a path on the file system of the destination; an existing file is replaced.
  ///   - isLinking: whether a file may be shared with the source under a second name; otherwise
  ///     each file is copied.
  ///   - isTaken: decides by its name whether a file is transferred.
  package init(
    files: FileSystem, temporary: String, isLinking: Bool = true,
    isTaken: @escaping (String) throws -> Bool = { _ in true }
  ) {
    self.files = files
    self.temporary = temporary
    self.isLinking = isLinking
    self.isTaken = isTaken
  }

  /// Transfers the whole folder; does nothing when the source has none.
  ///
  /// - Throws: `STO-316` when a different file has the name of one, or something that is no folder that of a
  ///   folder, `STO-317` when a copy differs from its original.
  package mutating func transfer(from source: StoreUnit, to destination: StoreUnit) throws {
    guard try files.exists(source.supportPath) else { return }
    let folder = try files.found(source.supportPath)
    guard folder.identity != files.entry(destination.supportPath)?.identity else { return }
    guard folder.kind == .directory else { return leaveOut(source.supportPath) }
    try checkPlaces(source.supportPath, to: destination.supportPath, depth: 0)
    try transferFolder(source.supportPath, to: destination.supportPath, depth: 0)
  }

  /// Refuses a place of a folder of external data where something else is. A link would not be followed when
  /// the data are read.
  ///
  /// - Throws: `STO-316`.
  package static func checkFolder(_ path: String, files: FileSystem) throws {
    guard let found = files.entry(path), found.kind != .directory else { return }
    throw MigrationError(
      .wrongCall,
      Diagnostic(
        "STO-316", "a \(found.kind.rawValue) has the name of a folder of external data",
        at: SourceLocation(file: path), remedy: "move it away, then run the same command again"))
  }

  private func isEmpty(_ folder: String) throws -> Bool {
    var isEmpty = true
    try FileSystem.forEachName(in: folder) { _ in isEmpty = false }
    return isEmpty
  }

  /// Refuses a folder in which a different file has the name of one, before anything is added to it.
  private func checkPlaces(_ source: String, to destination: String, depth: Int) throws {
    try Self.checkFolder(destination, files: files)
    guard depth < Self.maximumDepth, try files.exists(destination) else { return }
    try FileSystem.forEachName(in: source) { name in
      let (original, copy) = ("\(source)/\(name)", "\(destination)/\(name)")
      switch try FileSystem.linkStatusIfThere(original)?.kind {
      case .file?: if try isTaken(name) { _ = try isTransferred(original, to: copy) }
      case .directory?: try checkPlaces(original, to: copy, depth: depth + 1)
      case .other?, nil: break
      }
    }
  }

  private mutating func transferFolder(
    _ source: String, to destination: String, depth: Int
  ) throws {
    guard depth < Self.maximumDepth else { return leaveOut(source) }
    try Self.checkFolder(destination, files: files)
    // A folder without anything may be one that an interrupted call has just made.
    try files.makeDirectory(destination)
    if try isEmpty(destination) { try copyPermissions(of: source, to: destination) }
    var folders: [String] = []
    var others: [String] = []
    try FileSystem.forEachName(in: source) { name in
      // A name that is not UTF-8, or that was removed in the meantime, has no status.
      switch try FileSystem.linkStatusIfThere("\(source)/\(name)")?.kind {
      case .file?:
        guard try isTaken(name) else { return }
        try transferFile("\(source)/\(name)", to: "\(destination)/\(name)")
      case .directory?: folders.append(name)
      case .other?, nil: if others.count < 20 { others.append(name) }
      }
    }
    for name in others { leaveOut("\(source)/\(name)") }
    for name in folders {
      try transferFolder("\(source)/\(name)", to: "\(destination)/\(name)", depth: depth + 1)
    }
    try files.synchronizeDirectory(destination)
  }

  /// Whether a file is at its place already.
  ///
  /// - Throws: `STO-316` when a different one is.
  private func isTransferred(_ source: String, to destination: String) throws -> Bool {
    guard try files.exists(destination) else { return false }
    guard try FileSystem.haveEqualContents(source, destination) else {
      throw MigrationError(
        .wrongCall,
        Diagnostic(
          "STO-316", "a different file has the name of a file of external data",
          at: SourceLocation(file: destination),
          remedy:
            "move away the folder that contains the file, then run the same command again"))
    }
    return true
  }

  private func transferFile(_ source: String, to destination: String) throws {
    if try isTransferred(source, to: destination) { return }
    guard isLinking else { return try copyFile(source, to: destination) }
    do {
      try files.link(source, to: destination)
      guard try files.identity(source) == files.identity(destination) else {
        throw differs(destination)
      }
    } catch is FileSystem.Failure {
      try copyFile(source, to: destination)
    }
  }

  private func copyFile(_ source: String, to destination: String) throws {
    // An interrupted copy never has the final name.
    try files.remove(temporary)
    try files.copy(source, to: temporary)
    try files.synchronize(temporary)
    guard try FileSystem.haveEqualContents(source, temporary) else { throw differs(destination) }
    try copyPermissions(of: source, to: temporary)
    try files.rename(temporary, to: destination)
  }

  /// A store that gets the place or the permissions of another has its files and folders as that one has them;
  /// one that is installed or packed is the runner's.
  private func copyPermissions(of source: String, to destination: String) throws {
    if isLinking {
      try files.copyPermissions(of: source, to: destination)
    } else {
      try files.copyPermissions(of: source, toWritable: destination)
    }
  }

  private func differs(_ path: String) -> MigrationError {
    MigrationError(
      .verificationFailed,
      Diagnostic(
        "STO-317", "a copied file of external data differs from the original",
        at: SourceLocation(file: path), remedy: "check the disk, then run the same command again"))
  }

  private mutating func leaveOut(_ path: String) {
    warnings.append(
      Diagnostic(
        "STO-320", "an entry of the folder of external data is left out", severity: .warning,
        at: SourceLocation(file: path),
        reason:
          "it is neither a file nor one of Core Data's folders, and a symbolic link is not followed",
        remedy:
          "if values are missing, replace the entry by the files themselves; otherwise no action "
          + "is needed"))
  }
}
