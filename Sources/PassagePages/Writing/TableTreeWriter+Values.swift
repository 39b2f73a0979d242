package import PassageValues

extension TableTreeWriter {
  /// Appends the rows of a small table.
  ///
  /// - Parameter rows: in the order of their keys: the key, and every column in order, as it is to be
  ///   stored, with NULL in the place of the key.
  /// - Throws: ``KeyOutOfOrder``, or an error of the file.
  package func append(_ rows: [(key: Int64, cells: [Value])]) throws {
    let arena = ValueArena()
    for row in rows {
      let images = row.cells.map { Self.image(of: arena.kept($0)) }
      try images.withUnsafeBufferPointer { try append(key: row.key, $0) }
    }
    withExtendedLifetime(arena) {}
  }

  private static func image(of cell: RawCell) -> CellImage {
    switch cell {
    case .null: .null
    case .integer(let value): .integer(value)
    case .real(let value): .real(value)
    case .text(let bytes): .text(bytes)
    case .blob(let bytes): .blob(bytes)
    }
  }
}
