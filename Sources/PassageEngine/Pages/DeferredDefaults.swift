internal import PassagePages
internal import PassageValues

/// How a mapping makes the cells of its default object of a row's own cells, for those that need
/// nothing else. Such a cell is made when a policy asks for it; otherwise the row is copied without
/// it.
final class DeferredDefaults: Sendable {
  /// What a cell is made of. Columns are positions among the source object's cells.
  enum Cell: Sendable {
    case constant(Value)
    case copy(Int)
    case arithmetic([CopyProgram.Operation])
  }

  /// Objects with more attributes have no deferred cells.
  static let mostCells = UInt64.bitWidth

  /// By position of the attribute; `nil` for a cell that is made with the object.
  private let cells: [Cell?]
  /// The positions of the deferred cells, a bit for each.
  let positions: UInt64

  /// - Parameter cells: by position of the attribute, at most ``mostCells``.
  init(_ cells: [Cell?]) {
    self.cells = cells
    var positions: UInt64 = 0
    for (index, cell) in cells.prefix(Self.mostCells).enumerated() where cell != nil {
      positions |= 1 << UInt64(index)
    }
    self.positions = positions
  }

  /// Whether a cell is deferred.
  func contains(_ position: Int) -> Bool { positions >> UInt64(position) & 1 == 1 }

  /// Makes a cell.
  func value(at position: Int, of row: StoredRow.Memory, key: Int64) -> Value {
    switch cells[position] {
    case nil: .null
    case .constant(let value): value
    case .copy(let slot): row.value(at: slot)
    case .arithmetic(let operations):
      Value(CopyProgram.result(of: operations, key: key) { Number(row.value(at: $0)) })
    }
  }
}
