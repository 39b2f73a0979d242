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

  /// A sweep for a thread of its own. It gives no columns.
  package func makeSweep() -> TableSweep {
    TableSweep(reader, root: root, columnCount: 1, seen: SeenPages(of: seen))
  }

  /// The ranges of the table's leaves.
  package func makeRanges() -> LeafRanges { LeafRanges(reader, root: root, after: nil) }
}
