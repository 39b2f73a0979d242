internal import PassageModels
internal import PassagePages
internal import PassageSQLite
internal import PassageStores

/// The SQL that converts a column of a plain table to a cell of Core Data: its value, whether it is
/// valid, and otherwise what is wrong. Neither of the last two is ever NULL.
struct TableCell {
  /// The column in the database.
  let column: String
  /// The column in Core Data's layout.
  let storedColumn: String
  let value: String
  /// The SQL condition for a valid value; `nil` if every value is valid.
  let isGood: String?
  /// The SQL of the problem of an invalid value: a number of ``problems``, counted from 1.
  let problem: String

  /// The possible problems, in the order of their numbers in SQL.
  static let problems: [QuarantinedRow.Reason] = [
    .wrongType, .outOfRange, .missingValue, .unreadableDate, .missingKey, .missingTarget,
  ]

  private static func number(_ reason: QuarantinedRow.Reason) -> Int {
    (problems.firstIndex(of: reason) ?? 0) + 1
  }

  /// Creates the cell of an attribute.
  init(
    _ attribute: Attribute, column: String, storedColumn: String, isRequired: Bool,
    isDeclaredRequired: Bool
  ) {
    let cell = "t.\(column.quotedIdentifier)"
    let form = Self.form(of: attribute, cell)
    self.column = column
    self.storedColumn = storedColumn
    value = form.value
    let missing = Self.number(.missingValue)
    // A column that SQLite keeps filled need not be checked.
    let needsValue = isRequired && !isDeclaredRequired
    isGood =
      isRequired
      ? form.isGoodAndFull ?? form.isGood.map { "(\(cell) IS NOT NULL AND \($0))" }
        ?? (needsValue ? "\(cell) IS NOT NULL" : nil)
      : form.isGoodOrEmpty ?? form.isGood.map { "(\(cell) IS NULL OR \($0))" }
    problem =
      "CASE WHEN \(cell) IS NULL THEN \(isRequired ? missing : 0) "
      + "WHEN \(form.isGood ?? "1") THEN 0 ELSE \(form.problem) END"
  }

  /// The stored types of an attribute's values that are copied as they are; `nil` when SQL converts
  /// them.
  static func typesCopied(of attribute: Attribute) -> StoredTypes? {
    switch attribute.type {
    case .integer16: .integers16
    case .integer32: .integers32
    case .integer64: .integers
    case .boolean: .zeroAndOne
    case .double, .float, .decimal: [.integers, .real]
    case .string, .uri: .text
    case .date: attribute.userInfo[TableModel.Key.epoch] == "2001" ? [.integers, .real] : nil
    case .binary, .transformable, .composite, .objectID, .undefined:
      attribute.allowsExternalBinaryDataStorage ? nil : .blob
    case .uuid: nil
    }
  }

  private struct Form {
    var value: String
    /// The condition for a valid value that is not NULL; `nil` if every such value is valid.
    var isGood: String?
    var problem: String
    /// A single condition for a value that is valid or NULL, if there is one: it is evaluated for
    /// every row.
    var isGoodOrEmpty: String?
    /// A single condition for a value that is valid and not NULL, if there is one.
    var isGoodAndFull: String?
  }

