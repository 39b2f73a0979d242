internal import PassageValues

/// The conditions under which the rows of a table are counted: see ``CountedColumns/conditions``.
final class RowConditions {
  private let machine: CellMachine
  private let places: UnsafeMutableBufferPointer<CellMachine.Place>
  /// Where the conditions of each item are among the places.
  private let items: UnsafeMutableBufferPointer<Range<Int>>
  private let affinities: UnsafeMutableBufferPointer<Affinity>
  private let keyColumn: Int
  /// The last column that a condition reads; -1 when none reads any.
  private let lastColumn: Int

  /// - Returns: `nil` when there are no conditions.
  init?(_ wanted: [CountedColumns], of table: TableColumns) {
    let conditions = wanted.flatMap(\.conditions)
    guard !conditions.isEmpty else { return nil }
    var programs = CellMachineBuilder()
    places = .allocate(capacity: conditions.count)
    _ = places.initialize(from: conditions.map { programs.append($0) })
    machine = CellMachine(programs)
    items = .allocate(capacity: wanted.count)
    var first = 0
    for (position, item) in wanted.enumerated() {
      items.initializeElement(at: position, to: first..<first + item.conditions.count)
      first += item.conditions.count
    }
    affinities = .allocate(capacity: table.affinities.count)
    _ = affinities.initialize(from: table.affinities)
    keyColumn = table.keyColumn ?? -1
    lastColumn = conditions.flatMap(\.columns).max() ?? -1
  }

  deinit {
    places.deallocate()
    items.deallocate()
    affinities.deallocate()
  }

  /// Whether the current row of a sweep is counted.
  ///
  /// - Parameter item: by position in what was asked for.
  /// - Throws: ``UndecidedRow``, ``PageDamage``, or an error of the file.
  func hold(ofItem item: Int, _ sweep: TableSweep) throws -> Bool {
    let range = items[item]
    if range.isEmpty { return true }
    guard let affinities = affinities.baseAddress else { throw UndecidedRow() }
    let row = RowCells(
      key: sweep.key, record: try sweep.record(through: lastColumn), keyColumn: keyColumn,
      affinities: affinities)
    machine.beginRow()
    for place in range {
      switch machine.answer(places[place], of: row) {
      case .holds: return true
      case .fails: continue
      case .undecided: throw UndecidedRow()
      }
    }
    return false
  }
}
