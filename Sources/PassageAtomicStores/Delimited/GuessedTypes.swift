package import PassageModels
internal import PassageStores

/// The types that fit the columns of a file of delimited text, proved over the whole file.
///
/// The file is read one record at a time; memory grows with the columns, not with the records.
package struct GuessedTypes {
  /// What the values of one column are.
  package struct Column: Sendable, Hashable {
    /// The entity of the records.
    package var entity: String
    /// The column's name.
    package var name: String
    /// The records of the entity.
    package var rows: Int64 = 0
    /// The records without a value.
    package var nils: Int64 = 0
    /// The values that can be read as each type without loss.
    package var support: [AttributeType: Int64] = [:]

    /// The first type that every value supports: whole numbers before numbers with a fraction. Text
    /// if there are no values.
    package var type: AttributeType {
      let values = rows - nils
      guard values > 0 else { return .string }
      return GuessedTypes.candidates.first { support[$0] == values } ?? .string
    }
  }

  /// The types that are tried, in their order; text is what remains.
  package static let candidates: [AttributeType] = [.integer64, .double, .boolean, .date, .uuid]

  /// The columns in the order in which they first occur.
  package private(set) var columns: [Column] = []
  /// The character between the fields.
  package let separator: UInt8

  private var positions: [String: [String: Int]] = [:]
  private var text: AttributeText

  /// Reads a file with the settings beside it.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - memoryBytes: the memory limit, which limits the length of a record.
  /// - Throws: `StoreError` or `Diagnostics` for a file that cannot be read as delimited text.
  package init(path: String, memoryBytes: Int) throws {
    let settings = try DelimitedTextStoreType().settings(path)
    separator = settings.separator
    text = AttributeText(settings.style)
    let input = try TextInput(
      reading: path, encoding: settings.encoding, maximumBytes: .max, memoryBytes: memoryBytes)
    try DelimitedTextModel(input, settings: settings).forEachRecord { entity, fields in
      for (column, field) in fields {
        note(
          !field.isQuoted && field.text == settings.nullText ? nil : field.text, in: column, entity)
      }
    }
  }

  private mutating func note(_ value: String?, in column: String, _ entity: String) {
    let position = positions[entity]?[column] ?? columns.count
    if position == columns.count {
      positions[entity, default: [:]][column] = position
      columns.append(Column(entity: entity, name: column))
    }
    columns[position].rows += 1
    guard let value else {
      columns[position].nils += 1
      return
    }
    for type in Self.candidates where isValue(value, of: type) {
      columns[position].support[type, default: 0] += 1
    }
  }

  private mutating func isValue(_ value: String, of type: AttributeType) -> Bool {
    switch type {
    // A leading zero or a plus sign would be lost, so such texts stay text.
    case .integer64: Int64(value).map { "\($0)" == value } ?? false
    case .double: Self.isNumber(value)
    case .boolean:
      value == text.style.trueText || value == text.style.falseText
        || ["true", "false"].contains(value.lowercased())
    // In another style dates look like numbers.
    case .date: text.style.dates == .iso && (try? text.date(value)) != nil
    case .uuid: (try? text.read(value, as: Attribute(name: "value", type: .uuid))) != nil
    default: false
    }
  }

  /// Whether a text is a number with at most 15 digits, as many as a double always keeps.
  private static func isNumber(_ value: String) -> Bool {
    var rest = Array(value.utf8)[...]
    func digits() -> Int {
      let digits = rest.prefix(while: DecimalText.isDigit)
      rest = rest.dropFirst(digits.count)
      return digits.count
    }
    if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    let startsWithZero = rest.first == UInt8(ascii: "0")
    let whole = digits()
    var fraction = 0
    guard whole == 1 || whole > 1 && !startsWithZero else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      fraction = digits()
      guard fraction > 0 else { return false }
    }
    if let first = rest.first, first | 0x20 == UInt8(ascii: "e") {
      rest.removeFirst()
      if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
      guard digits() > 0 else { return false }
    }
    return rest.isEmpty && whole + fraction <= 15 && Double(value).map(\.isFinite) ?? false
  }
}
