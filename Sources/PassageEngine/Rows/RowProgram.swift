internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassageValues

/// A ``ColumnProgram`` in code. It fills the cells that differ between rows, one object at a time.
struct RowProgram {
  /// Where a cell comes from, with columns resolved to positions in the source.
  private enum Origin {
    case copy(column: Int)
    case compute(position: Int)
    case key(offset: Int64)
    case link(LinkCell<Int>)
  }

  private struct Cell {
    var origin: Origin
    /// The attribute's name when the object must have a value here.
    var requiredName: String?
  }

  private let cells: [Cell]
  /// The columns that the sink receives, in the order of the cells.
  let columns: [String]

  init(_ program: ColumnProgram, source: some RowSource) {
    let variables = program.variables
    columns = variables.map(\.name)
    cells = variables.compactMap { column in
      let origin: Origin
      switch column.cell {
      case .constant: return nil
      case .copy(let path): origin = .copy(column: source.column(path))
      case .compute(let position): origin = .compute(position: position)
      case .key(let offset): origin = .key(offset: offset)
      case .link(let link): origin = .link(link.map { source.column(named: $0) })
      }
      return Cell(origin: origin, requiredName: column.isRequired ? column.attribute?.name : nil)
    }
  }

  /// Appends the cells of the reader's current object.
  ///
  /// - Parameter missing: called with the name of a required attribute that became nil.
  func fill(
    _ batch: inout RowBatch, from object: SourceObject, _ source: some RowSource,
    _ mapper: RowMapper,
    missing: (String) throws -> Void
  ) throws {
    for cell in cells {
      var isNull = false
      switch cell.origin {
      case .copy(let column):
        isNull = try source.append(column, to: &batch)
      case .compute(let position):
        let value = try mapper.value(position, of: object)
        isNull = value.isNull
        batch.append(value)
      case .key(let offset): batch.append(RawCell.integer(object.key &+ offset))
      case .link(let link):
        batch.append(link.value(ofKey: object.key) { source.value(ofColumn: $0) })
      }
      if isNull, let name = cell.requiredName { try missing(name) }
    }
  }
}
