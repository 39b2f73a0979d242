/// Writes a run through a buffer, inside ``SpillFile/write(_:)``.
struct RunWriter {
  private let file: SpillFile
  private let buffer: UnsafeMutableRawBufferPointer
  private let start: Int64
  private var filled = 0
  private var written: Int64 = 0

  /// - Parameter buffer: memory that lives at least as long as the writer.
  init(_ file: SpillFile, buffer: UnsafeMutableRawBufferPointer) {
    self.file = file
    self.buffer = buffer
    start = file.end
  }

  /// Appends bytes.
  @inline(__always)
  mutating func append(_ bytes: UnsafeRawPointer, byteCount: Int) throws {
    if filled + byteCount > buffer.count { try flush() }
    if byteCount > buffer.count { return try appendLong(bytes, byteCount: byteCount) }
    guard let base = buffer.baseAddress else { return }
    (base + filled).copyMemory(from: bytes, byteCount: byteCount)
    filled += byteCount
  }

  /// Appends a key: its length, then its bytes.
  @inline(__always)
  mutating func append(_ key: UnsafeRawBufferPointer) throws {
    guard let bytes = key.baseAddress, let base = buffer.baseAddress else { return }
    if filled + 9 + key.count > buffer.count { try flush() }
    guard buffer.count >= 9 else { return }
    filled += Varint.write(UInt64(key.count), to: base + filled)
    try append(bytes, byteCount: key.count)
  }

  private mutating func appendLong(_ bytes: UnsafeRawPointer, byteCount: Int) throws {
    try file.append(UnsafeRawBufferPointer(start: bytes, count: byteCount))
    written += Int64(byteCount)
  }

  private mutating func flush() throws {
    try file.append(UnsafeRawBufferPointer(rebasing: buffer[..<filled]))
    written += Int64(filled)
    filled = 0
  }

  /// Writes what is left.
  mutating func finish() throws -> SpilledRun {
    try flush()
    return SpilledRun(offset: start, byteCount: written)
  }
}
