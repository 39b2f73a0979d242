internal import Synchronization

/// The pages that walks have come to: one bit for each page of the database. Threads may share it.
///
/// No page is part of two places of a tree or of two chains, so a page that is seen twice is
/// damage, and no walk is endless.
final class SeenPages: Sendable {
  private struct Bits {
    let words: UnsafeMutablePointer<UInt64>
    /// The first pages seen, so that a short walk is forgotten without clearing every bit.
    var recent: [UInt32] = []
    var hasMore = false
  }

  private static let recentCount = 512

  private let wordCount: Int
  private let bits: Mutex<Bits>

  /// - Parameter pageCount: the largest page.
  init(pageCount: UInt32) {
    wordCount = Int(pageCount) / 64 + 1
    let words = UnsafeMutablePointer<UInt64>.allocate(capacity: wordCount)
    words.initialize(repeating: 0, count: wordCount)
    bits = Mutex(Bits(words: words))
  }

  deinit { bits.withLock { $0.words.deallocate() } }

  /// Notes a page.
  ///
  /// - Returns: whether it is new.
  /// - Precondition: the page is not larger than the largest.
  func insert(_ page: UInt32) -> Bool {
    let index = Int(page / 64)
    precondition(index < wordCount)
    let bit: UInt64 = 1 << UInt64(page % 64)
    return bits.withLock { bits in
      guard bits.words[index] & bit == 0 else { return false }
      bits.words[index] |= bit
      if bits.recent.count < Self.recentCount {
        bits.recent.append(page)
      } else {
        bits.hasMore = true
      }
      return true
    }
  }

  /// Forgets every page.
  func removeAll() {
    bits.withLock { bits in
      if bits.hasMore {
        bits.words.update(repeating: 0, count: wordCount)
      } else {
        for page in bits.recent { bits.words[Int(page / 64)] = 0 }
      }
      bits.recent.removeAll(keepingCapacity: true)
      bits.hasMore = false
    }
  }
}
