/// Pages of a file: a bit for each.
package struct PageBits: Sendable {
  private var words: [UInt64]
  /// The largest page.
  package let pageCount: UInt32

  /// - Parameter pageCount: of the file. None of them is in the set.
  package init(pageCount: UInt32) {
    self.pageCount = pageCount
    words = Array(repeating: 0, count: Int(pageCount) / 64 + 1)
  }

  /// Adds a page. One that the file does not have is left out.
  package mutating func insert(_ page: UInt32) {
    if page > 0, page <= pageCount { words[Int(page / 64)] |= 1 << UInt64(page % 64) }
  }

  /// Removes a page, if it is in the set.
  package mutating func remove(_ page: UInt32) {
    if page <= pageCount { words[Int(page / 64)] &= ~(1 << UInt64(page % 64)) }
  }

  /// Removes every page.
  package mutating func removeAll() {
    for index in words.indices { words[index] = 0 }
  }

  /// Removes the pages of another set.
  ///
  /// - Precondition: both are of the same file.
  package mutating func subtract(_ other: PageBits) {
    precondition(pageCount == other.pageCount)
    for index in words.indices { words[index] &= ~other.words[index] }
  }

  /// Adds the pages of another set.
  ///
  /// - Returns: whether none of them was in this one.
  /// - Precondition: both are of the same file.
  package mutating func formDisjointUnion(_ other: PageBits) -> Bool {
    precondition(pageCount == other.pageCount)
    var common: UInt64 = 0
    for index in words.indices {
      common |= words[index] & other.words[index]
      words[index] |= other.words[index]
    }
    return common == 0
  }

  /// Whether every page of the file is in the set.
  package var isFull: Bool {
    words.reduce(0) { $0 + $1.nonzeroBitCount } == Int(pageCount)
  }
}
