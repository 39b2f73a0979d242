internal import PassageDiagnostics
internal import PassageModels

/// Reads the objects of a model from delimited text.
struct DelimitedTextReader {
  private let settings: TextStoreSettings
  private let path: String
  private var parser: DelimitedTextParser
  private var records: TextRecordReader

  init(_ input: TextInput, settings: TextStoreSettings, model: Model, into sink: any RecordSink)
    throws
  {
    self.settings = settings
    path = input.path
    parser = try DelimitedTextParser(input, settings)
    records = TextRecordReader(model: model, settings: settings, path: path, into: sink)
  }

  /// Reads the file, one record at a time.
  ///
  /// - Returns: warnings.
  mutating func read() throws -> Diagnostics {
    var columns = settings.columns
    if settings.hasHeader, let header = try parser.next() { columns = readHeader(header) }
    let entityPosition = entityPosition(columns)
    while let record = try parser.next() {
      var entity = records.onlyEntity
      if let entityPosition {
        guard record.indices.contains(entityPosition) else {
          try rejectShort(record, columns, entity ?? "")
          continue
        }
        entity = record[entityPosition].text
      }
      guard let entity else {
        records.reportName(
          Diagnostic(
            "ATM-005", "no column names the entity of the records",
            at: record[0].place.location(in: path),
            remedy:
              "add the column, or name it or the entity in \(TextStoreSettings.path(of: path))"))
        break
      }
      let own = settings.columnsOfEntities[entity] ?? columns
      guard record.count == own.count, !own.isEmpty else {
        if own.isEmpty, records.model.entity(named: entity) != nil {
          records.reportName(withoutColumns(entity, at: record[entityPosition ?? 0].place))
        } else if records.model.entity(named: entity) == nil {
          records.reportUnknown(entity, at: record[entityPosition ?? 0].place.location(in: path))
        } else {
          try rejectShort(record, own, entity)
        }
        continue
      }
      let location = record[0].place.location(in: path)
      let cells = zip(own, record).map { column, field in
        TextRecordReader.Cell(
          column: column,
          text: field.isNull(settings) ? nil : field.text,
          location: field.place.location(in: path))
      }
      try records.add(
        entity, cells, hasIdentifiers: records.hasIdentifiers(among: own), at: location)
    }
    if !parser.mistakes.isEmpty { throw parser.mistakes.diagnostics(path: path) }
    return try records.finish()
  }

  /// The names of the columns. A name that no entity has is a mistake.
  private mutating func readHeader(_ header: [DelimitedTextParser.Field]) -> [String] {
    for mistake in Self.repeated(header, path) { records.reportName(mistake) }
    for field in header {
      let name = field.text
      // A file that declares its own model and has no record has columns of no entity.
      if records.model.entities.isEmpty { continue }
      let names = records.names
      if name == names.entityColumn || name == names.identifierColumn || names.isKnown(name)
        || settings.ignored.contains(name)
      {
        continue
      }
      records.reportName(
        Diagnostic(
          "ATM-006", "no entity has a property for \(RecordMistake.named("the column", name))",
          at: field.place.location(in: path),
          remedy:
            "add it to the model; if the file itself declares the model and the column is always "
            + "empty, name its type in “types”, or leave it out with “ignored” in "
            + TextStoreSettings.path(of: path)))
    }
    return header.map(\.text)
  }

  /// The columns of a header that occur twice.
  static func repeated(_ header: [DelimitedTextParser.Field], _ path: String) -> [Diagnostic] {
    RecordMistake.repeated("the column", in: header, name: \.text) { $0.place.location(in: path) }
  }

  /// The position of the column with the entity's name.
  private func entityPosition(_ columns: [String]) -> Int? {
    guard let name = records.names.entityColumn else { return nil }
    if let own = settings.columnsOfEntities.values.first { return own.firstIndex(of: name) }
    return columns.firstIndex(of: name)
  }

  /// An entity of the model for which no header and no settings name the columns.
  private func withoutColumns(_ entity: String, at place: TextPlace) -> Diagnostic {
    let settings = TextStoreSettings.path(of: path)
    return Diagnostic(
      "ATM-005", "nothing names the columns of \(RecordMistake.named("the entity", entity))",
      at: place.location(in: path), reason: "“header” is false in the settings",
      remedy: "name them in “entities” in \(settings), or leave “header” out there if this record "
        + "is a header")
  }

  private mutating func rejectShort(
    _ record: [DelimitedTextParser.Field], _ columns: [String], _ entity: String
  ) throws {
    let isShort = record.count < columns.count
    let last = isShort ? record[record.count - 1] : record[columns.count]
    let missing = columns.dropFirst(record.count)
    let names = records.names
    // A field of the header may be a value instead of a name.
    let known = missing.filter { $0 == names.identifierColumn || names.isKnown($0) }
    let short =
      known.count == missing.count
      ? "these fields are missing: \(known.joined(separator: ", "))"
      : "\(missing.count) fields are missing"
    try records.reject(
      entity,
      [
        Diagnostic(
          "ATM-004", "the record has \(record.count) fields, not \(columns.count)",
          at: last.place.location(in: path),
          reason: (isShort ? short : "the columns end before this field")
            + (parser.suspectedOpening.map { "; \($0)" } ?? ""))
      ])
  }
}
