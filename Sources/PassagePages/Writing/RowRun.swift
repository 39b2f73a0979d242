package import PassageFiles

/// Rows that wait in a file for their place in a table, in ascending order of keys: those that come
/// while the table's other rows are written, or another table's.
///
/// The file is a sequence of rows, each with the length of its record, its key and the record.
package final class RowRun {
  /// The bytes before each record: its length, and the row's key.
  fileprivate static let headBytes = 16
  fileprivate static let bufferBytes = 64 << 10

  fileprivate let file: PositionalFile
  private let buffer = RawMemory(byteCount: bufferBytes)
  private var filled = 0
  private var written: Int64
  private var encoder = RecordEncoder()

  /// - Parameter byteCount: the bytes of the file that hold rows already. What is behind them was
  ///   written by a run that was interrupted, and is dropped.
  /// - Throws: ``SpillDamage`` when the file has fewer, or an error of the file.
  package init(_ file: PositionalFile, byteCount: Int64) throws {
    guard byteCount >= 0, try file.byteCount >= byteCount else { throw SpillDamage() }
    try file.truncate(to: byteCount)
    self.file = file
    written = byteCount
  }

  /// Appends a row.
  ///
  /// - Parameters:
  ///   - key: larger than that of the row before.
  ///   - cells: every column but the key's own, in order; NULL in the place of the key.
  package func append(key: Int64, _ cells: UnsafeBufferPointer<CellImage>) throws {
    encoder.measure(cells)
    let byteCount = Self.headBytes + encoder.byteCount
    if byteCount > Self.bufferBytes - filled { try flush() }
    let place = buffer.bytes + filled
    // Records of any length follow each other, so nothing is aligned.
    place.storeBytes(of: Int64(encoder.byteCount), as: Int64.self)
    place.storeBytes(of: key, toByteOffset: 8, as: Int64.self)
    if byteCount <= Self.bufferBytes {
      encoder.write(cells, to: place + Self.headBytes)
      filled += byteCount
      return
    }
    filled += Self.headBytes
    try flush()
    try encoder.forEachPiece(cells, write)
  }

  /// Brings every row into the file, which is not synced.
  ///
  /// - Returns: the bytes that hold rows.
  @discardableResult
  package func flush() throws -> Int64 {
    try write(UnsafeRawBufferPointer(start: buffer.bytes, count: filled))
    filled = 0
    return written
  }

  private func write(_ bytes: UnsafeRawBufferPointer) throws {
    guard !bytes.isEmpty else { return }
    try file.write(bytes, at: written)
    written += Int64(bytes.count)
  }
}

/// Reads the rows of a ``RowRun`` that has been flushed, once, from a place in it.
package final class RowRunReader {
  private let file: PositionalFile
  private let end: Int64
  private var buffer = RawMemory(byteCount: RowRun.bufferBytes)
  /// The part of the buffer that holds bytes of the file and has not been read.
  private var unread = 0..<0
  /// Where the file continues behind the buffer.
  private var next: Int64

  /// - Parameters:
  ///   - place: ``place`` of an earlier reader, or 0.
  /// - Throws: ``SpillDamage`` when the place is not in the file, or an error of the file.
  package init(_ run: RowRun, at place: Int64 = 0) throws {
    file = run.file
    end = try run.flush()
    next = place
    guard (0...end).contains(place) else { throw SpillDamage() }
  }

  /// Where the rows begin that have not been read.
  package var place: Int64 { next - Int64(unread.count) }

  /// Appends rows to their table.
  ///
  /// - Returns: whether there are more.
  /// - Throws: ``KeyOutOfOrder``, ``SpillDamage``, or an error of a file.
  package func append(to writer: TableTreeWriter, rows: Int) throws -> Bool {
    for _ in 0..<rows {
      guard place < end else { return false }
      let head = try take(RowRun.headBytes)
      let byteCount = head.loadUnaligned(as: Int64.self)
      let key = head.loadUnaligned(fromByteOffset: 8, as: Int64.self)
      guard byteCount > 0, byteCount <= end - place else { throw SpillDamage() }
      let record = try take(Int(byteCount))
      try writer.append(
        key: key, record: UnsafeRawBufferPointer(start: record, count: Int(byteCount)))
    }
    return place < end
  }

  /// Takes the next bytes, which are valid until the next call.
  private func take(_ byteCount: Int) throws -> UnsafeRawPointer {
    if byteCount > unread.count { try fill(byteCount) }
    defer { unread = unread.lowerBound + byteCount..<unread.upperBound }
    return UnsafeRawPointer(buffer.bytes + unread.lowerBound)
  }

  /// Brings at least so many unread bytes into the buffer.
  private func fill(_ byteCount: Int) throws {
    let capacity = max(byteCount, RowRun.bufferBytes)
    let target = capacity == buffer.byteCount ? buffer : RawMemory(byteCount: capacity)
    target.bytes.copyMemory(from: buffer.bytes + unread.lowerBound, byteCount: unread.count)
    let count = Int(min(Int64(capacity - unread.count), end - next))
    let read = try file.read(
      into: UnsafeMutableRawBufferPointer(start: target.bytes + unread.count, count: count),
      at: next)
    guard read == count, unread.count + count >= byteCount else { throw SpillDamage() }
    next += Int64(count)
    unread = 0..<unread.count + count
    buffer = target
  }
}
