package import PassageFiles

/// What the links of a table's rows lead to, in the order of the rows: for objects that are too many
/// for a ``LinkTable``.
///
/// The links are sorted by the objects that they lead to, merged with what these have become, and
/// sorted back. Memory stays the same for any number of links; the rest is in a temporary file.
///
/// ```swift
/// let run = LinkRun(byteCount: 4 << 20) { try PositionalFile(path, mode: .updating) }
/// while try sweep.next() { try run.add(row: sweep.key, link: key) }
/// guard try run.resolve(fates, exists: exists) else { … }
/// while try sweep.next() { try run.advance(to: sweep.key); use(run.current) }
/// ```
package final class LinkRun {
  /// What a row's link leads to.
  package enum Found: Sendable, Hashable {
    /// An object of the destination.
    case object(key: Int64, entityNumber: Int64)
    /// An object of the source that has become nothing, if there is a link.
    case nothing
    /// No object of the source.
    case dangling
  }

  /// Less memory than this does not hold the buffers of its sorters.
  package static let leastBytes = 2 * SortMemory.leastShare

  package let byteCount: Int
  /// The links: the key of the related object, and the row.
  private let links: WordSorter<WordPair<UInt64>>
  /// The results: the row, the key of the related object, and the number of its entity. 0 stands
  /// for a link that dangles; a link to an object that has become nothing has no result.
  private let results: WordSorter<WordTriple<UInt64>>
  private var reader: WordReader<WordTriple<UInt64>>?
  private var head: WordTriple<UInt64>?
  /// What the link of the row leads to that was advanced to.
  package private(set) var current = Found.nothing

  /// - Parameters:
  ///   - byteCount: the memory, at least ``leastBytes``.
  ///   - meter: told what it takes; `nil` for none.
  ///   - makeFile: makes the file for what does not fit into memory.
  package init(
    byteCount: Int, meter: MemoryMeter? = nil,
    makeFile: @escaping @Sendable () throws -> PositionalFile
  ) {
    self.byteCount = byteCount
    let memory = SortMemory(byteCount: byteCount, meter: meter, makeFile: makeFile)
    links = WordSorter(memory: memory)
    results = WordSorter(memory: memory)
    links.begin()
    results.begin()
  }

  // MARK: Making

  /// Adds the link of a row, in any order of rows.
  ///
  /// - Parameter key: of the related object.
  @inline(__always)
  package func add(row: Int64, link key: Int64) throws {
    try links.add(WordPair(value: UInt64(ofRow: key), row: UInt64(ofRow: row)))
  }

  /// Finds out what the links lead to. It is done once, after the last link was added.
  ///
  /// - Parameters:
  ///   - fates: for each mapping, gives what objects have become in the order of source keys.
  ///   - exists: whether there is a source object; asked in ascending order, once for each key that
  ///     has become nothing.
  /// - Returns: false when a link leads to an object that has become several.
  package func resolve(
    _ fates: [() throws -> LinkFate?], exists: (Int64) throws -> Bool
  ) throws -> Bool {
    do {
      var fates = try LinkFates(fates)
      var last: (word: UInt64, key: UInt64, entityNumber: UInt64?)?
      try links.forEach { link in
        if last?.word != link.value {
          let source = UInt64.row(of: link.value)
          if let fate = try fates.find(source) {
            last = (
              link.value, UInt64(ofRow: fate.key), UInt64(bitPattern: fate.entityNumber)
            )
          } else {
            last = (link.value, 0, try exists(source) ? nil : 0)
          }
        }
        if let last, let number = last.entityNumber {
          try results.add(WordTriple(first: link.row, second: last.key, row: number))
        }
      }
      links.end()
      let reader = try results.makeReader()
      self.reader = reader
      head = try reader.next()
      return true
    } catch is UnmergeableLinks {
      return false
    }
  }

  // MARK: Reading

  /// Goes to a row.
  ///
  /// - Parameter row: not smaller than the one before.
  package func advance(to row: Int64) throws {
    let word = UInt64(ofRow: row)
    while let result = head, result.first < word { head = try reader?.next() }
    guard let result = head, result.first == word else {
      current = .nothing
      return
    }
    current =
      result.row == 0
      ? .dangling
      : .object(
        key: UInt64.row(of: result.second), entityNumber: Int64(bitPattern: result.row))
  }
}
