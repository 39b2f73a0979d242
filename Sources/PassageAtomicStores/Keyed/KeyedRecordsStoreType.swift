internal import PassageDiagnostics
internal import PassageModels
internal import PassageStores

/// Keyed records as a store: one line for each object, `Person::first:Robert:last:Tibbot:id:12`.
///
/// A missing key means nil, an empty value means an empty text. Settings may be beside the file
/// (``TextStoreSettings``); without them the key `id` holds the identifier.
package struct KeyedRecordsStoreType: AtomicStoreType, StreamedTextType {
  package let maximumBytes: Int
  let streamedBytes: Int
  var memoryBytes = MemorySize.standard

  /// - Parameter maximumBytes: the largest file that is read. By default there is no limit for a
  ///   migration, and 512 MiB for an ``AtomicStore``.
  package init(maximumBytes: Int? = nil) {
    self.maximumBytes = maximumBytes ?? AtomicStore.File.maximumBytes
    streamedBytes = maximumBytes ?? .max
  }

  package var name: String { "keyed" }

  package var title: String { "a file of keyed records" }

  package var fileExtensions: [String] { TextStoreSettings.Kind.keyed.fileExtensions }

  /// Whether the file has settings for keyed records beside it, or has such a file extension and is
  /// not a database.
  package func recognizes(path: String, firstBytes: [UInt8]) -> Bool {
    TextStoreSettings.Kind.of(path, firstBytes: firstBytes) == .keyed
  }

  func settings(_ path: String) throws(Diagnostics) -> TextStoreSettings {
    try TextStoreSettings.beside(path) ?? TextStoreSettings(kind: .keyed)
  }

  /// A model of the entities and keys of the file. Attributes have the types of the
  /// settings; the others are strings.
  func declaredModel(_ input: TextInput, _ settings: TextStoreSettings) throws -> Model {
    var parser = try KeyedRecordsParser(input, settings)
    var used = UsedColumns(path: input.path)
    // A record that names a key twice is left to the reader of the objects, unless there are no others.
    var mistakes = MistakeList()
    var hasRecords = false
    let identifiers = Set(
      [settings.identifierColumn ?? TextStoreNames.identifierName, "@id"])
    while let record = try parser.next() {
      let repeated = Self.repeated(record, input.path)
      for mistake in repeated { mistakes.append(mistake) }
      hasRecords = hasRecords || repeated.isEmpty
      try used.note(record.entity.text)
      for (key, _) in record.pairs
      where !identifiers.contains(key.text) && !settings.ignored.contains(key.text) {
        try used.note(key.text, of: record.entity.text, hasValue: true)
      }
    }
    if !parser.mistakes.isEmpty { throw parser.mistakes.diagnostics(path: input.path) }
    if !hasRecords, !mistakes.isEmpty { throw mistakes.diagnostics(path: input.path) }
    return used.model(types: settings.types)
  }

  /// The keys of a record that occur twice.
  private static func repeated(_ record: KeyedRecordsParser.Record, _ path: String) -> [Diagnostic]
  {
    RecordMistake.repeated(
      "the key", in: record.pairs, name: { $0.key.text },
      location: { $0.value.place.location(in: path) })
  }

  func read(
    _ input: TextInput, _ settings: TextStoreSettings, as model: Model, into sink: any RecordSink
  ) throws -> Diagnostics {
    let path = input.path
    var parser = try KeyedRecordsParser(input, settings)
    var records = TextRecordReader(model: model, settings: settings, path: path, into: sink)
    while let record = try parser.next() {
      let repeated = Self.repeated(record, path)
      if repeated.isEmpty {
        let cells = record.pairs.map { key, value in
          TextRecordReader.Cell(
            column: key.text, text: value.text, location: value.place.location(in: path))
        }
        try records.add(
          record.entity.text, cells, hasIdentifiers: true,
          at: record.entity.place.location(in: path))
      } else {
        try records.reject(record.entity.text, repeated)
      }
    }
    if !parser.mistakes.isEmpty { throw parser.mistakes.diagnostics(path: path) }
    return try records.finish()
  }

  func write(
    _ source: any ObjectSource, _ settings: TextStoreSettings, of model: Model, named path: String,
    to sink: any ByteSink
  ) throws {
    var records = TextRecordWriter(source, model: model, settings: settings, path: path)
    let own = records
    var output = TextOutput(
      sink, encoding: settings.encoding ?? .utf8, withMark: settings.writesByteOrderMark)
    let separator = settings.separator
    try records.write(columns: own.columnsOfEntities) { entity, columns, cells in
      let byteCount = try output.append { text in
        append(entity, separator, to: &text)
        text.append(separator)
        for (column, cell) in zip(columns, cells) where column != own.names.entityColumn {
          guard let cell else { continue }
          text.append(separator)
          append(column, separator, to: &text)
          text.append(separator)
          append(cell, separator, to: &text)
        }
        text += settings.lineEnding == .crlf ? [0x0D, 0x0A] : [0x0A]
      }
      return .written(bytes: byteCount)
    }
    try output.finish()
  }

  private func append(_ cell: String, _ separator: UInt8, to text: inout [UInt8]) {
    for byte in cell.utf8 {
      switch byte {
      case separator, UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\n"): text += Array("\\n".utf8)
      case UInt8(ascii: "\r"): text += Array("\\r".utf8)
      default: text.append(byte)
      }
    }
  }
}
