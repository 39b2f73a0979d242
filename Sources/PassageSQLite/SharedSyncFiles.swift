internal import CSQLite
internal import PassagePlatform

/// Files that become durable together with others: where SQLite syncs a file, ``SharedSyncs``
/// decides how.
enum SharedSyncFiles {
  static let files: DerivedFiles = DerivedFiles("passage-shared-syncs") { files in
    files.szOsFile = Int32(Note.offset(files.szOsFile) + MemoryLayout<Note>.size)
    files.xOpen = { files, path, file, flags, outFlags in
      guard let standard = sqlite3_vfs_find(nil) else { return SQLITE_CANTOPEN }
      let code = DerivedFiles.open(files, path, file, flags, outFlags)
      if code == SQLITE_OK, let file, let methods = file.pointee.pMethods {
        // SQLite keeps the path until the file is closed (https://www.sqlite.org/c3ref/vfs.html).
        Note.of(file, standard).initialize(to: Note(path: path, methods: methods))
        file.pointee.pMethods = SharedSyncFiles.files.methods(like: methods)
      }
      return code
    }
    files.xDelete = { _, path, isFolderSynced in
      guard let standard = sqlite3_vfs_find(nil), let delete = standard.pointee.xDelete else {
        return SQLITE_IOERR
      }
      guard isFolderSynced != 0, let path, let syncs = SharedSyncs.current else {
        return delete(standard, path, isFolderSynced)
      }
      let code = delete(standard, path, 0)
      guard code == SQLITE_OK else { return code }
      return result(syncs.synchronizeFolder(String(cString: path)), else: SQLITE_IOERR | 5 << 8)
    }
  } methods: { methods in
    methods.xSync = { file, flags in
      guard let file, let standard = sqlite3_vfs_find(nil) else { return SQLITE_IOERR }
      let note = Note.of(file, standard).pointee
      guard let sync = note.methods.pointee.xSync else { return SQLITE_IOERR }
      guard let path = note.path, let syncs = SharedSyncs.current else { return sync(file, flags) }
      var code = SQLITE_IOERR | 4 << 8
      let number = syncs.synchronize(String(cString: path)) {
        code = sync(file, flags)
        return code == SQLITE_OK ? 0 : EIO
      }
      return result(number, else: code)
    }
  }

  /// The result of a sync: `code` if it has failed. SQLite then asks for the system's error.
  private static func result(_ number: Int32, else code: Int32) -> Int32 {
    guard number != 0 else { return SQLITE_OK }
    errno = number
    return code
  }

  /// What is known about an open file. It is behind what SQLite's own file system keeps of the file.
  private struct Note {
    /// `nil` for a file without a name.
    var path: UnsafePointer<CChar>?
    /// SQLite's own methods.
    var methods: DerivedFiles.Methods

    /// Where it begins, aligned, behind so many bytes.
    static func offset(_ bytes: Int32) -> Int {
      let alignment = MemoryLayout<Note>.alignment
      return (Int(bytes) + alignment - 1) / alignment * alignment
    }

    static func of(
      _ file: UnsafeMutablePointer<sqlite3_file>, _ standard: UnsafePointer<sqlite3_vfs>
    ) -> UnsafeMutablePointer<Note> {
      UnsafeMutableRawPointer(file).advanced(by: offset(standard.pointee.szOsFile))
        .assumingMemoryBound(to: Note.self)
    }
  }
}
