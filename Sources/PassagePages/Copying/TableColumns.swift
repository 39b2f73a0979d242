internal import PassageValues

/// The columns of a table, in the order of its records.
package struct TableColumns: Sendable, Hashable {
  package let affinities: [Affinity]
  /// The column that is the row's key and NULL in the records; `nil` when the table has none.
  package let keyColumn: Int?

  package init(affinities: [Affinity], keyColumn: Int?) {
    self.affinities = affinities
    self.keyColumn = keyColumn
  }
}

extension RecordView {
  /// A column's value as SQLite gives it, and not as it is stored.
  ///
  /// - Parameters:
  ///   - column: a column of the table.
  ///   - key: the row's key, which is stored beside the record.
  func cell(_ column: Int, key: Int64, of table: TableColumns) -> RawCell {
    if column == table.keyColumn { return .integer(key) }
    let cell = cell(column)
    // Whole numbers of such a column are stored as integers:
    // https://www.sqlite.org/fileformat2.html#record_format
    if case .integer(let value) = cell, table.affinities[column] == .real {
      return .real(Double(value))
    }
    return cell
  }

  /// The number in a column as SQLite gives it; NULL for any other value.
  @inline(__always)
  func number(_ column: Int, key: Int64, of table: TableColumns) -> Number {
    if column == table.keyColumn { return .integer(key) }
    guard column < count else { return .null }
    let place = columns[column]
    guard place.isInteger else {
      return place.type == SerialType.real ? Number(real(at: place.offset)) : .null
    }
    let value = integer(place)
    return table.affinities[column] == .real ? .real(Double(value)) : .integer(value)
  }
}
