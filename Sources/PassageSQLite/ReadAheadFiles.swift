internal import CSQLite

/// Files of which SQLite reads pages that are near each other: several are read at once, and kept until
/// it asks for them.
///
/// It is for a walk over all pages of a database that nobody changes meanwhile. SQLite's own checks go
/// from the last row of a table to the first, and forwards along the chains in between. What was kept
/// is dropped when SQLite takes a lock, as it begins to read then.
enum ReadAheadFiles {
  /// The bytes that are read at once: about what a core's own cache holds.
  private static let partBytes = 65_536
  /// Headers are shorter. The least page has as many bytes.
  private static let leastBytes = 512
  /// The operation that has an open file shown by a ``FileView``. SQLite's own are below 100
  /// (https://www.sqlite.org/c3ref/c_fcntl_begin_atomic_write.html).
  private static let showOperation: Int32 = 0x5047_5657

  /// Has a connection see its file as a view shows it.
  ///
  /// - Parameter connection: has not read from its file yet, which is one of these files.
  /// - Returns: SQLite's code.
  static func show(_ view: FileView, on connection: OpaquePointer) -> Int32 {
    sqlite3_file_control(
      connection, "main", showOperation, Unmanaged.passUnretained(view).toOpaque())
  }

  static let files: DerivedFiles = DerivedFiles("passage-read-ahead") { files in
    files.szOsFile = Int32(Note.offset + MemoryLayout<Note>.size)
    files.xOpen = { files, path, file, flags, outFlags in
      let code = DerivedFiles.open(files, path, file, flags, outFlags)
      if code == SQLITE_OK, flags & SQLITE_OPEN_MAIN_DB != 0, let file,
        let methods = file.pointee.pMethods
      {
        Note.of(file).initialize(to: Note(methods: methods))
        file.pointee.pMethods = ReadAheadFiles.files.methods(like: methods)
      }
      return code
    }
  } methods: { methods in
    methods.xRead = { file, target, byteCount, offset in
      guard let file, let target else { return SQLITE_IOERR }
      return ReadAheadFiles.read(file, target, Int(byteCount), offset)
    }
    methods.xFileControl = { file, operation, argument in
      guard let file else { return SQLITE_IOERR }
      let note = Note.of(file)
      guard operation == showOperation else {
        return note.pointee.methods.pointee.xFileControl?(file, operation, argument)
          ?? SQLITE_NOTFOUND
      }
      note.pointee.view = argument.map { Unmanaged<FileView>.fromOpaque($0).takeUnretainedValue() }
      return SQLITE_OK
    }
    methods.xLock = { file, kind in
      guard let file else { return SQLITE_IOERR }
      let note = Note.of(file)
      note.pointee.forget()
      return note.pointee.methods.pointee.xLock?(file, kind) ?? SQLITE_IOERR
    }
    methods.xClose = { file in
      guard let file else { return SQLITE_IOERR }
      let note = Note.of(file)
      let methods = note.pointee.methods
      note.pointee.release()
      note.deinitialize(count: 1)
      return methods.pointee.xClose?(file) ?? SQLITE_IOERR
    }
  }

  private static func read(
    _ file: UnsafeMutablePointer<sqlite3_file>, _ target: UnsafeMutableRawPointer,
    _ byteCount: Int, _ offset: Int64
  ) -> Int32 {
    let note = Note.of(file)
    if let view = note.pointee.view, view.show(target, byteCount, offset) { return SQLITE_OK }
    if note.pointee.copy(to: target, byteCount, offset) { return SQLITE_OK }
    if byteCount >= leastBytes {
      if note.pointee.fill(file, near: offset),
        note.pointee.copy(to: target, byteCount, offset)
      {
        return SQLITE_OK
      }
      note.pointee.single = offset..<offset + Int64(byteCount)
    }
    return note.pointee.methods.pointee.xRead?(file, target, Int32(byteCount), offset)
      ?? SQLITE_IOERR
  }

