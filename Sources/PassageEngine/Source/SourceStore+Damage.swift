internal import PassagePages
internal import PassageStores

extension SourceStore {
  /// The first table whose pages contradict each other, and what is wrong.
  ///
  /// Where SQLite meets the damage first, its error names neither table nor page. The pages are read
  /// once more then, which is done only if the migration has failed.
  ///
  /// - Parameter control: asked now and then whether the run should stop.
  /// - Returns: `nil` when there is none, or when the pages cannot be read without SQLite.
  /// - Complexity: O(n) in the bytes of the store.
  func damagedTable(_ control: RunControl) -> DamagedTable? {
    guard type == nil, let opened, let reader = try? pageReader().get(),
      (try? reader.isCurrent()) == true
    else { return nil }
    for name in opened.facts.tables.map(\.name) {
      guard let table = PageTable(name, in: opened) else { continue }
      do {
        try Self.readAll(table, reader, control)
      } catch let damage as PageDamage {
        return DamagedTable(table: name, damage: damage)
      } catch {
        // What failed before says more than that this search was stopped, or that a file cannot be read.
        return nil
      }
    }
    return nil
  }

  private static let rowsBetweenStops = 4_096

  private static func readAll(
    _ table: PageTable, _ reader: PageReader, _ control: RunControl
  ) throws {
    let sweep = TableSweep(reader, root: table.root, columnCount: table.names.count)
    var rows = 0
    while try sweep.next() {
      _ = try sweep.record(through: table.names.count - 1)
      rows += 1
      if rows % rowsBetweenStops == 0 { try control.checkCancellation() }
    }
  }
}
