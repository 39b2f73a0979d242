/// A page of a tree, of a table or an index, that has been read whole. The keys of its cells are inside
/// it, and the cells of an index; whether cells are all that is in it tells ``isTidy``.
///
/// ``TreePageHeader`` and ``InteriorPage`` are for tables alone, and for a walk over them.
struct TreePageView {
  let kind: TreePage.Kind
  let cellCount: Int
  private let buffer: PageBuffer
  private let geometry: PageGeometry
  /// Where the cells are, without the numbers of their children.
  private let cells: [Range<Int>]

  private var pageBytes: Int { buffer.byteCount }
  private var childBytes: Int { kind.isInterior ? 4 : 0 }
  /// How many children an interior page has.
  var childCount: Int { cellCount + 1 }

  /// - Returns: `nil` when the page is not one of a tree, or its cells are not inside it.
  init?(_ reader: PageReader, _ number: UInt32) throws {
    guard reader.isReadable(number) else { return nil }
    geometry = reader.geometry
    buffer = PageBuffer(byteCount: geometry.pageBytes)
    try reader.read(number, count: 1, into: buffer.bytes)
    let bytes = UnsafeRawPointer(buffer.bytes)
    guard let kind = TreePage.Kind(rawValue: bytes.load(as: UInt8.self)) else { return nil }
    self.kind = kind
    cellCount = bytes.bigUInt16(at: 3)
    var cells: [Range<Int>] = []
    for index in 0..<cellCount {
      let place = (kind.isInterior ? 12 : 8) + 2 * index
      guard place + 2 <= geometry.pageBytes else { return nil }
      let start = bytes.bigUInt16(at: place)
      guard start <= geometry.pageBytes - 4,
        let cell = Self.cell(bytes, at: start, kind, geometry)
      else { return nil }
      cells.append(cell)
    }
    self.cells = cells
  }

  /// Where a cell is, without its child.
  private static func cell(
    _ bytes: UnsafeRawPointer, at start: Int, _ kind: TreePage.Kind, _ geometry: PageGeometry
  ) -> Range<Int>? {
    let start = start + (kind.isInterior ? 4 : 0)
    guard let first = Varint.read(bytes + start, limit: geometry.pageBytes - start) else {
      return nil
    }
    var end = start + first.byteCount
    switch kind {
    case .tableInterior: break
    case .tableLeaf:
      guard let key = Varint.read(bytes + end, limit: geometry.pageBytes - end) else {
        return nil
      }
      end += key.byteCount
    case .indexInterior, .indexLeaf:
      guard let payload = Int(exactly: first.value) else { return nil }
      let local = geometry.localBytes(ofPayload: payload, longest: geometry.longestIndexPayload)
      end += local < payload ? local + 4 : local
    }
    // No cell is shorter than four bytes.
    end = max(end, start + (kind.isInterior ? 0 : 4))
    return end <= geometry.pageBytes ? start..<end : nil
  }

  func child(_ index: Int) -> UInt32 {
    let bytes = UnsafeRawPointer(buffer.bytes)
    return index == cellCount
      ? bytes.bigUInt32(at: 8) : bytes.bigUInt32(at: cells[index].lowerBound - 4)
  }

  /// The key of a cell of a table.
  func key(_ index: Int) -> Int64? {
    let cell = cells[index]
    let bytes = UnsafeRawPointer(buffer.bytes) + cell.lowerBound
    guard let first = Varint.read(bytes, limit: cell.count) else { return nil }
    if kind.isInterior { return Int64(bitPattern: first.value) }
    let key = Varint.read(bytes + first.byteCount, limit: cell.count - first.byteCount)
    return key.map { Int64(bitPattern: $0.value) }
  }

  /// Whether an interior page has cells from where its header says to its end, and no byte between them.
  var isTidy: Bool {
    let bytes = UnsafeRawPointer(buffer.bytes)
    let noted = bytes.bigUInt16(at: 5)
    // The first free block, and the bytes between cells that are too few for one.
    guard bytes.bigUInt16(at: 1) == 0, bytes.load(fromByteOffset: 7, as: UInt8.self) == 0 else {
      return false
    }
    var start = noted == 0 ? 65_536 : noted
    guard start >= 8 + childBytes + 2 * cellCount else { return false }
    for cell in cells.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      guard cell.lowerBound - childBytes == start else { return false }
      start = cell.upperBound
    }
    return start == pageBytes
  }

  // MARK: Other pages

  /// The root of a tree of the same kind that has no rows.
  var emptyRoot: [UInt8] {
    complete(TreePage(kind.isTable ? .tableLeaf : .indexLeaf, pageBytes: pageBytes))
  }

  /// A page with some of the children of a page that ``isTidy``.
  func part(children: Range<Int>) -> [UInt8] {
    var page = TreePage(kind, pageBytes: pageBytes)
    for index in children.dropLast() { append(index, withChild: true, to: &page) }
    return complete(page, rightmost: child(children.upperBound - 1))
  }

  /// A leaf with some of the entries of an index's page that ``isTidy``.
  func leaf(entries: [Int]) -> [UInt8] {
    var page = TreePage(.indexLeaf, pageBytes: pageBytes)
    for index in entries { append(index, withChild: false, to: &page) }
    return complete(page)
  }

  private func append(_ index: Int, withChild: Bool, to page: inout TreePage) {
    let start = cells[index].lowerBound - (withChild ? childBytes : 0)
    let count = cells[index].upperBound - start
    // Leaves have no shorter cells.
    let target = page.append(max(count, 4))
    target.initializeMemory(as: UInt8.self, repeating: 0, count: max(count, 4))
    target.copyMemory(from: buffer.bytes + start, byteCount: count)
  }

  private func complete(_ page: TreePage, rightmost: UInt32 = 0) -> [UInt8] {
    withExtendedLifetime(page) {
      Array(
        UnsafeRawBufferPointer(start: page.complete(rightmost: rightmost), count: pageBytes))
    }
  }
}
