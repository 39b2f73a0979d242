internal import PassageDiagnostics
internal import PassageModels
internal import PassagePlatform

/// Writes objects as delimited text.
struct DelimitedTextWriter {
  private let settings: TextStoreSettings
  private var records: TextRecordWriter

  init(_ source: any ObjectSource, model: Model, settings: TextStoreSettings, path: String) {
    self.settings = settings
    records = TextRecordWriter(source, model: model, settings: settings, path: path)
  }

  /// Writes the file, one record at a time.
  func write(to sink: any ByteSink) throws {
    var records = records
    var output = TextOutput(
      sink, encoding: settings.encoding ?? .utf8, withMark: settings.writesByteOrderMark)
    let common = commonColumns(records)
    if settings.hasHeader { try output.append { append(common.map(Optional.some), to: &$0) } }
    let isPositional = !settings.columnsOfEntities.isEmpty
    let own = self.records
    let columns =
      isPositional ? own.columnsOfEntities : own.columnsOfEntities.mapValues { _ in common }
    try records.write(columns: columns) { _, _, cells in
      if settings.quoting == .none, let cell = cells.first(where: { !canStandBare($0) }) {
        let reason = cell == "" ? "it is empty" : "it contains a separator or a line ending"
        return .refused("a value must be quoted: \(reason), or equals the text for nil")
      }
      return .written(bytes: try output.append { append(cells, to: &$0) })
    }
    try output.finish()
  }

  /// The columns of all entities: those of the first, then further ones of the others.
  private func commonColumns(_ records: TextRecordWriter) -> [String] {
    if !settings.columns.isEmpty { return settings.columns }
    var columns = [records.names.entityColumn, records.names.identifierColumn].compactMap(\.self)
    var taken = Set(columns)
    for entity in records.entityNames {
      for column in records.columns(of: entity) where taken.insert(column).inserted {
        columns.append(column)
      }
    }
    return columns
  }

  private func append(_ cells: [String?], to text: inout [UInt8]) {
    for (index, cell) in cells.enumerated() {
      if index > 0 { text.append(settings.separator) }
      guard let cell else {
        text += Array(settings.nullText.utf8)
        continue
      }
      guard settings.quoting == .all || !canStandBare(cell) else {
        text += Array(cell.utf8)
        continue
      }
      text.append(settings.quote)
      for byte in cell.utf8 {
        if byte == settings.quote { text.append(byte) }
        text.append(byte)
      }
      text.append(settings.quote)
    }
    text += settings.lineEnding == .crlf ? [0x0D, 0x0A] : [0x0A]
  }

  /// Whether a cell can be written without quotes.
  private func canStandBare(_ cell: String?) -> Bool {
    guard let cell else { return true }
    if cell.hasBytes(of: settings.nullText) || cell.isEmpty { return false }
    let special: [UInt8] = [settings.separator, 0x0A, 0x0D]
    let hasQuote = settings.quoting != .none && cell.utf8.contains(settings.quote)
    // At the beginning of the file it would be read as a byte-order mark.
    return !hasQuote && !cell.utf8.contains { special.contains($0) }
      && !cell.unicodeScalars.starts(with: ["\u{FEFF}"])
  }
}
