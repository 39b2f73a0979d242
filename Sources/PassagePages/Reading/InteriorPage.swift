/// A page of a table's tree above the leaves, and how far a walk has come in it.
///
/// The memory is used again for every page of the same depth.
final class InteriorPage {
  private let buffer: PageBuffer
  private(set) var number: UInt32 = 0
  private var cellCount = 0
  private var offsetsStart = 0
  /// The child that the walk comes to next.
  private var next = 0
  /// The child at which the walk ends.
  private var end = 0
  /// The keys below the page are larger than this one; `nil` at the left edge of the tree.
  private var low: Int64?
  /// The keys below the page are not larger than this one.
  private var high = Int64.max

  init(pageBytes: Int) { buffer = PageBuffer(byteCount: pageBytes) }

  /// Where the page's bytes go before ``load(_:_:low:high:)``.
  var bytes: UnsafeMutableRawPointer { buffer.bytes }

  /// Takes over a page that has been read into ``bytes``, and checks all of its cells.
  ///
  /// - Parameters:
  ///   - low: the keys below the page are larger.
  ///   - high: they are not larger than this one.
  func load(
    _ header: TreePageHeader, page: UInt32, low: Int64?, high: Int64
  ) throws(PageDamage) {
    number = page
    cellCount = header.cellCount
    offsetsStart = header.offsetsStart
    next = 0
    end = cellCount + 1
    self.low = low
    self.high = high
    // The root alone may have one child, and only on the first page, where the header takes room.
    guard cellCount > 0 || page == 1 else { throw PageDamage(page: page, "has no cells") }
    var last = low
    for index in 0..<cellCount {
      let offset = UnsafeRawPointer(bytes).bigUInt16(at: offsetsStart + 2 * index)
      guard offset >= header.contentStart, offset <= buffer.byteCount - 5,
        let key = Varint.read(bytes + offset + 4, limit: buffer.byteCount - offset - 4)
      else { throw PageDamage(page: page, "has a cell outside its content area") }
      let value = Int64(bitPattern: key.value)
      guard value <= high, last.map({ value > $0 }) ?? true else {
        throw PageDamage(page: page, "has keys out of order")
      }
      last = value
    }
  }

  /// The children of the page.
  var childCount: Int { cellCount + 1 }

  /// The children after the one taken last.
  var remaining: Int { end - next }

  /// The bounds that the page was loaded with.
  var ownBounds: (low: Int64?, high: Int64) { (low, high) }

  /// The bounds of a child's keys.
  func bounds(of index: Int) -> (low: Int64?, high: Int64) {
    (index == 0 ? low : key(index - 1), index == cellCount ? high : key(index))
  }

  /// Leaves out the children before and after some of them.
  ///
  /// - Parameter children: positions below ``childCount``.
  func restrict(to children: Range<Int>) {
    next = min(children.lowerBound, childCount)
    end = min(children.upperBound, childCount)
  }

  /// Goes on to the next child.
  ///
  /// - Returns: its number, and the bounds of its keys; `nil` after the last one.
  func takeChild() -> (page: UInt32, low: Int64?, high: Int64)? {
    guard next < end else { return nil }
    let bounds = bounds(of: next)
    next += 1
    return (child(next - 1), bounds.low, bounds.high)
  }

  /// A child that has not been taken yet.
  ///
  /// - Parameter index: less than ``remaining``.
  func upcoming(_ index: Int) -> UInt32 { child(next + index) }

  /// Makes the next child the first that may have a key larger than another.
  func skip(to key: Int64) {
    var start = 0
    var end = cellCount
    while start < end {
      let middle = (start + end) / 2
      if self.key(middle) > key { end = middle } else { start = middle + 1 }
    }
    next = start
  }

  // The cells have been checked when the page was loaded.

  private func cell(_ index: Int) -> UnsafeRawPointer {
    let bytes = UnsafeRawPointer(buffer.bytes)
    return bytes + bytes.bigUInt16(at: offsetsStart + 2 * index)
  }

  private func child(_ index: Int) -> UInt32 {
    // The last child has no cell: it is in the header, before the offsets.
    index == cellCount
      ? UnsafeRawPointer(bytes).bigUInt32(at: offsetsStart - 4) : cell(index).bigUInt32(at: 0)
  }

  private func key(_ index: Int) -> Int64 {
    Int64(bitPattern: Varint.read(cell(index) + 4, limit: 9)?.value ?? 0)
  }
}
