/// The entries of an index over one or two columns, with nothing but integers and NULL, sorted as words.
///
/// It takes part in the memory from ``begin()`` to ``end()``, as a ``WordSorter`` does.
final class WordIndex<Word: SortWord> {
  private let columnCount: Int
  /// For each column all ones where it is descending, else 0.
  private let inversions: (Word, Word)
  // Constants cost no reference counts where every row needs them.
  private let pairs: WordSorter<WordPair<Word>>
  private let triples: WordSorter<WordTriple<Word>>

  init(columns: [IndexColumn], memory: SortMemory) {
    columnCount = columns.count
    inversions = (
      columns[0].isDescending ? .max : 0,
      columns.count > 1 && columns[1].isDescending ? .max : 0
    )
    pairs = WordSorter(memory: memory)
    triples = WordSorter(memory: memory)
  }

  func begin() { if columnCount == 1 { pairs.begin() } else { triples.begin() } }

  /// Leaves its share to what gets these entries.
  func giveUpShare() {
    pairs.giveUpShare()
    triples.giveUpShare()
  }

  /// Forgets the entries.
  func end() {
    pairs.end()
    triples.end()
  }

  // MARK: Filling

  /// Adds an entry.
  ///
  /// - Parameter cells: as many as the index has columns.
  /// - Returns: false when it has no words; then it is not added.
  @inline(__always)
  func add(key: Int64, _ cells: UnsafeMutableBufferPointer<CellImage>) throws -> Bool {
    guard let row = Word(ofRow: key),
      let first = Word.word(of: cells[0], inversion: inversions.0)
    else { return false }
    if columnCount == 1 {
      try pairs.add(WordPair(value: first, row: row))
      return true
    }
    guard let second = Word.word(of: cells[1], inversion: inversions.1) else { return false }
    try triples.add(WordTriple(first: first, second: second, row: row))
    return true
  }

  /// Adds an entry of two integers.
  ///
  /// - Returns: false when it has no words; then it is not added.
  /// - Precondition: the index has two columns.
  @inline(__always)
  func add(key: Int64, _ first: Int64, _ second: Int64) throws -> Bool {
    guard let row = Word(ofRow: key),
      let first = Word(ofInteger: first, inversion: inversions.0),
      let second = Word(ofInteger: second, inversion: inversions.1)
    else { return false }
    try triples.add(WordTriple(first: first, second: second, row: row))
    return true
  }

  // MARK: Emptying

  /// Gives all entries in order. No entry follows.
  ///
  /// - Parameters:
  ///   - cells: where the values of each entry are put.
  ///   - body: takes the row of an entry.
  func forEach(
    into cells: UnsafeMutableBufferPointer<CellImage>, _ body: (Int64) throws -> Void
  ) throws {
    if columnCount == 1 {
      try pairs.forEach { entry in
        cells[0] = Word.image(of: entry.value, inversion: inversions.0)
        try body(Word.row(of: entry.row))
      }
    } else {
      try triples.forEach { entry in
        cells[0] = Word.image(of: entry.first, inversion: inversions.0)
        cells[1] = Word.image(of: entry.second, inversion: inversions.1)
        try body(Word.row(of: entry.row))
      }
    }
  }

  /// Writes all entries in order. No entry follows.
  ///
  /// - Parameter duplicates: gets the equal entries of a unique index.
  func write(to writer: IndexWriter, isUnique: Bool, _ duplicates: inout DuplicateEntries) throws {
    let inversions = inversions
    // What no entry can be: NULL is not equal to NULL.
    if columnCount == 1 {
      var last = WordPair(value: inversions.0, row: 0)
      try pairs.forEach { entry in
        try writer.append(entry, inversions: inversions)
        if isUnique, entry.value == last.value, entry.value != inversions.0 {
          duplicates.add(Word.row(of: last.row), Word.row(of: entry.row))
        }
        last = entry
      }
    } else {
      var last = WordTriple(first: inversions.0, second: inversions.1, row: 0)
      try triples.forEach { entry in
        try writer.append(entry, inversions: inversions)
        if isUnique, entry.first == last.first, entry.second == last.second,
          entry.first != inversions.0, entry.second != inversions.1
        {
          duplicates.add(Word.row(of: last.row), Word.row(of: entry.row))
        }
        last = entry
      }
    }
  }
}
