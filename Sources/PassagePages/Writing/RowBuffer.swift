/// Rows that wait for the writer of their table: each as the cell of a leaf.
///
/// A thread that does not have the writer fills it.
package struct RowBuffer: Sendable {
  /// The bytes before each cell: its own number of bytes, the position of the program that made the
  /// row, and the row's key.
  static let headBytes = 16

  /// The rows, one after the other.
  fileprivate let bytes: [UInt8]
  package let rowCount: Int

  package var byteCount: Int { bytes.count }

  /// Calls `body` with each row's key, and the position of the program that made it.
  func forEachKey(_ body: (_ program: Int, _ key: Int64) -> Void) {
    bytes.withUnsafeBytes { bytes in
      var place = 0
      while place + Self.headBytes <= bytes.count {
        body(
          Int(bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)),
          bytes.loadUnaligned(fromByteOffset: place + 8, as: Int64.self))
        place += Self.headBytes + Int(bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
      }
    }
  }

  init(_ memory: UnsafeRawBufferPointer, rowCount: Int) {
    bytes = Array(memory)
    self.rowCount = rowCount
  }
}

/// A row does not fit a leaf, or the rows of a range are more than wait in memory.
struct RowTooLong: Error {}

/// Memory for the rows of a range, which is used again.
final class RowMemory {
  /// A range with more is left to the writer's thread.
  private static let mostBytes = 4 << 20
  private static let firstBytes = 256 << 10

  private let longestPayload: Int
  private var memory = RawMemory(byteCount: firstBytes)
  private var used = 0
  private var rowCount = 0

  /// - Parameter longestPayload: that fits the leaves of the table.
  init(longestPayload: Int) { self.longestPayload = longestPayload }

  /// Appends a row whose record has been put together.
  ///
  /// - Parameter program: the position of the program that made it.
  /// - Returns: false when it does not fit a leaf, or the rows are too many to wait.
  @inline(never)
  func append(key: Int64, program: Int, _ parts: RecordParts) -> Bool {
    let head = parts.head(key: key)
    let before = parts.type - head.start
    guard head.payload <= longestPayload,
      let cell = makeRoom(key: key, program: program, cellBytes: before + parts.valueBytes)
    else { return false }
    parts.copyCell(from: head.start, to: cell)
    return true
  }

  /// Makes room for a row.
  ///
  /// - Returns: where its cell goes; `nil` when the rows are too long to wait.
  @inline(__always)
  private func makeRoom(
    key: Int64, program: Int, cellBytes: Int
  ) -> UnsafeMutableRawPointer? {
    let end = used &+ RowBuffer.headBytes &+ cellBytes
    if end > memory.byteCount, !grow(to: end) { return nil }
    let place = memory.bytes + used
    // Cells of any length follow each other, so nothing is aligned.
    place.storeBytes(of: UInt32(truncatingIfNeeded: cellBytes), as: UInt32.self)
    place.storeBytes(of: UInt32(truncatingIfNeeded: program), toByteOffset: 4, as: UInt32.self)
    place.storeBytes(of: key, toByteOffset: 8, as: Int64.self)
    used = end
    rowCount &+= 1
    return place + RowBuffer.headBytes
  }

  @inline(never)
  private func grow(to byteCount: Int) -> Bool {
    guard byteCount <= Self.mostBytes else { return false }
    let larger = RawMemory(byteCount: min(Self.mostBytes, max(byteCount, 2 * memory.byteCount)))
    larger.bytes.copyMemory(from: memory.bytes, byteCount: used)
    memory = larger
    return true
  }

  /// Takes the rows out.
  func take() -> RowBuffer {
    defer { removeAll() }
    return RowBuffer(
      UnsafeRawBufferPointer(start: memory.bytes, count: used), rowCount: rowCount)
  }

  func removeAll() {
    used = 0
    rowCount = 0
  }
}

extension TableTreeWriter {
  /// Appends rows.
  ///
  /// - Throws: ``KeyOutOfOrder``, or an error of the file.
  package func append(_ rows: RowBuffer) throws {
    try rows.bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      var place = 0
      while place + RowBuffer.headBytes <= bytes.count {
        let cellBytes = Int(start.loadUnaligned(fromByteOffset: place, as: UInt32.self))
        let key = start.loadUnaligned(fromByteOffset: place + 8, as: Int64.self)
        place += RowBuffer.headBytes
        try append(
          key: key, cell: UnsafeRawBufferPointer(rebasing: bytes[place..<place + cellBytes]))
        place += cellBytes
      }
    }
  }
}
