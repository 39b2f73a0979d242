/// Sorts the entries of an index and writes its b-tree.
///
/// ```swift
/// let memory = SortMemory(byteCount: 16 << 20) { try PositionalFile(path, mode: .updating) }
/// let index = IndexBuilder(columns: [IndexColumn(position: 2)], isUnique: false, memory: memory)
/// while try sweep.next() { try index.add(rowOf: sweep) }
/// let duplicates = try index.write(to: file, root: root)
/// ```
///
/// The comparison is SQLite's without a collation. An index with another collation, over
/// expressions or over some of the rows only is the caller's: it gives the rows and values that
/// belong to it.
///
/// Entries of one or two columns with nothing but integers and NULL are sorted as words. With the
/// first other value all entries become byte strings.
package final class IndexBuilder {
  private let isUnique: Bool
  private let columnCount: Int
  /// The place of each value in a row; -1 for the row's key.
  private let positions: UnsafeMutablePointer<Int>
  /// The last of them in a row.
  private let lastPosition: Int
  /// The values of the entry that is added or written.
  private let cells: UnsafeMutableBufferPointer<CellImage>
  /// For each column 255 where it is descending, else 0.
  private let inversions: UnsafeMutablePointer<UInt8>
  private let firstInversion: UInt64
  private let secondInversion: UInt64
  /// The sorter that has the entries.
  private enum Form {
    case pairs
    case triples
    case byteStrings
  }
  private var form: Form
  // Constants cost no reference counts where every row needs them.
  private let pairs: WordSorter<WordPair>
  private let triples: WordSorter<WordTriple>
  private let byteStrings: EntrySorter

  /// - Parameters:
  ///   - columns: at least one.
  ///   - isUnique: whether equal entries are to be found.
  package init(columns: [IndexColumn], isUnique: Bool, memory: SortMemory) {
    precondition(!columns.isEmpty && columns.allSatisfy { $0.position ?? 0 >= 0 })
    self.isUnique = isUnique
    columnCount = columns.count
    lastPosition = columns.compactMap(\.position).max() ?? 0
    positions = .allocate(capacity: columns.count)
    cells = .allocate(capacity: columns.count)
    cells.initialize(repeating: .null)
    inversions = .allocate(capacity: columns.count)
    for (index, column) in columns.enumerated() {
      (positions + index).initialize(to: column.position ?? -1)
      (inversions + index).initialize(to: column.isDescending ? 0xFF : 0)
    }
    firstInversion = columns[0].isDescending ? .max : 0
    secondInversion = columns.count > 1 && columns[1].isDescending ? .max : 0
    pairs = WordSorter(memory: memory)
    triples = WordSorter(memory: memory)
    byteStrings = EntrySorter(memory: memory)
    switch columns.count {
    case 1:
      form = .pairs
      pairs.begin()
    case 2:
      form = .triples
      triples.begin()
    default:
      form = .byteStrings
      byteStrings.begin()
    }
  }

  deinit {
    cells.deallocate()
    inversions.deallocate()
    positions.deallocate()
  }

  // MARK: Filling

  /// Adds the entry of a row, in any order of rows.
  ///
  /// - Parameters:
  ///   - key: the row's.
  ///   - row: every column but the key's own, in order, as the table stores it; NULL in the place
  ///     of the key.
  /// - Throws: ``MissingColumn``, or an error of the temporary file.
  package func add(key: Int64, _ row: UnsafeBufferPointer<CellImage>) throws {
    for index in 0..<columnCount {
      let position = positions[index]
      if position >= 0 {
        guard position < row.count else { throw MissingColumn(position: position) }
        cells[index] = row[position]
      } else {
        cells[index] = .integer(key)
      }
    }
    try addCells(key: key)
  }

  /// Adds an entry of two integers.
  ///
  /// - Precondition: the index has two columns.
  @inline(__always)
  package func add(key: Int64, _ first: Int64, _ second: Int64) throws {
    precondition(columnCount == 2)
    if form == .triples, let one = SortWord.word(ofInteger: first, inversion: firstInversion),
      let other = SortWord.word(ofInteger: second, inversion: secondInversion)
    {
      return try triples.add(
        WordTriple(first: one, second: other, row: SortWord.word(ofRow: key)))
    }
    cells[0] = .integer(first)
    cells[1] = .integer(second)
    try addCells(key: key)
  }

  /// Adds the entry of the row that a sweep is at. A column that its record lacks is NULL: where
  /// columns with another default value were added to the table, the caller gives the values
  /// itself.
  ///
  /// - Throws: ``PageDamage``, or an error of the files.
  @inline(__always)
  package func add(rowOf sweep: TableSweep) throws {
    let key = sweep.key
    let row = try sweep.record(through: lastPosition)
    for index in 0..<columnCount {
      let position = positions[index]
      cells[index] = position < 0 ? .integer(key) : row.image(position)
    }
    try addCells(key: key)
  }

  /// Adds the entry whose values are in ``cells``.
  private func addCells(key: Int64) throws {
    switch form {
    case .pairs:
      if let value = SortWord.word(of: cells[0], inversion: firstInversion) {
        return try pairs.add(WordPair(value: value, row: SortWord.word(ofRow: key)))
      }
      try convert()
    case .triples:
      if let first = SortWord.word(of: cells[0], inversion: firstInversion),
        let second = SortWord.word(of: cells[1], inversion: secondInversion)
      {
        return try triples.add(
          WordTriple(first: first, second: second, row: SortWord.word(ofRow: key)))
      }
      try convert()
    case .byteStrings: break
    }
    try byteStrings.add(UnsafeBufferPointer(cells), row: key, inversions: inversions)
  }

  /// Makes byte strings of all entries so far.
  private func convert() throws {
    let value = (cells[0], cells[columnCount - 1])
    pairs.giveUpShare()
    triples.giveUpShare()
    byteStrings.begin()
    try forEachWordEntry { row in
      try byteStrings.add(UnsafeBufferPointer(cells), row: row, inversions: inversions)
    }
    pairs.end()
    triples.end()
    form = .byteStrings
    cells[0] = value.0
    cells[columnCount - 1] = value.1
  }

  // MARK: Writing

  /// Gives the entries of words in order, their values in ``cells``.
  ///
  /// - Parameter body: takes the row.
  private func forEachWordEntry(_ body: (Int64) throws -> Void) throws {
    if form == .pairs {
      try pairs.forEach { entry in
        cells[0] = SortWord.image(of: entry.value, inversion: firstInversion)
        try body(SortWord.row(of: entry.row))
      }
    } else {
      try triples.forEach { entry in
        cells[0] = SortWord.image(of: entry.first, inversion: firstInversion)
        cells[1] = SortWord.image(of: entry.second, inversion: secondInversion)
        try body(SortWord.row(of: entry.row))
      }
    }
  }

  /// Sorts the entries and builds the index from them. It is done once.
  ///
  /// - Parameters:
  ///   - root: the index's root page: an empty leaf.
  /// - Returns: the equal entries of a unique index.
  /// - Throws: ``SpillDamage``, or an error of the files.
  package func write(to file: PageFileWriter, root: UInt32) throws -> DuplicateEntries {
    let writer = IndexWriter(file, root: root)
    var duplicates = DuplicateEntries()
    if form == .byteStrings {
      try writeByteStrings(to: writer, &duplicates)
    } else {
      try writeWords(to: writer, &duplicates)
    }
    try writer.finish()
    pairs.end()
    triples.end()
    byteStrings.end()
    return duplicates
  }

  private func writeWords(
    to writer: IndexWriter, _ duplicates: inout DuplicateEntries
  ) throws {
    let inversions = (firstInversion, secondInversion)
    // What no entry can be: NULL is not equal to NULL.
    if form == .pairs {
      var last = WordPair(value: firstInversion, row: 0)
      try pairs.forEach { entry in
        try writer.append(entry, inversions: inversions)
        if isUnique, entry.value == last.value, entry.value != firstInversion {
          duplicates.add(SortWord.row(of: last.row), SortWord.row(of: entry.row))
        }
        last = entry
      }
    } else {
      var last = WordTriple(first: firstInversion, second: secondInversion, row: 0)
      try triples.forEach { entry in
        try writer.append(entry, inversions: inversions)
        if isUnique, entry.first == last.first, entry.second == last.second,
          entry.first != firstInversion, entry.second != secondInversion
        {
          duplicates.add(SortWord.row(of: last.row), SortWord.row(of: entry.row))
        }
        last = entry
      }
    }
  }

  private func writeByteStrings(
    to writer: IndexWriter, _ duplicates: inout DuplicateEntries
  ) throws {
    let decoder = EntryKeyDecoder(columnCount: columnCount, inversions: inversions)
    var last = LastKey()
    try byteStrings.forEach { key in
      try decoder.decode(key)
      try writer.append(UnsafeBufferPointer(decoder.cells))
      guard isUnique else { return }
      let values = UnsafeRawBufferPointer(rebasing: key[..<decoder.columnBytes])
      if !decoder.hasNull, last.equals(values) { duplicates.add(last.row, decoder.row) }
      last.set(values, row: decoder.row)
    }
  }
}

/// A row has fewer columns than an index needs.
package struct MissingColumn: Error, Sendable, Hashable {
  package let position: Int
}
