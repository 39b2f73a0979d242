/// Adjacent pages that are read at once.
final class PageRun {
  /// The most pages of a run, and the most bytes: about what a core's own cache holds.
  private static let mostPages = 64
  private static let mostBytes = 262_144
  /// How far the pages of a run are apart at most: those of somebody else in between are read along,
  /// rather than to begin another run. Where they are chains, most of them are wanted next.
  private static let gap: UInt32 = 4
  private static let gapWithoutChains: UInt32 = 2
  /// The same after a page whose chains were read: they are between the pages of a run and before its
  /// first.
  private static let gapOfChains: UInt32 = 16

  private let reader: PageReader
  private let pageBytes: Int
  private let capacity: Int
  private var buffer: PageBuffer?
  /// Of the buffer, so that no reference to it is counted for each page.
  private var start: UnsafeMutableRawPointer?
  private var first: UInt32 = 0
  private var count = 0
  /// The pages that the next run may have. It grows from run to run: a walk that ends soon after
  /// a jump has not read much.
  private var limit: Int
  /// Whether more is read of a leaf than its header: then chains of overflow pages are, too.
  var wantsChains = true
  /// Whether a chain was read since the run began.
  var hasReadChain = false

  /// - Parameter readsAhead: whether a run may have several pages.
  init(_ reader: PageReader, readsAhead: Bool) {
    self.reader = reader
    pageBytes = reader.geometry.pageBytes
    capacity = max(
      1,
      min(
        readsAhead ? Self.mostPages : 1, Self.mostBytes / pageBytes,
        Int(clamping: reader.pageCount)))
    limit = capacity
  }

  /// Begins with a run of one page, after a jump.
  func shorten() { limit = 1 }

  /// A page of the run, if it is in it.
  func bytes(of page: UInt32) -> UnsafeRawPointer? {
    guard page >= first, page - first < count else { return nil }
    guard let start else { return nil }
    return UnsafeRawPointer(start) + Int(page - first) * pageBytes
  }

  /// Where the pages are. There is no memory before the first one is read.
  private func memory() -> UnsafeMutableRawPointer {
    if let start { return start }
    let made = PageBuffer(byteCount: capacity * pageBytes + RecordView.slack)
    (buffer, start) = (made, made.bytes)
    return made.bytes
  }

  /// Makes a page that was read elsewhere the run.
  ///
  /// - Parameter bytes: of the page.
  /// - Returns: as ``read(_:parent:)``.
  func take(_ page: UInt32, _ bytes: UnsafeRawPointer) -> UnsafeRawPointer {
    let memory = memory()
    memory.copyMemory(from: bytes, byteCount: pageBytes)
    first = page
    count = 1
    return UnsafeRawPointer(memory)
  }

  /// Reads a page, and with it those after it that will be wanted next.
  ///
  /// - Parameters:
  ///   - page: has been checked.
  ///   - parent: the page with the children that come next; `nil` when there are none.
  /// - Returns: its bytes, followed by ``RecordView/slack`` bytes that may be read. They stay until
  ///   the next call.
  func read(_ page: UInt32, parent: InteriorPage?) throws -> UnsafeRawPointer {
    if let bytes = bytes(of: page) { return bytes }
    let gap =
      hasReadChain ? Self.gapOfChains : wantsChains ? Self.gap : Self.gapWithoutChains
    var begin = page
    let end = first + UInt32(count)
    if hasReadChain, end < page, page - end <= gap, Int(page - end) < limit, reader.isReadable(end)
    {
      begin = end
    }
    hasReadChain = false
    var last = page
    if let parent {
      var index = 0
      while index < parent.remaining {
        let child = parent.upcoming(index)
        guard child > last, child - last <= gap, child - begin < limit,
          reader.isReadable(child)
        else { break }
        last = child
        index += 1
      }
    }
    limit = min(capacity, limit * 4)
    // Until all pages are there, the run has none.
    count = 0
    let memory = memory()
    if !wantsChains, last == begin {
      try reader.readHeader(of: page, into: memory)
      return UnsafeRawPointer(memory)
    }
    try reader.read(begin, count: Int(last - begin) + 1, into: memory)
    first = begin
    count = Int(last - begin) + 1
    return UnsafeRawPointer(memory) + Int(page - begin) * pageBytes
  }
}
