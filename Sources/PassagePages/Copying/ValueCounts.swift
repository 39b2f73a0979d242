internal import PassageValues

/// What is asked of the value of a column.
package enum ValueTest: Sendable, Hashable {
  /// Whether there is one: it is not NULL.
  case isPresent
  /// Whether it is a number less than the first, or as large as the one after the second. The first is
  /// `Int64.min` or has 32 bits, the second is `Int64.max` or has 32 bits.
  case isOutside(Int64, Int64)
  /// Whether it is a finite floating-point number whose magnitude is larger.
  case isBeyond(Double)
  /// Whether it is an integer that no floating-point number is.
  case isInexactReal
  /// Whether it is an integer that no floating-point number of 32 bits is, or a finite floating-point number
  /// whose magnitude is larger than the largest of these.
  case isInexactSingle(largest: Double)

  /// - Parameter cell: as SQLite gives it, not as it is stored.
  func holds(_ cell: RawCell) -> Bool {
    switch (self, cell) {
    case (.isPresent, .null): false
    case (.isPresent, _): true
    case (.isOutside(let smallest, let largest), .integer(let number)):
      number < smallest || number > largest
    case (.isOutside(let smallest, let largest), .real(let number)):
      // The number after the largest of 64 bits is exact, as are those of 32 bits.
      number < Double(smallest) || number >= Double(largest) + (largest == .max ? 0 : 1)
    case (.isBeyond(let largest), .real(let number)),
      (.isInexactSingle(let largest), .real(let number)):
      number.isFinite && number.magnitude > largest
    case (.isInexactReal, .integer(let number)):
      Double(number) < 0x1p63 ? Int64(Double(number)) != number : true
    case (.isInexactSingle, .integer(let number)): Float(exactly: number) == nil
    default: false
    }
  }
}

/// Columns of a table in which something is counted, in the rows of one entity or in all.
package struct CountedColumns: Sendable {
  /// The number of the entity; `nil` for every row.
  let entityNumber: Int64?
  /// The positions of the columns in the records, and what is asked of their values.
  let columns: [(position: Int, test: ValueTest)]
  /// The rows for which one of them holds are counted; without any, every row is.
  let conditions: [RowCondition]

  package init(
    entityNumber: Int64?, columns: [(position: Int, test: ValueTest)],
    conditions: [RowCondition] = []
  ) {
    self.entityNumber = entityNumber
    self.columns = columns
    self.conditions = conditions
  }
}

/// How many rows have values in columns for which tests hold.
package struct ValueCounts: Sendable, Hashable {
  /// By position in what was asked for, and by position among its columns.
  package private(set) var counts: [[Int64]]

  package init(of wanted: [CountedColumns]) {
    counts = wanted.map { [Int64](repeating: 0, count: $0.columns.count) }
  }

  /// - Parameter flat: one after the other.
  fileprivate init(of wanted: [CountedColumns], flat: [Int64]) {
    var rest = flat[...]
    counts = wanted.map { item in
      defer { rest = rest.dropFirst(item.columns.count) }
      return Array(rest.prefix(item.columns.count))
    }
  }

  /// Adds those of another part of the table.
  package mutating func add(_ other: ValueCounts) {
    for (place, found) in other.counts.enumerated() {
      for (column, count) in found.enumerated() { counts[place][column] &+= count }
    }
  }
}

extension TableSweep {
  /// Counts the rows with values for which tests hold. The sweep begins again before the first.
  ///
  /// - Parameters:
  ///   - wanted: with columns less than the count given at the beginning.
  ///   - entityColumn: the position of the column with a row's entity.
  ///   - table: the columns of the table.
  /// - Throws: ``PageDamage``, or an error of the file.
  /// - Complexity: O(n) in the rows. Where only presence is asked, a value that does not fit its page is not
  ///   read.
  package func valueCounts(
    _ wanted: [CountedColumns], entityColumn: Int, of table: TableColumns
  ) throws -> ValueCounts {
    restart()
    let counts = try restOfValueCounts(wanted, entityColumn: entityColumn, of: table)
    restart()
    return counts
  }

  /// The same for a range of rows. No row follows.
  ///
  /// - Throws: ``PageDamage``, or an error of the file.
  package func valueCounts(
    _ wanted: [CountedColumns], entityColumn: Int, of table: TableColumns, in range: LeafRange
  ) throws -> ValueCounts {
    try begin(range)
    return try restOfValueCounts(wanted, entityColumn: entityColumn, of: table)
  }

  private func restOfValueCounts(
    _ wanted: [CountedColumns], entityColumn: Int, of table: TableColumns
  ) throws -> ValueCounts {
    let questions = Questions(wanted)
    let conditions = RowConditions(wanted, of: table)
    let asksForEntity = questions.asksForEntity
    var found = [Int64](repeating: 0, count: questions.count)
    try found.withUnsafeMutableBufferPointer { found in
      try questions.present.withUnsafeBufferPointer { present in
        while try next() {
          let entity = asksForEntity ? try cell(entityColumn) : .null
          for (position, item) in questions.items.enumerated() {
            if let number = item.entityNumber, !entity.isNumber(number) { continue }
            if let conditions, conditions.decides(item: position) {
              // They take longer than to see that there is nothing to count.
              guard try hasAnyAnswer(questions, item, table),
                try conditions.hold(ofItem: position, self)
              else { continue }
            }
            for index in item.present where try hasValue(present[index].column) {
              found[present[index].place] &+= 1
            }
            for index in item.tested {
              let (column, place, test) = questions.tested[index]
              let cell = try record(through: column).cell(column, key: key, of: table)
              if test.holds(cell) { found[place] &+= 1 }
            }
          }
        }
      }
    }
    return ValueCounts(of: wanted, flat: found)
  }

  private func hasAnyAnswer(
    _ questions: Questions, _ item: Questions.Item, _ table: TableColumns
  ) throws -> Bool {
    for index in item.present where try hasValue(questions.present[index].column) { return true }
    for index in item.tested {
      let (column, _, test) = questions.tested[index]
      if test.holds(try record(through: column).cell(column, key: key, of: table)) { return true }
    }
    return false
  }
}

/// What is asked of each row. That there is a value is asked apart: it is looked up in less time.
private struct Questions {
  /// The questions to the rows of an entity.
  struct Item {
    let entityNumber: Int64?
    let present: Range<Int>
    let tested: Range<Int>
  }

  private(set) var items: [Item] = []
  /// The columns, and the places of the answers.
  private(set) var present: [(column: Int, place: Int)] = []
  private(set) var tested: [(column: Int, place: Int, test: ValueTest)] = []

  init(_ wanted: [CountedColumns]) {
    for item in wanted {
      let (first, firstTested) = (present.count, tested.count)
      for (column, test) in item.columns {
        if test == .isPresent {
          present.append((column, count))
        } else {
          tested.append((column, count, test))
        }
      }
      items.append(
        Item(
          entityNumber: item.entityNumber, present: first..<present.count,
          tested: firstTested..<tested.count))
    }
  }

  var count: Int { present.count + tested.count }
  var asksForEntity: Bool { items.contains { $0.entityNumber != nil } }
}
