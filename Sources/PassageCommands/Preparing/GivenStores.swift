internal import Passage
internal import PassageFiles

/// The stores that a call names for reading. A model may be a store, too.
struct GivenStores {
  private let units: [StoreUnit]

  /// - Parameter paths: the paths as given; a path that is not a file is not a store.
  init(_ paths: [String]) throws {
    let files = FileSystem()
    units = try paths.map { StoreUnit(path: $0) }.filter {
      try files.exists($0.path) && !files.isDirectory($0.path)
    }
  }

  /// Refuses a destination that belongs to one of them. A text that is read may be written again.
  ///
  /// - Throws: ``MigrationError`` with `RUN-060`.
  func check(destination path: String) throws {
    let check = DestinationCheck(destination: StoreUnit(path: path))
    for unit in units {
      let isItself = try FileSystem().identity(path) == FileSystem().identity(unit.path)
      if try !isItself || Self.isStore(unit.path) { try check.checkOverlap(with: unit) }
    }
  }

  private static func isStore(_ path: String) throws -> Bool {
    try FileSystem.prefix(path, count: 15) == Array("SQLite format 3".utf8)
      || CommandContext.storeTypes.type(ofFileAt: path) != nil
  }

  /// Refuses to empty a folder that contains one of them.
  ///
  /// - Throws: ``MigrationError`` with `RUN-060`.
  func check(emptying folder: String) throws {
    for unit in units
    where try StoreOverlap.isInside(unit.path, folder: folder, files: FileSystem()) {
      throw MigrationError(
        .wrongCall,
        Diagnostic(
          "RUN-060", "the destination belongs to a store that is being read",
          at: SourceLocation(file: unit.path),
          reason: "this command creates and removes \(folder)",
          remedy: "move the store to another folder"),
        diskState: "nothing was written")
    }
  }
}
