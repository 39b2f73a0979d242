internal import PassageFiles
internal import PassageSQLite

extension StoreError {
  /// The failure of the first statements on a store's connection.
  ///
  /// SQLite reports "cannot open" for a file that it may not read, and for nearly everything that is
  /// wrong with a file beside it. What that is, the files tell.
  init(opening unit: StoreUnit, _ error: SQLiteError) {
    self.init(error, path: unit.path)
    // The first statements are valid in every database, so an error comes from the file.
    if error.isStatementError { (kind, detail) = (.damaged, error.message) }
    // What the system has said of them needs no guess.
    if error.isTooManyOpenFiles || error.isDiskFull { return }
    guard error.isCannotOpen || error.isReadOnly, FileSystem.isReadable(unit.path) else { return }
    // SQLite's files are beside the store itself, not beside a link to it.
    let unit = StoreUnit(path: FileSystem().resolved(unit.path))
    let mayWrite = Self.mayWriteSidecars(of: unit)
    if let link = unit.sidecarPaths.first(where: { FileSystem().entry($0)?.kind == .link }) {
      kind = .sidecarNotAFile
      detail = "\(link) is a symbolic link, and SQLite follows none there"
      remedy = "put the file to which it leads in its place: that may have changes of the store"
    } else if error.isRollbackNeeded {
      kind = .unfinishedTransaction
    } else if error.isCannotOpen, let version = Self.unknownVersion(ofLog: unit) {
      kind = .damaged
      detail = "its log, \(unit.walPath), has the format \(version), which SQLite does not read"
      remedy = "restore a backup, or open the store with a program that reads this log"
    } else if !mayWrite {
      kind = StoreFile.walBytes(of: unit) > 0 ? .walInReadOnlyFolder : .permissionDenied
    } else {
      // A file beside the store cannot be made for another reason, such as an error of the disk.
      kind = error.isCannotOpen ? .inputOutput : .permissionDenied
    }
  }

  /// Whether this user may make the files beside a store, and write to those that are there.
  private static func mayWriteSidecars(of unit: StoreUnit) -> Bool {
    FileSystem.isWritable(unit.folder)
      && unit.sidecarPaths.allSatisfy {
        (try? FileSystem.linkStatus($0)) == nil || FileSystem.isWritable(file: $0)
      }
  }

  /// The version of a log's format if it is not the one that there is
  /// (https://www.sqlite.org/fileformat2.html#walformat).
  private static func unknownVersion(ofLog unit: StoreUnit) -> UInt32? {
    guard let start = try? FileSystem.prefix(unit.walPath, count: 8), start.count == 8 else {
      return nil
    }
    func number(_ offset: Int) -> UInt32 {
      start[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }
    let version = number(4)
    return number(0) & ~1 == 0x377F_0682 && version != 3_007_000 ? version : nil
  }
}
