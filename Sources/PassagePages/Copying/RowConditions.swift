package import PassageValues

/// A condition for the rows of a table.
package struct RowCondition: Sendable {
  /// Decides about most rows; `nil` about none.
  let program: CellProgram?
  /// The positions of the columns that ``holds`` gets the cells of.
  let columns: [Int]
  /// Decides about the other rows.
  let holds: @Sendable (_ key: Int64, _ cells: [Value]) -> Bool

  package init(
    program: CellProgram?, columns: [Int],
    holds: @escaping @Sendable (_ key: Int64, _ cells: [Value]) -> Bool
  ) {
    self.program = program
    self.columns = columns
    self.holds = holds
  }
}

/// The conditions under which the rows of a table are counted: see ``CountedColumns/conditions``.
final class RowConditions {
  private let conditions: [RowCondition]
  private let machine: CellMachine
  /// By condition, where its program is.
  private let places: [CellMachine.Place?]
  /// The conditions of each item.
  private let items: [Range<Int>]
  private let table: TableColumns
  private let affinities: UnsafeMutableBufferPointer<Affinity>
  /// The last column that a program or a condition reads; -1 when none reads any.
  private let lastColumn: Int

  /// - Returns: `nil` when there are no conditions.
  init?(_ wanted: [CountedColumns], of table: TableColumns) {
    conditions = wanted.flatMap(\.conditions)
    guard !conditions.isEmpty else { return nil }
    var programs = CellMachineBuilder()
    places = conditions.map { $0.program.map { programs.append($0) } }
    machine = CellMachine(programs)
    var items: [Range<Int>] = []
    for item in wanted {
      let first = items.last?.upperBound ?? 0
      items.append(first..<first + item.conditions.count)
    }
    self.items = items
    self.table = table
    affinities = .allocate(capacity: max(1, table.affinities.count))
    _ = affinities.initialize(from: table.affinities)
    lastColumn =
      conditions.flatMap { $0.columns + ($0.program?.columns ?? []) }.max() ?? -1
  }

  deinit { affinities.deallocate() }

  /// Whether an item has conditions.
  ///
  /// - Parameter item: by position in what was asked for.
  func decides(item: Int) -> Bool { !items[item].isEmpty }

  /// Whether one of an item's conditions holds for the current row of a sweep.
  ///
  /// - Throws: ``PageDamage``, or an error of the file.
  func hold(ofItem item: Int, _ sweep: TableSweep) throws -> Bool {
    let record = try sweep.record(through: lastColumn)
    machine.beginRow()
    for number in items[item] {
      switch answer(number, record, key: sweep.key) {
      case .holds: return true
      case .fails: continue
      case .undecided:
        let cells = conditions[number].columns.map {
          Value(record.cell($0, key: sweep.key, of: table))
        }
        if conditions[number].holds(sweep.key, cells) { return true }
      }
    }
    return false
  }

  private func answer(_ number: Int, _ record: RecordView, key: Int64) -> CellMachine.Answer {
    guard let place = places[number], let affinities = affinities.baseAddress else {
      return .undecided
    }
    let row = RowCells(
      key: key, record: record, keyColumn: table.keyColumn ?? -1, affinities: affinities)
    return machine.answer(place, of: row)
  }
}
