/// The pages that a walk has come to: one bit for each page of the database.
///
/// No page is part of two places of a tree or of two chains, so a page that is seen twice is
/// damage, and no walk is endless.
final class SeenPages {
  private let words: UnsafeMutablePointer<UInt64>
  private let wordCount: Int
  /// The first pages seen, so that a short walk is forgotten without clearing every bit.
  private var recent: [UInt32] = []
  private var hasMore = false
  private static let recentCount = 512

  /// - Parameter pageCount: the largest page.
  init(pageCount: UInt32) {
    wordCount = Int(pageCount) / 64 + 1
    words = .allocate(capacity: wordCount)
    words.initialize(repeating: 0, count: wordCount)
  }

  deinit { words.deallocate() }

  /// Notes a page.
  ///
  /// - Returns: whether it is new.
  /// - Precondition: the page is not larger than the largest.
  func insert(_ page: UInt32) -> Bool {
    let index = Int(page / 64)
    precondition(index < wordCount)
    let bit: UInt64 = 1 << UInt64(page % 64)
    guard words[index] & bit == 0 else { return false }
    words[index] |= bit
    if recent.count < Self.recentCount { recent.append(page) } else { hasMore = true }
    return true
  }

  /// Forgets every page.
  func removeAll() {
    if hasMore {
      words.update(repeating: 0, count: wordCount)
    } else {
      for page in recent { words[Int(page / 64)] = 0 }
    }
    recent.removeAll(keepingCapacity: true)
    hasMore = false
  }
}
