internal import Synchronization

/// The pages that a walk has come to: one bit for each page of the database.
///
/// No page is part of two places of a tree or of two chains, so a page that is seen twice is
/// damage, and no walk is endless.
///
/// A walk that shares them with others goes over a part at a time. It tells of the pages of a part when it
/// has come to its end: those of a part that it leaves are another's, who walks it again.
final class SeenPages {
  private static let recentCount = 512
  /// So many words of bits are kept of a part at most. A part with more is left.
  private static let mostUntold = 1 << 16

  /// The bits of a walk that is alone; none of one that shares them.
  private let words: UnsafeMutableBufferPointer<UInt64>
  /// The first pages seen, so that a short walk is forgotten without clearing every bit.
  private var recent: [UInt32] = []
  private var hasMore = false
  /// Those of walks of which this is one.
  private let shared: SharedPages?
  /// The bits of the part's pages, of which the others have not been told. Adjacent pages are mostly in one.
  private var untold: [SharedPages.Bits] = []
  /// The walks whose part a walk that is alone goes over now; they are told of each page at once.
  private var others: SharedPages?

  /// For a walk that is alone.
  ///
  /// - Parameter pageCount: the largest page.
  init(pageCount: UInt32) {
    words = .allocate(capacity: SharedPages.place(of: pageCount).word + 1)
    words.initialize(repeating: 0)
    shared = nil
  }

  /// For one of several walks that have no page in common.
  init(of shared: SharedPages) {
    words = UnsafeMutableBufferPointer(start: nil, count: 0)
    self.shared = shared
  }

  deinit { words.deallocate() }

  /// Notes a page.
  ///
  /// - Returns: a page to which walks have come twice; `nil` when there is none. Of a walk that shares
  ///   its pages, also one with which a part has too many.
  /// - Precondition: the page is not larger than the largest.
  func insert(_ page: UInt32) -> UInt32? {
    let (word, bit) = SharedPages.place(of: page)
    if shared != nil { return insert(bit, word, page) }
    precondition(word < words.count)
    guard words[word] & bit == 0 else { return page }
    words[word] |= bit
    if recent.count < Self.recentCount {
      recent.append(page)
    } else {
      hasMore = true
    }
    return others?.insert(page)
  }

  /// Notes a page of a walk that is not alone.
  private func insert(_ bit: UInt64, _ word: Int, _ page: UInt32) -> UInt32? {
    let last = untold.count - 1
    guard last >= 0, untold[last].word == word else {
      guard untold.count < Self.mostUntold else { return page }
      untold.append(SharedPages.Bits(word: word, bits: bit))
      return nil
    }
    guard untold[last].bits & bit == 0 else { return page }
    untold[last].bits |= bit
    return nil
  }

  /// Tells the other walks of the pages of a part. Called at its end.
  ///
  /// - Returns: one of them to which walks have come before; then none of them counts.
  func tell() -> UInt32? {
    defer { untold.removeAll(keepingCapacity: true) }
    return shared?.insert(untold)
  }

  /// Begins again: a walk that is alone forgets every page, and another the part that it was in.
  ///
  /// - Parameter others: the walks that share their pages, if a walk that is alone goes over one of their
  ///   parts.
  func restart(in others: SharedPages? = nil) {
    self.others = others
    guard shared == nil else {
      untold.removeAll(keepingCapacity: true)
      return
    }
    if hasMore {
      words.update(repeating: 0)
    } else {
      for page in recent { words[SharedPages.place(of: page).word] = 0 }
    }
    recent.removeAll(keepingCapacity: true)
    hasMore = false
  }
}

/// The pages that several walks have come to, which may be those of threads.
final class SharedPages: Sendable {
  /// Adjacent pages.
  struct Bits {
    var word: Int
    var bits: UInt64
  }

  private let bits: Mutex<UnsafeMutableBufferPointer<UInt64>>

  /// - Parameter pageCount: the largest page.
  init(pageCount: UInt32) {
    let words = UnsafeMutableBufferPointer<UInt64>.allocate(
      capacity: Self.place(of: pageCount).word + 1)
    words.initialize(repeating: 0)
    bits = Mutex(words)
  }

  deinit { bits.withLock { $0.deallocate() } }

  /// Where the bit of a page is.
  static func place(of page: UInt32) -> (word: Int, bit: UInt64) {
    (Int(page / 64), 1 << UInt64(page % 64))
  }

  /// Notes a page.
  ///
  /// - Returns: the page if walks have come to it before.
  func insert(_ page: UInt32) -> UInt32? {
    let (word, bit) = Self.place(of: page)
    return insert([Bits(word: word, bits: bit)])
  }

  /// Notes all pages of a list, or none.
  ///
  /// - Returns: one of them that is twice in the list, or to which walks have come before.
  fileprivate func insert(_ list: [Bits]) -> UInt32? {
    bits.withLock { words in
      for (place, new) in list.enumerated() {
        precondition(new.word < words.count)
        let repeated = words[new.word] & new.bits
        guard repeated == 0 else {
          for noted in list[..<place] { words[noted.word] &= ~noted.bits }
          return UInt32(new.word * 64 + repeated.trailingZeroBitCount)
        }
        words[new.word] |= new.bits
      }
      return nil
    }
  }
}
