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
/// Entries of one or two columns with nothing but integers and NULL are sorted as words of 32 bits, which
/// nearly all keys fit into. With the first larger or negative one all entries become words of 64 bits, and
/// with the first other value byte strings.
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
  /// What has the entries.
  private enum Form {
    case narrowWords
    case wideWords
    case byteStrings
  }
  private var form: Form
  // Constants cost no reference counts where every row needs them.
  private let narrowWords: WordIndex<UInt32>
  private let wideWords: WordIndex<UInt64>
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
    narrowWords = WordIndex(columns: columns, memory: memory)
    wideWords = WordIndex(columns: columns, memory: memory)
    byteStrings = EntrySorter(memory: memory)
    if columns.count <= 2 {
      form = .narrowWords
      narrowWords.begin()
    } else {
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
    if form == .narrowWords, try narrowWords.add(key: key, first, second) { return }
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
    case .narrowWords:
      if try narrowWords.add(key: key, cells) { return }
      try convert(narrowWords, to: .wideWords)
      try addCells(key: key)
    case .wideWords:
      if try wideWords.add(key: key, cells) { return }
      try convert(wideWords, to: .byteStrings)
      try addCells(key: key)
    case .byteStrings:
      try byteStrings.add(UnsafeBufferPointer(cells), row: key, inversions: inversions)
    }
  }

  /// Gives all entries so far another form. The values in ``cells`` stay.
  private func convert<Word>(_ words: WordIndex<Word>, to next: Form) throws {
    let values = (cells[0], cells[columnCount - 1])
    words.giveUpShare()
    form = next
    if next == .wideWords { wideWords.begin() } else { byteStrings.begin() }
    try words.forEach(into: cells) { row in try addCells(key: row) }
    words.end()
    cells[0] = values.0
    cells[columnCount - 1] = values.1
  }

  // MARK: Writing

  /// Sorts the entries and builds the index from them. It is done once.
  ///
  /// - Parameters:
  ///   - root: the index's root page: an empty leaf.
  /// - Returns: the equal entries of a unique index.
  /// - Throws: ``SpillDamage``, or an error of the files.
  package func write(to file: PageFileWriter, root: UInt32) throws -> DuplicateEntries {
    let writer = IndexWriter(file, root: root)
    var duplicates = DuplicateEntries()
    switch form {
    case .narrowWords: try narrowWords.write(to: writer, isUnique: isUnique, &duplicates)
    case .wideWords: try wideWords.write(to: writer, isUnique: isUnique, &duplicates)
    case .byteStrings: try writeByteStrings(to: writer, &duplicates)
    }
    try writer.finish()
    narrowWords.end()
    wideWords.end()
    byteStrings.end()
    return duplicates
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
