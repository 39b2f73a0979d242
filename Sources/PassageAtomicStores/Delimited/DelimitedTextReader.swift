internal import PassageDiagnostics
internal import PassageModels

/// Reads delimited text as the objects of a model.
struct DelimitedTextReader {
  private let settings: TextStoreSettings
  private let path: String
  private var parser: DelimitedTextParser
  private var records: TextRecordReader

  init(_ text: [UInt8], settings: TextStoreSettings, model: Model, path: String) {
    self.settings = settings
    self.path = path
    parser = DelimitedTextParser(text, settings, path: path)
    records = TextRecordReader(model: model, settings: settings, path: path)
  }

  mutating func read() throws(Diagnostics) -> AtomicContents {
    var columns = settings.columns
    if settings.hasHeader, let header = parser.next() { columns = readHeader(header) }
    let entityPosition = entityPosition(columns)
    while let record = parser.next() {
      var entity = records.onlyEntity
      if let entityPosition {
        guard record.indices.contains(entityPosition) else {
          rejectShort(record, columns, entity ?? "")
          continue
        }
        entity = record[entityPosition].text
      }
      guard let entity else {
        records.reportName(
          Diagnostic(
            "ATM-005", "no column names the entity of the records",
            at: parser.location(of: record[0].position),
            remedy:
              "add the column, or name it or the entity in \(TextStoreSettings.path(of: path))"))
        break
      }
      let own = settings.columnsOfEntities[entity] ?? columns
      guard record.count == own.count, !own.isEmpty else {
        if own.isEmpty || records.model.entity(named: entity) == nil {
          records.reportName(
            Mistakes.unknownEntity(
              entity, records.model, at: parser.location(of: record[entityPosition ?? 0].position)))
        } else {
          rejectShort(record, own, entity)
        }
        continue
      }
      let location = parser.location(of: record[0].position)
      let cells = zip(own, record).map { column, field in
        TextRecordReader.Cell(
          column: column,
          text: !field.isQuoted && field.text == settings.nullText ? nil : field.text,
          location: parser.location(of: field.position))
      }
      records.add(
        entity, cells, hasIdentifiers: records.identifierColumn(among: own) != nil, at: location)
    }
    if !parser.mistakes.isEmpty { throw Mistakes.listed(parser.mistakes, path: path) }
    return try records.finish()
  }

  /// The names of the columns; a name that no entity has is a mistake.
  private mutating func readHeader(_ header: [DelimitedTextParser.Field]) -> [String] {
    var seen: Set<String> = []
    for field in header {
      let name = field.text
      if !seen.insert(name).inserted {
        records.reportName(
          Diagnostic(
            "ATM-007", "the column “\(name)” stands twice", at: parser.location(of: field.position))
        )
      }
      let names = records.names
      if name == names.entityColumn || name == names.identifierColumn || names.isKnown(name)
        || settings.ignored.contains(name)
      {
        continue
      }
      records.reportName(
        Diagnostic(
          "ATM-006", "no entity has a property for the column “\(name)”",
          at: parser.location(of: field.position),
          remedy: "add it to the model, or name it among the “ignored” of "
            + TextStoreSettings.path(of: path)))
    }
    return header.map(\.text)
  }

  /// Where the entity's name stands.
  private func entityPosition(_ columns: [String]) -> Int? {
    guard let name = records.names.entityColumn else { return nil }
    if let own = settings.columnsOfEntities.values.first { return own.firstIndex(of: name) }
    return columns.firstIndex(of: name)
  }

  private mutating func rejectShort(
    _ record: [DelimitedTextParser.Field], _ columns: [String], _ entity: String
  ) {
    let isShort = record.count < columns.count
    let last = isShort ? record[record.count - 1] : record[columns.count]
    let missing = columns.dropFirst(record.count).joined(separator: ", ")
    records.reject(
      entity,
      [
        Diagnostic(
          "ATM-004", "the record has \(record.count) fields, not \(columns.count)",
          at: parser.location(of: last.position),
          reason: isShort ? "these are missing: \(missing)" : "the columns end before this field")
      ])
  }
}

extension DelimitedTextParser {
  /// Parses by settings.
  init(_ bytes: [UInt8], _ settings: TextStoreSettings, path: String) {
    self.init(
      bytes, separator: settings.separator,
      quote: settings.quoting == .none ? nil : settings.quote, path: path)
  }
}
