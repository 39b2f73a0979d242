/// The sweeps of threads that read ranges of the same table: a page that two of them come to is
/// damage, as it is for one.
package struct SharedSweeps: Sendable {
  private let reader: PageReader
  private let root: UInt32
  private let seen: SharedPages

  /// - Parameter root: the table's root page.
  package init(_ reader: PageReader, root: UInt32) {
    self.reader = reader
    self.root = root
    seen = SharedPages(pageCount: reader.pageCount)
  }

  /// A sweep for a thread of its own.
  ///
  /// - Parameter columnCount: the columns that may be asked for, the key's own included.
  package func makeSweep(columnCount: Int = 1) -> TableSweep {
    TableSweep(reader, root: root, columnCount: columnCount, seen: SeenPages(of: seen))
  }

  /// The ranges of the table's leaves.
  package func makeRanges() -> LeafRanges { LeafRanges(reader, root: root, after: nil) }
}