  private static func form(of attribute: Attribute, _ cell: String) -> Form {
    let type = "typeof(\(cell))"
    let wrongType = "\(number(.wrongType))"
    func whole(_ range: ClosedRange<Int64>) -> Form {
      let isInRange =
        range.lowerBound == .min
        ? "1" : "\(cell) BETWEEN \(range.lowerBound) AND \(range.upperBound)"
      func isGood(_ whenNull: Int) -> String {
        "CASE \(type) WHEN 'integer' THEN \(isInRange) WHEN 'null' THEN \(whenNull) "
          + "WHEN 'real' THEN abs(\(cell)) < 9e18 AND \(cell) = CAST(\(cell) AS INTEGER) "
          + "AND \(isInRange) ELSE 0 END"
      }
      return Form(
        value: "CAST(\(cell) AS INTEGER)", isGood: isGood(0),
        problem:
          "CASE WHEN \(type) IN ('integer', 'real') THEN \(number(.outOfRange)) ELSE \(wrongType) END",
        isGoodOrEmpty: isGood(1), isGoodAndFull: isGood(0))
    }
    switch attribute.type {
    case .integer16: return whole(Int64(Int16.min)...Int64(Int16.max))
    case .integer32: return whole(Int64(Int32.min)...Int64(Int32.max))
    case .integer64: return whole(.min ... .max)
    case .boolean:
      let numbers = whole(0...1)
      let read = "\(TableBoolean.read)(\(cell))"
      return Form(
        value: "CASE \(type) WHEN 'text' THEN \(read) ELSE \(numbers.value) END",
        isGood:
          "CASE \(type) WHEN 'text' THEN \(read) IS NOT NULL ELSE \(numbers.isGood ?? "1") END",
        problem: numbers.problem)
    case .double, .float, .decimal:
      return Form(value: cell, isGood: "\(type) IN ('integer', 'real')", problem: wrongType)
    case .string, .uri:
      // Blobs sort after all texts, https://www.sqlite.org/datatype3.html#sort_order, and a
      // comparison is cheaper than a call of typeof(). The column's own collation may be unknown
      // here.
      let binary = "\(cell) COLLATE BINARY"
      return Form(
        value: "CAST(\(cell) AS TEXT)", isGood: "\(type) <> 'blob'", problem: wrongType,
        isGoodOrEmpty: "(\(binary) >= x'') IS NOT TRUE",
        isGoodAndFull: "(\(binary) < x'') IS TRUE")
    case .date:
      let read = "\(TableFunctions.readDate)(\(cell))"
      if attribute.userInfo[TableModel.Key.epoch] == "2001" {
        return Form(value: cell, isGood: "\(type) IN ('integer', 'real')", problem: wrongType)
      }
      return Form(
        value: read, isGood: "\(read) IS NOT NULL", problem: "\(number(.unreadableDate))")
    case .uuid:
      let read = "\(TableFunctions.readUUID)(\(cell))"
      return Form(
        value: "CASE \(type) WHEN 'blob' THEN \(cell) ELSE \(read) END",
        isGood: "((\(type) = 'blob' AND length(\(cell)) = 16) OR \(read) IS NOT NULL)",
        problem: wrongType)
    case .binary, .transformable, .composite, .objectID, .undefined:
      // The bytes of a text are used, because the app declared no type.
      let bytes = "CAST(\(cell) AS BLOB)"
      let isPacked = attribute.allowsExternalBinaryDataStorage
      return Form(
        value: isPacked ? "\(TableFunctions.pack)(\(bytes))" : bytes,
        isGood: "\(type) IN ('blob', 'text')", problem: wrongType)
    }
  }

  /// Creates the cell of a column that holds keys of another table.
  ///
  /// - Parameter stored: returns the SQL of a key in the staged store, given the SQL of the key in
  ///   the database.
  init(
    keysIn column: String, storedColumn: String, isRequired: Bool, stored: (String) -> String
  ) {
    let cell = "t.\(column.quotedIdentifier)"
    self.column = column
    self.storedColumn = storedColumn
    value = stored(cell)
    isGood = "(typeof(\(cell)) = 'integer'\(isRequired ? "" : " OR \(cell) IS NULL"))"
    problem =
      "CASE WHEN \(cell) IS NULL THEN \(isRequired ? Self.number(.missingValue) : 0) "
      + "WHEN typeof(\(cell)) = 'integer' THEN 0 ELSE \(Self.number(.wrongType)) END"
  }

  /// Creates the cell of a link that is looked up by other columns than the key.
  init(lookup: String, columns: [String], storedColumn: String, isRequired: Bool) {
    column = columns.joined(separator: ", ")
    self.storedColumn = storedColumn
    value = lookup
    isGood = isRequired ? "\(lookup) IS NOT NULL" : nil
    let isEmpty = columns.map { "t.\($0.quotedIdentifier) IS NULL" }.joined(separator: " OR ")
    problem =
      isRequired
      ? "CASE WHEN \(isEmpty) THEN \(Self.number(.missingValue)) "
        + "WHEN \(lookup) IS NULL THEN \(Self.number(.missingTarget)) ELSE 0 END"
      : "0"
  }

  /// Creates the cell of a position in an order, spaced out as Core Data's are.
  init(position column: String, storedColumn: String) {
    let cell = "t.\(column.quotedIdentifier)"
    self.column = column
    self.storedColumn = storedColumn
    value =
      "CASE WHEN typeof(\(cell)) = 'integer' AND \(cell) BETWEEN 0 AND 1000000000000 "
      + "THEN (\(cell) + 1) * 1024 END"
    isGood = nil
    problem = "0"
  }

  /// Creates the cell of the table's own keys.
  init(key column: String) {
    let cell = "t.\(column.quotedIdentifier)"
    self.column = column
    storedColumn = "Z_PK"
    value = cell
    isGood = "typeof(\(cell)) = 'integer'"
    problem =
      "CASE typeof(\(cell)) WHEN 'integer' THEN 0 WHEN 'null' THEN \(Self.number(.missingKey)) "
      + "ELSE \(Self.number(.wrongType)) END"
  }
}
