internal import PassagePages
internal import PassageSQLite
internal import PassageStores

/// Finds the source's indexes from which those of join tables can be copied that the adopted pass has
/// copied page by page.
struct JoinedIndexes {
  /// An index that is copied.
  struct Copy {
    let place: ReservedIndex
    let columns: [IndexColumn]
    let table: PageTable
    fileprivate let index: PairIndex
    /// What the pass has written of the table.
    fileprivate let written: CopiedJoin

    /// Whether the table still is what the pass has written.
    ///
    /// - Parameter totals: of the store with the table.
    func isCurrent(_ totals: LeafTotals) throws -> Bool {
      try totals.matches(written.table, root: table.root)
    }

    /// Copies the index.
    ///
    /// - Parameter first: what each of the other threads does before.
    /// - Returns: false when the source's index does not have the pairs of the table: what was
    ///   written then is not to be used.
    func write(
      to file: PageFileWriter, threadCount: Int, control: RunControl,
      after first: @escaping @Sendable () -> Void = {}
    ) throws -> Bool {
      let counts = try index.copy(
        to: file, root: place.root, threadCount: threadCount, control: control, after: first)
      return counts?.copied == written.pairs
    }
  }

  private let rules: [JoinTableRule]
  private let journal: Journal
  private let reader: PageReader
  /// Keeps the pages of the source as they are.
  private let source: Connection

  /// - Returns: `nil` when there are none.
  init?(_ step: StepRun, _ journal: Journal) throws {
    guard case .success(let reader)? = step.pages, let pass = try journal.adoptedPass else {
      return nil
    }
    let ofPass = journal.of(pass: pass)
    let rules = try (step.links.plan.copies[pass] ?? []).filter { try ofPass.copied($0) != nil }
    guard !rules.isEmpty else { return nil }
    self.rules = rules
    self.reader = reader
    self.journal = ofPass
    source = try step.source.open()
    guard try reader.isCurrent() else { return nil }
  }

  /// - Parameters:
  ///   - place: of the index, reserved.
  ///   - columns: of the index.
  ///   - table: with the index.
  /// - Returns: `nil` when the index must be sorted.
  func copy(
    of place: ReservedIndex, _ columns: [IndexColumn], on table: PageTable
  ) throws -> Copy? {
    let names = columns.compactMap { column in
      column.isDescending ? nil : column.position.map { table.names[$0] }
    }
    guard names.count == columns.count,
      let rule = rules.first(where: { $0.destination.name == table.name }),
      let written = try journal.copied(rule),
      let index = try PairIndex(
        rule, columns: names, isUnique: place.index.isUnique, source, reader)
    else { return nil }
    return Copy(place: place, columns: columns, table: table, index: index, written: written)
  }
}
