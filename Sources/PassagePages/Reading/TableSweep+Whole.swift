/// What a sweep tells of a whole table or of a range of its leaves. Both parts of a
/// ``PageDigest`` are sums, as is a count: what threads tell of the ranges is added up.
extension TableSweep {
  /// How many rows the table has. The sweep begins again before the first.
  ///
  /// - Throws: ``PageDamage``, or an error of the file.
  /// - Complexity: O(pages); no row is looked at.
  package func rowCount() throws -> Int64 {
    restart()
    let count = try restOfRowCount()
    restart()
    return count
  }

  /// How many rows a range has. No row follows.
  ///
  /// - Throws: ``PageDamage``, or an error of the file.
  /// - Complexity: O(pages); no row is looked at.
  package func rowCount(of range: LeafRange) throws -> Int64 {
    try begin(range)
    return try restOfRowCount()
  }

  /// How many rows of the table have which number in a column. The sweep begins again before the first.
  ///
  /// - Parameter column: less than the count given at the beginning.
  /// - Throws: ``PageDamage``, or an error of the file.
  /// - Complexity: O(n) in the rows.
  package func rowCounts(byColumn column: Int) throws -> NumberCounts {
    restart()
    let counts = try restOfRowCounts(byColumn: column)
    restart()
    return counts
  }

  /// How many rows of a range have which number in a column. No row follows.
  ///
  /// - Parameter column: less than the count given at the beginning.
  /// - Throws: ``PageDamage``, or an error of the file.
  /// - Complexity: O(n) in the rows.
  package func rowCounts(byColumn column: Int, of range: LeafRange) throws -> NumberCounts {
    try begin(range)
    return try restOfRowCounts(byColumn: column)
  }

  /// The digest of the table as its pages are now. The sweep begins again before the first row.
  ///
  /// - Throws: ``PageDamage``, or an error of the file.
  /// - Complexity: O(pages); a row is looked at where it does not fit its page.
  package func digest() throws -> PageDigest {
    restart()
    let digest = try restOfDigest()
    restart()
    return digest
  }

  /// The digest of a range as its pages are now. No row follows.
  ///
  /// - Throws: ``PageDamage``, or an error of the file.
  /// - Complexity: O(pages); a row is looked at where it does not fit its page.
  package func digest(of range: LeafRange) throws -> PageDigest {
    try begin(range)
    return try restOfDigest()
  }

  private func restOfRowCount() throws -> Int64 {
    var count: Int64 = 0
    run.wantsChains = false
    defer { run.wantsChains = true }
    while try advance() { count &+= Int64(leafCellCount) }
    return count
  }

  private func restOfRowCounts(byColumn column: Int) throws -> NumberCounts {
    var counts = NumberCounts()
    while try next() {
      if column == 1, let number = smallNumberAfterKey {
        counts.add(small: number)
      } else {
        counts.add(try cell(column))
      }
    }
    return counts
  }

  private func restOfDigest() throws -> PageDigest {
    var digest = PageDigest()
    while try advance() {
      digest.add(leaf: leafBytes, byteCount: pageBytes, rows: leafCellCount)
      guard try leafHasOverflow() else { continue }
      for _ in 0..<leafCellCount {
        guard try next(), hasOverflow else { continue }
        digest.add(
          try overflow.hash(
            record, localBytes: availableBytes, byteCount: payloadBytes, leaf: leafPage))
      }
    }
    return digest
  }
}
