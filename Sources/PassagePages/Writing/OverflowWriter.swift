/// Writes the end of a payload that does not fit on its page: a chain of pages
/// (https://www.sqlite.org/fileformat2.html#ovflpgs).
struct OverflowWriter {
  private let file: PageFileWriter
  private let head: UInt32
  /// The open page, where it is collected.
  private var page: UInt32
  private var bytes: UnsafeMutableRawPointer
  private var filled = 4

  /// Writes a payload that does not fit on its page: its beginning into the cell, the number of
  /// the chain's first page behind that, and the rest into the chain.
  ///
  /// - Parameters:
  ///   - cell: where the payload begins; room for `localBytes` and four more.
  ///   - localBytes: the bytes that stay on the page.
  ///   - forEachPiece: gives the payload piece by piece.
  /// - Returns: the first page of the chain, and the hash of the payload.
  static func write(
    to cell: UnsafeMutableRawPointer, localBytes: Int, file: PageFileWriter,
    _ forEachPiece: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) throws -> (head: UInt32, hash: PartHash) {
    var hash = PartHash()
    var filled = 0
    var chain = try OverflowWriter(file)
    try forEachPiece { piece in
      guard let start = piece.baseAddress else { return }
      hash.add(start, byteCount: piece.count)
      let count = min(piece.count, localBytes - filled)
      if count > 0 {
        (cell + filled).copyMemory(from: start, byteCount: count)
        filled += count
      }
      try chain.append(UnsafeRawBufferPointer(rebasing: piece[count...]))
    }
    chain.finish()
    (cell + localBytes).setBigUInt32(chain.head, at: 0)
    return (chain.head, hash)
  }

  /// Begins a chain.
  private init(_ file: PageFileWriter) throws {
    self.file = file
    (page, bytes) = try file.allocateInPlace()
    head = page
  }

  /// Appends bytes of the payload.
  private mutating func append(_ piece: UnsafeRawBufferPointer) throws {
    let pageBytes = file.geometry.pageBytes
    var rest = piece
    while let start = rest.baseAddress, rest.count > 0 {
      if filled == pageBytes { try turn() }
      let count = min(rest.count, pageBytes - filled)
      (bytes + filled).copyMemory(from: start, byteCount: count)
      filled += count
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Goes on to the next page. The full one may be written before that is given out.
  private mutating func turn() throws {
    let next = file.upcomingPage
    try file.setPointer(to: next, .overflow, from: page)
    bytes.setBigUInt32(next, at: 0)
    (page, bytes) = try file.allocateInPlace()
    filled = 4
  }

  /// Ends the chain.
  private func finish() {
    bytes.setBigUInt32(0, at: 0)
    (bytes + filled).initializeMemory(
      as: UInt8.self, repeating: 0, count: file.geometry.pageBytes - filled)
  }
}
