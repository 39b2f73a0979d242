/// Copies ranges of a table's rows to memory, for the thread that has the writer.
package final class RangeCopier {
  /// What the copiers of a table have in common.
  package struct Job: Sendable {
    private let reader: PageReader
    package let root: UInt32
    private let source: TableColumns
    private let entityColumn: Int?
    private let isAlone: Bool
    private let destination: TableColumns
    private let programs: [CopyProgram]
    /// The pages that all sweeps of the table have come to.
    private let seen: SharedPages
    private let longestPayload: Int

    /// - Parameters: as for a ``RowCopier``, and `longestPayload`, that of a record that fits a leaf of
    ///   the destination.
    package init(
      _ reader: PageReader, root: UInt32, source: TableColumns, entityColumn: Int?,
      isAlone: Bool = false, destination: TableColumns, programs: [CopyProgram],
      longestPayload: Int
    ) {
      self.reader = reader
      self.root = root
      self.source = source
      self.entityColumn = entityColumn
      self.isAlone = isAlone
      self.destination = destination
      self.programs = programs
      seen = SharedPages(pageCount: reader.pageCount)
      self.longestPayload = longestPayload
    }

    /// Begins with the rows of a range that no copier could copy, in a sweep that has the writer. A page of them
    /// that is also another range's is damage.
    ///
    /// - Throws: ``PageDamage``, or an error of the file.
    package func begin(_ range: LeafRange, in sweep: TableSweep) throws {
      try sweep.begin(range, in: seen)
    }

    /// A copier for a thread of its own; `nil` when a constant would be converted by SQLite.
    package func makeCopier() -> RangeCopier? {
      let memory = RowMemory(longestPayload: longestPayload)
      let sweep = TableSweep(
        reader, root: root, columnCount: source.affinities.count, seen: SeenPages(of: seen))
      guard
        let copier = try? RowCopier(
          sweep, output: .memory(memory), source: source, entityColumn: entityColumn,
          isAlone: isAlone, destination: destination, programs: programs)
      else { return nil }
      return RangeCopier(sweep, copier, memory)
    }
  }

  private let sweep: TableSweep
  private let copier: RowCopier
  private let memory: RowMemory

  private init(_ sweep: TableSweep, _ copier: RowCopier, _ memory: RowMemory) {
    self.sweep = sweep
    self.copier = copier
    self.memory = memory
  }

  /// Copies the rows of a range.
  ///
  /// - Parameters:
  ///   - decide: called for ``RowCopier/Stop/row(_:)``: it appends the row or does not, resumes the
  ///     copier, and returns why it stopped then.
  ///   - goesOn: called after so many rows; `false` leaves the range.
  /// - Returns: `nil` when the thread that has the writer must copy them: a row is too long, a value
  ///   would be converted, a page is damaged, the range was left, or `decide` has thrown. That thread
  ///   then tells of it.
  package func copy(
    _ range: LeafRange, rowsBetweenQuestions: Int = .max,
    decide: (_ program: Int, RowCopier) throws -> RowCopier.Stop, goesOn: () -> Bool = { true }
  ) -> CopiedRange? {
    do {
      try sweep.begin(range)
      var stop = RowCopier.Stop.limit
      while stop == .limit, goesOn() {
        stop = try copier.run(rows: rowsBetweenQuestions, bytes: .max)
        while case .row(let index) = stop { stop = try decide(index, copier) }
      }
      if stop == .end { return CopiedRange(rows: memory.take(), counts: copier.takeCounts()) }
    } catch {
      // Whatever it is, it comes again where it can be told.
    }
    copier.forgetRow()
    memory.removeAll()
    _ = copier.takeCounts()
    return nil
  }
}

/// The rows of a range, and what was counted when they were copied.
package struct CopiedRange: Sendable {
  package let rows: RowBuffer
  package let counts: CopyCounts
}
