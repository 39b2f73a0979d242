internal import PassageFiles

/// The latest pages of a write-ahead log (https://www.sqlite.org/fileformat2.html#walformat), which
/// take the place of those in the file.
///
/// Memory: 8 bytes for each distinct page while it is used, up to 24 while the log is read, and 12
/// for each frame of the longest transaction.
final class LogOverlay: Sendable {
  private let path: String
  private let file: PositionalFile
  private let header: LogHeader
  private let end: LogScan.Place
  /// The pages in ascending order, each with the number of its latest frame in the low half.
  private let entries: [UInt64]

  /// - Parameter path: of the log.
  /// - Returns: `nil` when there is none, or one without a whole transaction.
  /// - Throws: ``Unsoundness`` for a log of an unknown version, or the error of the file.
  init?(path: String) throws {
    guard let file = try Self.open(path), let header = try LogHeader.read(file) else { return nil }
    var entries: [UInt64] = []
    var distinct = 0
    let end = try LogScan(file: file, header: header).end(after: nil) { pages, first in
      for (index, page) in pages.enumerated() {
        entries.append(UInt64(page) << 32 | UInt64(first + UInt32(index)))
      }
      // Pages that are there twice are sorted out when they may be half of all.
      if entries.count > 2 * distinct + 1_024 { distinct = Self.keepLatest(&entries) }
    }
    guard let end else { return nil }
    _ = Self.keepLatest(&entries)
    self.path = path
    self.file = file
    self.header = header
    self.end = end
    self.entries = entries
  }

  private static func open(_ path: String) throws -> PositionalFile? {
    do {
      return try PositionalFile(path, mode: .reading)
    } catch {
      if error.isMissing { return nil }
      throw error
    }
  }

  /// Sorts the entries and keeps the last of each page.
  ///
  /// - Returns: how many are left.
  private static func keepLatest(_ entries: inout [UInt64]) -> Int {
    entries.sort()
    var kept = 0
    for index in entries.indices {
      let isLast = index + 1 == entries.count || entries[index + 1] >> 32 != entries[index] >> 32
      guard isLast else { continue }
      entries[kept] = entries[index]
      kept += 1
    }
    entries.removeLast(entries.count - kept)
    return kept
  }

  var pageBytes: Int { header.pageBytes }
  /// The frames up to the end of the last transaction.
  var frameCount: UInt32 { end.frameCount }
  /// What each of them repeats.
  var salts: UInt64 { header.salts }
  /// The size of the database in pages, after the last transaction.
  var databasePages: UInt32 { end.databasePages }
  /// How many distinct pages the log holds.
  var pageCount: Int { entries.count }

  /// The latest frame of a page; `nil` when the log does not hold the page.
  func frame(of page: UInt32) -> UInt32? {
    let wanted = UInt64(page) << 32
    var start = 0
    var end = entries.count
    while start < end {
      let middle = (start + end) / 2
      if entries[middle] < wanted { start = middle + 1 } else { end = middle }
    }
    guard start < entries.count, entries[start] >> 32 == UInt64(page) else { return nil }
    return UInt32(truncatingIfNeeded: entries[start])
  }

  /// Reads a page.
  ///
  /// - Parameter frame: of ``frame(of:)``.
  /// - Throws: ``Unsoundness/logChanged`` when the frame has been written again since.
  func read(_ page: UInt32, in frame: UInt32, into target: UnsafeMutableRawPointer) throws {
    let offset = header.offset(ofFrame: frame)
    let count = try file.read(
      into: UnsafeMutableRawBufferPointer(start: target, count: pageBytes),
      at: offset + Int64(LogHeader.frameHeaderBytes))
    // A writer writes the frame's header before the page: when the header still is the old one
    // after the page was read, so was the page.
    guard count == pageBytes, try isFrame(frame, of: page) else { throw Unsoundness.logChanged }
  }

  private func isFrame(_ frame: UInt32, of page: UInt32) throws -> Bool {
    var words: (UInt64, UInt64) = (0, 0)
    let count = try withUnsafeMutableBytes(of: &words) {
      try file.read(into: $0, at: header.offset(ofFrame: frame))
    }
    return count == 16 && UInt64(bigEndian: words.0) >> 32 == UInt64(page)
      && UInt64(bigEndian: words.1) == header.salts
  }

  /// The header of the database, if the log holds the first page.
  func fileHeader() throws -> FileHeader? {
    guard let frame = frame(of: 1) else { return nil }
    let buffer = PageBuffer(byteCount: pageBytes)
    try read(1, in: frame, into: buffer.bytes)
    return try FileHeader(buffer.contents)
  }

  /// Whether the log is the same, and no transaction has been appended to it.
  func isCurrent() throws -> Bool {
    guard let file = try Self.open(path), try LogHeader.read(file) == header else { return false }
    return try LogScan(file: file, header: header).end(after: end) { _, _ in } == end
  }
}
