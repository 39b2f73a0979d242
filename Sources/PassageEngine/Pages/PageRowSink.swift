internal import PassagePages
internal import PassageSQLite
internal import PassageValues

/// Appends rows to the pages of a destination table, without SQL.
final class PageRowSink: RowSink {
  /// A destination table: where it begins, and what its columns make of values.
  struct Table {
    let name: String
    let root: UInt32
    let columns: [String]
    let affinities: [Affinity]

    init?(_ name: String, _ connection: Connection) throws {
      guard
        let root = try connection.value(
          "SELECT rootpage FROM main.sqlite_master WHERE type = 'table' AND name = ?",
          [.text(name)])?.integer,
        let page = UInt32(exactly: root), page > 1
      else { return nil }
      let rows = try connection.rows(
        "SELECT name, type FROM pragma_table_info(?, 'main')", [.text(name)])
      self.name = name
      self.root = page
      columns = rows.map { $0[0].string ?? "" }
      affinities = rows.map { Affinity(declaredType: $0[1].string ?? "") }
    }
  }

  private let writer: TableTreeWriter
  private let table: Table
  /// The cells of a row, those that are the same in every row filled in.
  private var images: [CellImage]
  /// By cell of the batch, the column in the table.
  private let positions: [Int]
  /// The row that is being appended.
  private var batch: RowBatch
  /// The constants' bytes, to which ``images`` points.
  private let held: RowBatch
  private let constants: [Int]

  /// - Parameters:
  ///   - constants: columns that hold the same in every row.
  ///   - columns: the other columns after `Z_PK`, in the order of the cells.
  init(
    _ writer: TableTreeWriter, table: Table, constants: [(column: String, value: Value)],
    columns: [String]
  ) throws {
    self.writer = writer
    self.table = table
    func position(_ name: String) throws -> Int {
      guard let found = table.columns.firstIndex(of: name) else {
        throw PagesUnsuitable("\(table.name) has no column \(name)")
      }
      return found
    }
    positions = try columns.map(position)
    self.constants = try constants.map { try position($0.column) }
    images = Array(repeating: .null, count: table.columns.count)
    batch = RowBatch(columnCount: columns.count)
    var held = RowBatch(columnCount: constants.count)
    held.begin(key: 0)
    for constant in constants { held.append(constant.value) }
    self.held = held
  }

  func append(key: Int64, _ fill: (inout RowBatch) throws -> Void) throws {
    defer { batch.removeAll() }
    batch.begin(key: key)
    try fill(&batch)
    try held.forEachCell { _, column, cell in
      try set(constants[column], to: cell)
    } afterwards: {
      try batch.forEachCell { _, column, cell in
        try set(positions[column], to: cell)
      } afterwards: {
        try images.withUnsafeBufferPointer { try writer.append(key: key, $0) }
      }
    }
  }

  private func set(_ column: Int, to cell: RawCell) throws {
    guard let image = table.affinities[column].image(of: cell) else {
      throw PagesUnsuitable(
        "a value of \(table.name).\(table.columns[column]) would be converted between text and number"
      )
    }
    images[column] = image
  }

  /// Nothing is kept back: the pages are in the file at the next mark of the file's writer.
  func mark() {}
}

/// The page lane cannot go on, for a reason that is no fault of the store: another lane does the work.
struct PagesUnsuitable: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
