/// Writes the end of a payload that does not fit on its page: a chain of pages
/// (https://www.sqlite.org/fileformat2.html#ovflpgs).
struct OverflowWriter {
  private let file: PageFileWriter
  private let buffer: PageBuffer
  private var page: UInt32
  private var filled = 4
  private let head: UInt32

  /// Writes a payload that does not fit on its page: its beginning into the cell, the number of
  /// the chain's first page behind that, and the rest into the chain.
  ///
  /// - Parameters:
  ///   - cell: where the payload begins; room for `localBytes` and four more.
  ///   - localBytes: the bytes that stay on the page.
  ///   - forEachPiece: gives the payload piece by piece.
  /// - Returns: the first page of the chain.
  static func write(
    to cell: UnsafeMutableRawPointer, localBytes: Int, file: PageFileWriter, buffer: PageBuffer,
    _ forEachPiece: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) throws -> UInt32 {
    var filled = 0
    var chain = try OverflowWriter(file: file, buffer: buffer)
    try forEachPiece { piece in
      let count = min(piece.count, localBytes - filled)
      if count > 0, let bytes = piece.baseAddress {
        (cell + filled).copyMemory(from: bytes, byteCount: count)
        filled += count
      }
      try chain.append(UnsafeRawBufferPointer(rebasing: piece[count...]))
    }
    try chain.finish()
    (cell + localBytes).setBigUInt32(chain.head, at: 0)
    return chain.head
  }

  /// Begins a chain.
  private init(file: PageFileWriter, buffer: PageBuffer) throws {
    self.file = file
    self.buffer = buffer
    page = try file.allocate()
    head = page
  }

  /// Appends bytes of the payload.
  private mutating func append(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes
    while let start = rest.baseAddress, rest.count > 0 {
      if filled == buffer.byteCount {
        let next = try file.allocate()
        try file.setPointer(to: next, .overflow, from: page)
        try put(next: next)
        page = next
      }
      let count = min(rest.count, buffer.byteCount - filled)
      (buffer.bytes + filled).copyMemory(from: start, byteCount: count)
      filled += count
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Ends the chain.
  private mutating func finish() throws {
    (buffer.bytes + filled).initializeMemory(
      as: UInt8.self, repeating: 0, count: buffer.byteCount - filled)
    try put(next: 0)
  }

  private mutating func put(next: UInt32) throws {
    buffer.bytes.setBigUInt32(next, at: 0)
    try file.put(page, buffer.bytes)
    filled = 4
  }
}
