package import PassageFiles

/// Reads the pages of a database that SQLite has made.
///
/// Whoever reads holds a read transaction of SQLite all the while: it keeps the pages as they are.
/// The order is: make the reader, begin the transaction, ask ``isCurrent()``. When it says yes,
/// what the reader reads is what the transaction sees, until the transaction ends.
///
/// The file is opened before the transaction and closed after it, also when no reader can be made of
/// it: closing a file drops all locks that the process holds on it
/// (https://www.sqlite.org/howtocorrupt.html, section 2.2), and then nothing keeps the pages. Whoever
/// has the database open already therefore keeps the file that it gives to the reader.
///
/// A reader does not change, so that threads may share it.
package final class PageReader: Sendable {
  /// The most pages that are read by page: a bit is kept for each.
  package static let largestPageCount = 1 << 28

  package let geometry: PageGeometry
  /// The pages of the database, those in the log included.
  package let pageCount: UInt32
  /// How many pages the log holds.
  package var loggedPageCount: Int { log?.pageCount ?? 0 }

  private let logPath: String?
  private let file: any PageStorage
  /// The whole pages in the file itself.
  private let filePages: UInt32
  private let log: LogOverlay?
  private let stamp: Stamp
  /// Counts what is read, for tests.
  private let reads: (counts: PageReads, path: String)?

  /// What changes when the database does.
  private struct Stamp: Equatable {
    let header: [UInt8]
    let fileBytes: Int64
  }

  /// Opens a database.
  ///
  /// - Parameters:
  ///   - path: of the database.
  ///   - logPath: of its write-ahead log, which need not exist; `nil` to look for none.
  /// - Throws: ``Unsoundness`` when the file is not to be read by pages, or the error of the file.
  package convenience init(path: String, logPath: String? = nil) throws {
    try self.init(PositionalFile(path, mode: .reading), logPath: logPath)
  }

  /// Reads a database that is open already.
  ///
  /// - Parameters: as of ``init(path:logPath:)``.
  /// - Throws: ``Unsoundness`` when the file is not to be read by pages, or the error of the file.
  package convenience init(_ file: PositionalFile, logPath: String?) throws {
    try self.init(file as any PageStorage, logPath: logPath)
  }

  /// Opens a database that has no log, such as one in memory.
  ///
  /// - Throws: ``Unsoundness`` when it is not to be read by pages, or the error of the storage.
  package convenience init(_ storage: any PageStorage) throws {
    try self.init(storage, logPath: nil)
  }

  private init(_ storage: any PageStorage, logPath: String?) throws {
    self.logPath = logPath
    file = storage
    reads = PageReads.current.flatMap { counts in
      (storage as? PositionalFile).map { (counts, $0.path) }
    }
    stamp = try Self.stamp(of: file)
    let overlay = try logPath.flatMap { try LogOverlay(path: $0) }
    log = overlay
    let header: FileHeader
    do {
      header = try overlay?.fileHeader() ?? stamp.header.withUnsafeBytes { try FileHeader($0) }
    } catch let damage as PageDamage {
      throw Unsoundness.header(damage.problem)
    }
    geometry = header.geometry
    guard header.textEncoding == 1 else { throw Unsoundness.textEncoding(header.textEncoding) }
    guard header.schemaFormat <= 4 else { throw Unsoundness.schemaFormat(header.schemaFormat) }

    let pageBytes = Int64(geometry.pageBytes)
    let wholePages = stamp.fileBytes / pageBytes
    filePages = UInt32(clamping: wholePages)
    let count: Int64
    if let overlay {
      guard header.version == 2 else {
        throw Unsoundness.log("has frames, but the database is not in WAL mode")
      }
      guard overlay.pageBytes == geometry.pageBytes else {
        throw Unsoundness.log("has another page size than the database")
      }
      count = Int64(overlay.databasePages)
      // Memory is taken for each page. The page of the lock bytes may be in neither of them.
      let possible = wholePages + Int64(overlay.pageCount) + 1
      guard count <= possible else {
        throw Unsoundness.log("claims \(count) pages, but file and log have \(possible - 1)")
      }
    } else if header.pageCount > 0 {
      count = Int64(header.pageCount)
      guard count <= wholePages else {
        throw Unsoundness.pageCount(header: header.pageCount, file: wholePages)
      }
    } else {
      // A library before 3.7.0 wrote last: the file's size is what counts.
      guard stamp.fileBytes % pageBytes == 0 else { throw Unsoundness.partialPage }
      count = wholePages
    }
    guard count <= Int64(Self.largestPageCount) else { throw Unsoundness.tooManyPages(count) }
    pageCount = UInt32(count)
  }

  private static func stamp(of file: any PageStorage) throws -> Stamp {
    var header = [UInt8](repeating: 0, count: FileHeader.byteCount)
    let count = try header.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
    return Stamp(header: Array(header.prefix(count)), fileBytes: try file.byteCount)
  }

  /// Whether the log ends where its index says that it does. The index lacks a transaction that is
  /// being committed: whoever reads through SQLite does not see it yet.
  ///
  /// - Parameters:
  ///   - frames: of the log, by its index.
  ///   - salts: what each of them repeats.
  package func logEnds(after frames: UInt32, salts: UInt64) -> Bool {
    guard let log else { return frames == 0 }
    return log.frameCount == frames && log.salts == salts
  }

  /// Whether file and log are as they were when the reader was made.
  ///
  /// It is asked at the beginning of the read transaction. Later, writers may append to the log:
  /// the reader does not see that, and neither does the transaction.
  package func isCurrent() throws -> Bool {
    guard try Self.stamp(of: file) == stamp else { return false }
    guard let logPath else { return true }
    if let log { return try log.isCurrent() }
    return try LogOverlay(path: logPath) == nil
  }

  // MARK: Pages

  /// Checks that a page may be part of a tree or of a chain.
  ///
  /// - Parameter parent: the page that leads to it, for the error.
  func check(_ page: UInt32, from parent: UInt32) throws(PageDamage) {
    // Page 1 can only be a root: nothing leads to it.
    guard page > 1 || page == parent, page > 0, page <= pageCount else {
      throw PageDamage(page: parent, "leads to page \(page) of \(pageCount)")
    }
    guard geometry.isUsable(page) else {
      throw PageDamage(page: parent, "leads to page \(page), which cannot be part of a tree")
    }
    guard page <= filePages || log?.frame(of: page) != nil else {
      throw PageDamage(page: parent, "leads to page \(page), which is beyond the end of the file")
    }
  }

  /// Whether ``check(_:from:)`` accepts a page.
  func isReadable(_ page: UInt32) -> Bool {
    page > 1 && page <= pageCount && geometry.isUsable(page)
      && (page <= filePages || log?.frame(of: page) != nil)
  }

  /// Reads adjacent pages.
  ///
  /// - Parameters:
  ///   - first: the first of them, which has been checked, as has the last.
  ///   - target: room for all of them. A page in between that does not exist is left as zeros.
  func read(_ first: UInt32, count: Int, into target: UnsafeMutableRawPointer) throws {
    if let reads { reads.counts.note(first, count: count, of: reads.path) }
    guard let log else { return try readFile(first, count: count, into: target) }
    var done = 0
    while done < count {
      let page = first + UInt32(done)
      let place = target + done * geometry.pageBytes
      if let frame = log.frame(of: page) {
        try log.read(page, in: frame, into: place)
        done += 1
        continue
      }
      var end = done + 1
      while end < count, log.frame(of: first + UInt32(end)) == nil { end += 1 }
      try readFile(page, count: end - done, into: place)
      done = end
    }
  }

  /// Reads what ``TreePageHeader`` looks at of a page: a copy of less memory.
  ///
  /// - Parameter page: has been checked.
  func readHeader(of page: UInt32, into target: UnsafeMutableRawPointer) throws {
    if log?.frame(of: page) != nil { return try read(page, count: 1, into: target) }
    if let reads { reads.counts.note(page, count: 1, of: reads.path) }
    try readFile(page, byteCount: FileHeader.byteCount + TreePageHeader.byteCount, into: target)
  }

  private func readFile(_ first: UInt32, count: Int, into target: UnsafeMutableRawPointer) throws {
    try readFile(first, byteCount: count * geometry.pageBytes, into: target)
  }

  private func readFile(
    _ first: UInt32, byteCount wanted: Int, into target: UnsafeMutableRawPointer
  ) throws {
    let done = try file.read(
      into: UnsafeMutableRawBufferPointer(start: target, count: wanted),
      at: geometry.offset(of: first))
    guard done < wanted else { return }
    let missing = first + UInt32(done / geometry.pageBytes)
    guard missing > filePages else {
      throw PageDamage(page: missing, "was cut off while the file was read")
    }
    (target + done).initializeMemory(as: UInt8.self, repeating: 0, count: wanted - done)
  }
}
