internal import PassageDiagnostics
public import PassageModels
public import PassageStores

/// Keyed records as a store: one line for each object, `Person::first:Robert:last:Tibbot:id:12`.
///
/// A key that is not there is nil, an empty value an empty text. Settings may stand beside the file
/// (``TextStoreSettings``); without them the identifier has the key `id`.
public struct KeyedRecordsStoreType: AtomicStoreType {
  public let maximumBytes: Int

  /// - Parameter maximumBytes: the longest file that is loaded.
  public init(maximumBytes: Int = AtomicFile.maximumBytes) { self.maximumBytes = maximumBytes }

  public var name: String { "keyed" }

  public var title: String { "a file of keyed records" }

  public var fileExtensions: [String] { TextStoreSettings.Kind.keyedExtensions }

  /// A file with settings for keyed records beside it, or one named as such that is no database.
  public func recognizes(path: String, firstBytes: [UInt8]) -> Bool {
    TextStoreKind(of: path, firstBytes: firstBytes) == .keyed
  }

  private func settings(_ path: String) throws(Diagnostics) -> TextStoreSettings {
    try TextStoreSettings.beside(path) ?? TextStoreSettings(kind: .keyed)
  }

  /// The entities and keys that the file has, every attribute a string.
  public func declaredModel(_ file: AtomicFile) throws -> Model {
    let settings = try settings(file.path)
    var parser = try parser(file, settings)
    var used = UsedColumns(path: file.path)
    let identifiers = Set(
      [settings.identifierColumn ?? TextStoreNames.identifierName, "@id"])
    while let record = parser.next() {
      used.note(record.entity.text)
      for (key, _) in record.pairs
      where !identifiers.contains(key.text) && !settings.ignored.contains(key.text) {
        used.note(key.text, of: record.entity.text, hasValue: true)
      }
    }
    if !parser.mistakes.isEmpty { throw Mistakes.listed(parser.mistakes, path: file.path) }
    return used.model()
  }

  public func load(_ file: AtomicFile, as model: Model) throws -> AtomicContents {
    let settings = try settings(file.path)
    var parser = try parser(file, settings)
    var records = TextRecordReader(model: model, settings: settings, path: file.path)
    while let record = parser.next() {
      let location = parser.location(of: record.entity.position)
      var cells: [TextRecordReader.Cell] = []
      var seen: Set<String> = []
      var repeated: [Diagnostic] = []
      for (key, value) in record.pairs {
        let place = parser.location(of: value.position)
        cells.append(TextRecordReader.Cell(column: key.text, text: value.text, location: place))
        guard !seen.insert(key.text).inserted else { continue }
        repeated.append(
          Diagnostic("ATM-007", "the key “\(key.text)” stands twice", at: place))
      }
      if repeated.isEmpty {
        records.add(record.entity.text, cells, hasIdentifiers: true, at: location)
      } else {
        records.reject(record.entity.text, repeated)
      }
    }
    if !parser.mistakes.isEmpty { throw Mistakes.listed(parser.mistakes, path: file.path) }
    return try records.finish()
  }

  private func parser(
    _ file: AtomicFile, _ settings: TextStoreSettings
  ) throws(Diagnostics) -> KeyedRecordsParser {
    KeyedRecordsParser(
      try TextEncoding.decode(file.bytes, as: settings.encoding, path: file.path),
      separator: settings.separator, path: file.path)
  }

  public func save(
    _ contents: AtomicContents, of model: Model, to path: String, options: StoreWritingOptions
  ) throws -> [UInt8] {
    var settings = try settings(path)
    if options.dateStyle == .unix { settings.style.dates = .unix }
    var records = TextRecordWriter(contents, model: model, settings: settings, path: path)
    let own = records
    var text: [UInt8] = []
    let separator = settings.separator
    try records.write(columns: own.columnsOfEntities) { entity, columns, cells in
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
      return nil
    }
    return (settings.encoding ?? .utf8).encode(text, withMark: settings.writesByteOrderMark)
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
