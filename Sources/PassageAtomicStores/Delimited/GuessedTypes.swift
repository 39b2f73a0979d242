package import PassageModels
internal import PassageStores

/// The types that fit the columns of a file of delimited text or JSON lines, proved over the whole
/// file.
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

    /// The first of some types that every value supports: whole numbers before numbers with a
    /// fraction. Text if there are no values.
    func type(among candidates: [AttributeType]) -> AttributeType {
      let values = rows - nils
      guard values > 0 else { return .string }
      return candidates.first { support[$0] == values } ?? .string
    }
  }

  /// The types of numbers that keep every digit of a text.
  static let numericTypes: [AttributeType] = [.integer64, .double]

  /// The types of file whose columns have types that can be guessed.
  package static let kinds: [TextStoreSettings.Kind] = [.delimited, .jsonLines]

  /// The columns in the order in which they first occur.
  package private(set) var columns: [Column] = []
  /// The types that are tried, in their order; text is what remains.
  package let candidates: [AttributeType]
  /// The settings of the file without types.
  package let settings: TextStoreSettings

  private var positions: [String: [String: Int]] = [:]
  private var text: AttributeText

  /// Reads a file with the settings beside it.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - kind: the type of the file, one of ``kinds``.
  ///   - memoryBytes: the memory limit, which limits the length of a record.
  /// - Throws: `StoreError` or `Diagnostics` for a file that cannot be read as this type.
  package init(path: String, kind: TextStoreSettings.Kind, memoryBytes: Int) throws {
    settings =
      kind == .jsonLines
      ? try JSONLinesStoreType().settings(path) : try DelimitedTextStoreType().settings(path)
    text = AttributeText(settings.style)
    let input = try TextInput(
      reading: path, encoding: settings.encoding, maximumBytes: .max, memoryBytes: memoryBytes)
    if kind == .jsonLines {
      candidates = JSONLinesColumns.candidates
      columns = try JSONLinesColumns(input, settings: settings, triesStrings: true).columns
      return
    }
    candidates = Self.numericTypes + [.boolean, .date, .uuid]
    try DelimitedTextModel(input, settings: settings).forEachRecord { entity, fields in
      for (column, field) in fields {
        note(
          !field.isQuoted && field.text == settings.nullText ? nil : field.text, in: column, entity)
      }
    }
  }

  /// The type of a column; text if there are no values, and if they have no type in common.
  package func type(of column: Column) -> AttributeType { column.type(among: candidates) }

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
    for type in candidates where text.isValue(value, of: type) {
      columns[position].support[type, default: 0] += 1
    }
  }
}
