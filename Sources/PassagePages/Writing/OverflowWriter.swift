/// Writes the end of a payload that does not fit on its page: a chain of pages
/// (https://www.sqlite.org/fileformat2.html#ovflpgs).
struct OverflowWriter {
  private let file: PageFileWriter
  private let buffer: PageBuffer
  private var page: UInt32
  private var filled = 4
  /// The first page of the chain.
  let head: UInt32

  /// Begins a chain.
  init(file: PageFileWriter, buffer: PageBuffer) throws {
    self.file = file
    self.buffer = buffer
    page = try file.allocate()
    head = page
  }

  /// Appends bytes of the payload.
  mutating func append(_ bytes: UnsafeRawBufferPointer) throws {
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
  mutating func finish() throws {
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