  /// What is kept of an open file. It is behind what SQLite's own file system keeps of it.
  private struct Note {
    /// SQLite's own methods.
    let methods: DerivedFiles.Methods
    /// What was read last, and what was read before it: a chain may begin in one and end in the other.
    var latest = Part()
    var earlier = Part()
    /// The page that was read last by itself.
    var single: Range<Int64> = 0..<0
    /// What is shown of the file; `nil` for the whole as it is.
    var view: FileView?

    init(methods: DerivedFiles.Methods) { self.methods = methods }

    /// Where it begins, aligned.
    static let offset: Int = {
      let alignment = MemoryLayout<Note>.alignment
      let bytes = Int(sqlite3_vfs_find(nil)?.pointee.szOsFile ?? 0)
      return (bytes + alignment - 1) / alignment * alignment
    }()

    static func of(_ file: UnsafeMutablePointer<sqlite3_file>) -> UnsafeMutablePointer<Note> {
      UnsafeMutableRawPointer(file).advanced(by: offset).assumingMemoryBound(to: Note.self)
    }

    mutating func forget() {
      latest.range = 0..<0
      earlier.range = 0..<0
      single = 0..<0
    }

    mutating func release() {
      forget()
      latest.bytes?.deallocate()
      earlier.bytes?.deallocate()
      latest.bytes = nil
      earlier.bytes = nil
    }

    /// Copies bytes that are kept.
    ///
    /// - Returns: whether all of them are.
    func copy(to target: UnsafeMutableRawPointer, _ byteCount: Int, _ offset: Int64) -> Bool {
      latest.copy(to: target, byteCount, offset) || earlier.copy(to: target, byteCount, offset)
    }

    /// Keeps what is before or behind what is known, if an offset is there.
    ///
    /// - Returns: false when nothing is kept. Whoever reads it by itself finds out why.
    mutating func fill(_ file: UnsafeMutablePointer<sqlite3_file>, near offset: Int64) -> Bool {
      guard
        let range = Self.range(beside: latest.range, offset)
          ?? Self.range(beside: earlier.range, offset) ?? Self.range(beside: single, offset)
      else { return false }
      swap(&latest, &earlier)
      latest.range = 0..<0
      var size: sqlite3_int64 = 0
      guard let read = methods.pointee.xRead,
        methods.pointee.xFileSize?(file, &size) == SQLITE_OK, range.lowerBound < size
      else { return false }
      let end = min(range.upperBound, size)
      let target =
        latest.bytes ?? .allocate(byteCount: ReadAheadFiles.partBytes, alignment: 16)
      latest.bytes = target
      guard read(file, target, Int32(end - range.lowerBound), range.lowerBound) == SQLITE_OK else {
        return false
      }
      latest.range = range.lowerBound..<end
      return true
    }

    /// As many bytes as are read at once, before or behind a range.
    private static func range(beside known: Range<Int64>, _ offset: Int64) -> Range<Int64>? {
      guard !known.isEmpty else { return nil }
      let length = Int64(ReadAheadFiles.partBytes)
      let before = max(0, known.lowerBound - length)..<known.lowerBound
      if before.contains(offset) { return before }
      let behind = known.upperBound..<known.upperBound + length
      return behind.contains(offset) ? behind : nil
    }
  }

  /// Bytes that are kept.
  private struct Part {
    /// Room for ``partBytes``; `nil` before the first.
    var bytes: UnsafeMutableRawPointer?
    /// Where they are in the file.
    var range: Range<Int64> = 0..<0

    func copy(to target: UnsafeMutableRawPointer, _ byteCount: Int, _ offset: Int64) -> Bool {
      guard let bytes, offset >= range.lowerBound, offset < range.upperBound,
        Int64(byteCount) <= range.upperBound - offset
      else { return false }
      target.copyMemory(from: bytes + Int(offset - range.lowerBound), byteCount: byteCount)
      return true
    }
  }
}
