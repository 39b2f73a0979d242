internal import Synchronization

/// The pages that a walk has come to: one bit for each page of the database.
///
/// No page is part of two places of a tree or of two chains, so a page that is seen twice is
/// damage, and no walk is endless.
final class SeenPages {
  private static let recentCount = 512

  /// The bits of a walk that is alone; none of one that shares them.
  private let words: UnsafeMutableBufferPointer<UInt64>
  /// The first pages seen, so that a short walk is forgotten without clearing every bit.
  private var recent: [UInt32] = []
  private var hasMore = false
  /// Those of walks of which this is one.
  private let shared: SharedPages?
  /// The bits of adjacent pages that the others have not been told of.
  private var untold: (word: Int, bits: UInt64) = (0, 0)

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
  /// - Returns: a page to which walks have come twice; `nil` when there is none.
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
    return nil
  }

  /// Notes a page of a walk that is not alone. Others are told of adjacent pages at once: a lock for each page
  /// would take the threads more time than the page.
  private func insert(_ bit: UInt64, _ word: Int, _ page: UInt32) -> UInt32? {
    var repeated: UInt32?
    if word != untold.word {
      repeated = tell()
      untold = (word, 0)
    }
    guard untold.bits & bit == 0 else { return page }
    untold.bits |= bit
    return repeated
  }

  /// Tells the other walks of the pages of which they have not been told. Called when a part of a walk is
  /// over.
  ///
  /// - Returns: as ``insert(_:)``.
  func tell() -> UInt32? {
    defer { untold.bits = 0 }
    return shared?.insert(untold.bits, word: untold.word)
  }

  /// Begins again: a walk that is alone forgets every page.
  ///
  /// What the others have not been told of is of a part that was left, and that is walked by another.
  func restart() {
    guard shared == nil else {
      _ = tell()
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
    return insert(bit, word: word)
  }

  /// Notes adjacent pages.
  ///
  /// - Returns: one of them to which walks have come before.
  fileprivate func insert(_ new: UInt64, word: Int) -> UInt32? {
    bits.withLock { words in
      precondition(word < words.count)
      let repeated = words[word] & new
      words[word] |= new
      guard repeated != 0 else { return nil }
      return UInt32(word * 64 + repeated.trailingZeroBitCount)
    }
  }
}
