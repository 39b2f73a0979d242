/// A page of a b-tree that is being filled: cells from the end, their offsets from the beginning
/// (https://www.sqlite.org/fileformat2.html#b_tree_pages).
struct TreePage {
  /// The first byte of a page.
  enum Kind: UInt8 {
    case indexInterior = 2
    case tableInterior = 5
    case indexLeaf = 10
    case tableLeaf = 13

    var isInterior: Bool { self == .indexInterior || self == .tableInterior }
    var isTable: Bool { self == .tableInterior || self == .tableLeaf }
  }

  /// SQLite gives no cell fewer than four bytes, the size of a free block.
  static let fewestCellBytes = 4

  let kind: Kind
  private(set) var buffer: PageBuffer
  private(set) var cellCount = 0
  /// Where the cells begin.
  private(set) var contentStart: Int
  private let headerBytes: Int

  init(_ kind: Kind, pageBytes: Int) {
    self.kind = kind
    buffer = PageBuffer(byteCount: pageBytes)
    contentStart = pageBytes
    headerBytes = kind.isInterior ? 12 : 8
  }

  /// Whether a cell of so many bytes fits beside its offset.
  @inline(__always)
  func hasRoom(for byteCount: Int) -> Bool {
    headerBytes + 2 * (cellCount + 1) + byteCount <= contentStart
  }

  /// Makes room for a cell.
  ///
  /// - Returns: where its bytes go.
  /// - Precondition: ``hasRoom(for:)``.
  @inline(__always)
  mutating func append(_ byteCount: Int) -> UnsafeMutableRawPointer {
    contentStart -= byteCount
    buffer.bytes.setBigUInt16(contentStart, at: headerBytes + 2 * cellCount)
    cellCount += 1
    return buffer.bytes + contentStart
  }

  /// Takes over cells, as many as fit.
  ///
  /// - Parameter cells: those that do not fit are left in it.
  mutating func append(_ cells: inout WaitingCells) {
    var rest = cells
    var (start, count) = (contentStart, cellCount)
    var offset = buffer.bytes + headerBytes + 2 * cellCount
    var room = start - headerBytes - 2 * cellCount
    while rest.count > 0 {
      let byteCount = rest.byteCount
      guard byteCount &+ 2 <= room else { break }
      room &-= byteCount &+ 2
      start &-= byteCount
      offset.setBigUInt16(start, at: 0)
      offset += 2
      count &+= 1
      rest.advance()
    }
    guard count > cellCount else { return }
    (buffer.bytes + start).copyMemory(from: rest.end, byteCount: contentStart - start)
    (contentStart, cellCount) = (start, count)
    cells = rest
  }

  /// Removes the last cell.
  ///
  /// - Parameter byteCount: its bytes.
  mutating func removeLast(_ byteCount: Int) {
    cellCount -= 1
    contentStart += byteCount
  }

  /// Where a cell begins.
  func cell(_ index: Int) -> UnsafeRawPointer {
    let bytes = UnsafeRawPointer(buffer.bytes)
    return bytes + bytes.bigUInt16(at: headerBytes + 2 * index)
  }

  /// The key of the last row of a table's leaf that has one.
  var lastKey: Int64 {
    let cell = cell(cellCount - 1)
    return Self.key(ofRow: cell, limit: UnsafeRawPointer(buffer.bytes) + buffer.byteCount - cell)
  }

  /// The key of a row of a table.
  ///
  /// - Parameters:
  ///   - cell: of the row, which has been written here.
  ///   - limit: the bytes from there that may be read.
  static func key(ofRow cell: UnsafeRawPointer, limit: Int) -> Int64 {
    let length = Varint.read(cell, limit: limit)?.byteCount ?? 0
    return Int64(bitPattern: Varint.read(cell + length, limit: limit - length)?.value ?? 0)
  }

  /// Completes the page: its header, and zeros between offsets and cells.
  ///
  /// - Parameter rightmost: of an interior page, the child after the last cell.
  /// - Returns: the bytes of the page.
  func complete(rightmost: UInt32 = 0) -> UnsafeRawPointer {
    let bytes = buffer.bytes
    bytes.storeBytes(of: kind.rawValue, as: UInt8.self)
    bytes.setBigUInt16(0, at: 1)
    bytes.setBigUInt16(cellCount, at: 3)
    // 65,536 is written as 0.
    bytes.setBigUInt16(contentStart, at: 5)
    bytes.storeBytes(of: 0, toByteOffset: 7, as: UInt8.self)
    if kind.isInterior { bytes.setBigUInt32(rightmost, at: 8) }
    let end = headerBytes + 2 * cellCount
    (bytes + end).initializeMemory(as: UInt8.self, repeating: 0, count: contentStart - end)
    return UnsafeRawPointer(bytes)
  }

  /// Adds the page to a mark.
  func mark(_ mark: inout WriterMark) {
    mark.append(Int64(cellCount))
    mark.append(Int64(contentStart))
    mark.append(buffer.contents)
  }

  /// The page of a mark.
  init(_ kind: Kind, pageBytes: Int, from mark: inout WriterMark.Reader) throws(UnreadableMark) {
    self.init(kind, pageBytes: pageBytes)
    cellCount = try mark.number(in: 0...pageBytes / 2)
    contentStart = try mark.number(in: 0...pageBytes)
    try mark.read(into: buffer)
    guard headerBytes + 2 * cellCount <= contentStart else { throw UnreadableMark() }
    // The cells follow each other from the end, and what reads one trusts its offset and its length.
    var end = pageBytes
    for index in 0..<cellCount {
      let cell = self.cell(index)
      let start = cell - UnsafeRawPointer(buffer.bytes)
      let byteCount = end - start
      guard start >= contentStart, byteCount >= Self.fewestCellBytes,
        !kind.isInterior
          || Varint.read(cell + 4, limit: byteCount - 4)?.byteCount == byteCount - 4
      else { throw UnreadableMark() }
      end = start
    }
    guard end == contentStart else { throw UnreadableMark() }
  }

  /// Begins the next page in the same memory.
  mutating func removeAll() {
    cellCount = 0
    contentStart = buffer.byteCount
  }
}
