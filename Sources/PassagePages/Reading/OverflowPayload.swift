/// A payload that does not fit its page, put together from the page and the chain after it
/// (https://www.sqlite.org/fileformat2.html#ovflpgs), as far as it is needed.
final class OverflowPayload {
  /// A larger buffer is given back when it has become much larger than what is read.
  private static let keptBytes = 1_048_576
  /// Pages of a chain that are read at once, when they are adjacent.
  private static let mostPages = 16

  private let reader: PageReader
  private let run: PageRun
  private let seen: SeenPages
  private let capacity: Int
  private var payload: RawMemory?
  private lazy var pages = PageBuffer(byteCount: Self.mostPages * reader.geometry.pageBytes)
  /// The pages from ``firstRead`` that are in ``pages``.
  private var firstRead: UInt32 = 0
  private var readCount = 0
  /// How many pages are tried at once: as many as the chains before had next to each other.
  private var attempt = 1

  private var byteCount = 0
  private var filled = 0
  private var nextPage: UInt32 = 0
  private var leaf: UInt32 = 0

  /// - Parameters:
  ///   - run: the pages that were read with the leaf. Short chains often lie between the leaves.
  ///   - seen: the pages of the tree and of the chains.
  init(_ reader: PageReader, run: PageRun, seen: SeenPages) {
    self.reader = reader
    self.run = run
    self.seen = seen
    capacity = reader.geometry.overflowCapacity
  }

  /// Begins with another payload.
  ///
  /// - Parameters:
  ///   - local: the beginning of the payload, followed by the number of the chain's first page.
  ///   - localBytes: its bytes.
  ///   - byteCount: of the whole payload.
  ///   - leaf: the page that they are on.
  /// - Returns: where the payload is being put together. It stays there until the next call.
  func begin(
    _ local: UnsafeRawPointer, localBytes: Int, byteCount: Int, leaf: UInt32
  ) throws -> UnsafeRawPointer {
    try start(local, localBytes: localBytes, byteCount: byteCount, leaf: leaf)
    let memory = memory(for: byteCount + RecordView.slack)
    memory.bytes.copyMemory(from: local, byteCount: localBytes)
    // What is read beyond a number at the end is defined, though it does not count.
    (memory.bytes + byteCount)
      .initializeMemory(as: UInt8.self, repeating: 0, count: RecordView.slack)
    return UnsafeRawPointer(memory.bytes)
  }

  /// The hash of a payload, which is not put together for it.
  ///
  /// - Parameters: as of ``begin(_:localBytes:byteCount:leaf:)``.
  func hash(
    _ local: UnsafeRawPointer, localBytes: Int, byteCount: Int, leaf: UInt32
  ) throws -> PartHash {
    try start(local, localBytes: localBytes, byteCount: byteCount, leaf: leaf)
    var hash = PartHash()
    hash.add(local, byteCount: localBytes)
    try follow(through: byteCount) { hash.add($0, byteCount: $1) }
    return hash
  }

  /// Begins before the first page of a chain.
  private func start(
    _ local: UnsafeRawPointer, localBytes: Int, byteCount: Int, leaf: UInt32
  ) throws {
    let needed = (byteCount - localBytes + capacity - 1) / capacity
    // Before memory is taken: a size that lies is not larger than the file.
    guard needed <= reader.pageCount else {
      throw PageDamage(
        page: leaf, "has a row of \(byteCount) bytes, which is larger than the file")
    }
    self.byteCount = byteCount
    self.leaf = leaf
    filled = localBytes
    nextPage = local.bigUInt32(at: localBytes)
    readCount = 0
    run.hasReadChain = true
  }

  private func memory(for wanted: Int) -> RawMemory {
    if let payload, payload.byteCount >= wanted,
      payload.byteCount <= max(Self.keptBytes, 4 * wanted)
    {
      return payload
    }
    // The old memory goes before the new comes.
    payload = nil
    let memory = RawMemory(byteCount: wanted)
    payload = memory
    return memory
  }

  /// Follows the chain until so many bytes of the payload are there.
  ///
  /// - Returns: how many there are.
  func load(through end: Int) throws -> Int {
    guard let target = payload?.bytes else { return 0 }
    try follow(through: end) { (target + filled).copyMemory(from: $0, byteCount: $1) }
    return filled
  }

  /// - Parameter take: gets the next bytes of the payload, before they count as ``filled``.
  @inline(__always)
  private func follow(through end: Int, _ take: (UnsafeRawPointer, Int) -> Void) throws {
    var previous = leaf
    while filled < min(end, byteCount) {
      try reader.check(nextPage, from: previous)
      if let page = seen.insert(nextPage) {
        throw PageDamage(
          page: page, "is used twice: by the overflow chain of a row on page \(leaf)")
      }
      let bytes = try read(nextPage)
      let count = min(capacity, byteCount - filled)
      take(bytes + 4, count)
      filled += count
      previous = nextPage
      nextPage = bytes.bigUInt32(at: 0)
    }
    if filled == byteCount, nextPage != 0 {
      throw PageDamage(page: leaf, "has a row with an overflow chain that does not end")
    }
  }

  /// The bytes of a page of the chain.
  private func read(_ page: UInt32) throws -> UnsafeRawPointer {
    if let bytes = run.bytes(of: page) { return bytes }
    let pageBytes = reader.geometry.pageBytes
    if page >= firstRead, page - firstRead < readCount {
      return UnsafeRawPointer(pages.bytes) + Int(page - firstRead) * pageBytes
    }
    if readCount > 0 {
      let isAdjacent = page == firstRead + UInt32(readCount)
      attempt = isAdjacent ? min(Self.mostPages, attempt * 2) : 1
    }
    let needed = (byteCount - filled + capacity - 1) / capacity
    var count = min(needed, attempt)
    while count > 1, !reader.isReadable(page + UInt32(count) - 1) { count -= 1 }
    readCount = 0
    try reader.read(page, count: count, into: pages.bytes)
    firstRead = page
    readCount = count
    return UnsafeRawPointer(pages.bytes)
  }
}
