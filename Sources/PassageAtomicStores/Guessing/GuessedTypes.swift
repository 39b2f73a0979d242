package import PassageModels
internal import PassageStores

/// The types that fit the columns of a file of delimited text or JSON lines, proved over the whole
/// file.
///
/// The file is read one record at a time; memory grows with the columns, not with the records.
package struct GuessedTypes {
  /// The types of file whose columns have types that can be guessed.
  package static let kinds: [TextStoreSettings.Kind] = [.delimited, .jsonLines]

  /// The columns in the order in which they first occur.
  package private(set) var columns: [TextColumn] = []
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
    candidates = TextColumn.numericTypes + [.boolean, .date, .uuid]
    try DelimitedTextModel(input, settings: settings).forEachRecord { entity, fields in
      for (column, field) in fields {
        note(field.isNull(settings) ? nil : field.text, in: column, entity)
      }
    }
  }

  /// The type of a column; text if there are no values, and if they have no type in common.
  package func type(of column: TextColumn) -> AttributeType { column.type(among: candidates) }

  private mutating func note(_ value: String?, in column: String, _ entity: String) {
    let position = positions[entity]?[column] ?? columns.count
    if position == columns.count {
      positions[entity, default: [:]][column] = position
      columns.append(TextColumn(entity: entity, name: column))
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
