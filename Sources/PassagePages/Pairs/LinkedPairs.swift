internal import PassageValues

/// Makes the pairs of a join table from those of another one whose ends have become other objects:
/// what they have become is found in tables of links, and the pairs are sorted again.
///
/// ```swift
/// let pairs = LinkedPairs(sweep, ends: (first, second), cells: [.end(0), .end(1)], memory: memory)
/// while try pairs.run(rows: 100_000) { … }
/// let digest = try pairs.write(to: file, table: root, index: indexRoot)
/// ```
///
/// A pair with an end that has become nothing is left out and counted. Pairs that have become equal
/// are written once.
package final class LinkedPairs {
  /// An end of the pairs.
  package struct End {
    /// The column of the source with its key.
    var column: Int
    var links: LinkTable

    package init(column: Int, links: LinkTable) {
      self.column = column
      self.links = links
    }
  }

  /// The pairs that are left out.
  package struct Lost: Sendable, Hashable {
    /// Those of which only the second, or only the first end has become nothing.
    package var ofFirst: Int64 = 0
    package var ofSecond: Int64 = 0
    /// Those of which an end leads to no object of the source.
    package var dangling: Int64 = 0

    package init(ofFirst: Int64 = 0, ofSecond: Int64 = 0, dangling: Int64 = 0) {
      self.ofFirst = ofFirst
      self.ofSecond = ofSecond
      self.dangling = dangling
    }
  }

  private let sweep: TableSweep
  private let ends: (End, End)
  private let cells: [PairCopier.Cell]
  /// The columns of the source with places, at most two.
  private let places: [Int]
  private let lastColumn: Int
  private let pairs: WordSorter<WordTriple<UInt64>>
  private let placedPairs: WordSorter<PlacedPair>
  /// The pairs that were read, before anything became of them.
  package private(set) var read = PairCounts()
  package private(set) var lost = Lost()

  /// - Parameters:
  ///   - cells: for each column of the destination; all of them store numbers, and at most two are
  ///     copied.
  package init(
    _ sweep: TableSweep, ends: (End, End), cells: [PairCopier.Cell], memory: SortMemory
  ) {
    self.sweep = sweep
    self.ends = ends
    self.cells = cells
    places = cells.compactMap { if case .copy(let column) = $0 { column } else { nil } }
    lastColumn = max(ends.0.column, ends.1.column, places.max() ?? 0)
    pairs = WordSorter(memory: memory)
    placedPairs = WordSorter(memory: memory)
    if places.isEmpty { pairs.begin() } else { placedPairs.begin() }
  }

  // MARK: Reading

  /// Reads pairs until so many rows are read.
  ///
  /// - Returns: whether there are more.
  /// - Throws: ``PageDamage``, ``ConvertedValue``, or an error of a file.
  package func run(rows: Int) throws -> Bool {
    for _ in 0..<rows {
      guard try sweep.next() else { return false }
      let record = try sweep.record(through: lastColumn)
      guard let first = try key(record, ends.0.column, 0),
        let second = try key(record, ends.1.column, 1)
      else {
        read.leftOut &+= 1
        lost.dangling &+= 1
        continue
      }
      read.copied.add(first, second, row: sweep.key)
      let found = (Self.find(first, ends.0.links), Self.find(second, ends.1.links))
      switch found {
      case (.object(let one), .object(let other)): try add(one, other, record)
      case (.dangling, _), (_, .dangling): lost.dangling &+= 1
      case (.nothing, .object): lost.ofFirst &+= 1
      case (.object, .nothing): lost.ofSecond &+= 1
      case (.nothing, .nothing): break
      }
    }
    return true
  }

  /// A key of the source; `nil` when there is none.
  @inline(__always)
  private func key(
    _ record: RecordView, _ column: Int, _ end: Int
  ) throws(ConvertedValue) -> Int64? {
    switch record.cell(column) {
    case .integer(let key): return key
    case .real: throw ConvertedValue(column: end)
    default: return nil
    }
  }

  private enum Found {
    case object(Int64)
    /// An object of the source that has become nothing.
    case nothing
    /// No object of the source.
    case dangling
  }

  @inline(__always)
  private static func find(_ key: Int64, _ links: LinkTable) -> Found {
    if let found = LinkTable.find(key, in: links.parts, count: links.partCount) {
      return .object(found.key)
    }
    return links.existing?.contains(key) == true ? .nothing : .dangling
  }

  @inline(__always)
  private func add(_ first: Int64, _ second: Int64, _ record: RecordView) throws {
    guard let one = UInt64(ofInteger: first),
      let other = UInt64(ofInteger: second)
    else { throw ConvertedValue(column: 0) }
    let row = UInt64(ofRow: sweep.key)
    guard !places.isEmpty else {
      return try pairs.add(WordTriple(first: one, second: other, row: row))
    }
    try placedPairs.add(
      PlacedPair(
        first: one, second: other, place: try place(record, 0), otherPlace: try place(record, 1),
        row: row))
  }

  private func place(_ record: RecordView, _ number: Int) throws -> UInt64 {
    guard number < places.count else { return 0 }
    switch record.cell(places[number]) {
    case .null: return 0
    case .integer(let place):
      // No word is left for the largest number.
      guard let word = UInt64(ofInteger: place) else {
        throw ConvertedValue(column: 2 + number)
      }
      return word
    default: throw ConvertedValue(column: 2 + number)
    }
  }

  // MARK: Writing

  /// Writes the pairs, and the index of their keys. It is done once.
  ///
  /// - Parameters:
  ///   - root: the root page of the empty table.
  ///   - indexRoot: the root page of the empty index.
  /// - Returns: the digest of the table.
  /// - Throws: ``AmbiguousPair`` when pairs with different places have become equal, or an error of
  ///   a file.
  package func write(
    to file: PageFileWriter, table root: UInt32, index indexRoot: UInt32
  ) throws -> PageDigest {
    let writer = PairWriter(
      cells, TableTreeWriter(file, root: root), IndexWriter(file, root: indexRoot))
    if places.isEmpty {
      try pairs.forEach { try writer.append($0.first, $0.second, (0, 0)) }
    } else {
      try placedPairs.forEach {
        try writer.append($0.first, $0.second, ($0.place, $0.otherPlace))
      }
    }
    pairs.end()
    placedPairs.end()
    return try writer.finish()
  }
}

/// Pairs with different places have become equal: their place is not known.
package struct AmbiguousPair: Error {}

/// A pair of a join table with the places of both ends in their orders; NULL is 0.
struct PlacedPair: WordEntry {
  static var wordCount: Int { 5 }
  var first: UInt64
  var second: UInt64
  var place: UInt64
  var otherPlace: UInt64
  var row: UInt64

  @inline(__always)
  static func isBefore(_ one: PlacedPair, _ other: PlacedPair) -> Bool {
    for word in 0..<wordCount where one[word] != other[word] { return one[word] < other[word] }
    return false
  }

  @inline(__always)
  subscript(word: Int) -> UInt64 {
    switch word {
    case 0: first
    case 1: second
    case 2: place
    case 3: otherPlace
    default: row
    }
  }
}
