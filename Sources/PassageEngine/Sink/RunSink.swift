internal import PassagePages
internal import PassageQueries
internal import PassageValues

/// Keeps the rows of a table in a ``RowRun``, until the table's writer takes them.
final class RunSink: RowSink {
  private let run: RowRun
  private let table: PageTable
  /// The column of each cell.
  private let places: [Int]
  private let constants: [CellImage]
  /// The row that is being appended.
  private var batch: RowBatch
  private var images: [CellImage]
  /// What went wrong first, even if a policy has caught the error.
  private var failure: (any Error)?

  /// - Parameters:
  ///   - constants: columns with the same number in every row.
  ///   - columns: the other columns after `Z_PK`, in the order of the cells.
  /// - Throws: ``PagesUnsuitable`` when the table has other columns.
  init(
    _ run: RowRun, _ table: PageTable, constants: [(column: String, value: Value)],
    columns: [String]
  ) throws {
    self.run = run
    self.table = table
    places = columns.map(table.position)
    guard places.allSatisfy({ $0 >= 0 }) else { throw Self.unsuitable(table) }
    batch = RowBatch(columnCount: columns.count)
    images = Array(repeating: .null, count: table.names.count)
    for (column, value) in constants {
      let place = table.position(column)
      guard place >= 0, case .integer(let number) = value,
        let image = table.columns.affinities[place].image(of: .integer(number))
      else { throw Self.unsuitable(table) }
      images[place] = image
    }
    self.constants = images
  }

  private static func unsuitable(_ table: PageTable) -> PagesUnsuitable {
    PagesUnsuitable("\(table.name) has other columns than expected")
  }

  func append(key: Int64, _ fill: (inout RowBatch) throws -> Void) throws {
    if let failure { throw failure }
    do {
      batch.begin(key: key)
      defer { batch.removeAll() }
      try fill(&batch)
      try batch.forEachCell { _, column, cell in
        let place = places[column]
        guard let image = table.columns.affinities[place].image(of: cell) else {
          throw PagesUnsuitable(
            "a value of \(table.name).\(table.names[place]) would be converted between text and "
              + "number")
        }
        images[place] = image
      } afterwards: {
        try images.withUnsafeBufferPointer { try run.append(key: key, $0) }
      }
    } catch {
      failure = error
      throw error
    }
  }

  func mark() throws {
    if let failure { throw failure }
  }
}
