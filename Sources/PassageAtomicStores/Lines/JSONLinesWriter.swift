internal import PassageModels

/// Writes objects as JSON lines: every object of an entity has the same members in the same order,
/// null where there is no value.
struct JSONLinesWriter {
  private let settings: TextStoreSettings
  private let records: TextRecordWriter

  init(_ source: any ObjectSource, model: Model, settings: TextStoreSettings, path: String) {
    self.settings = settings
    records = TextRecordWriter(source, model: model, settings: settings, path: path)
  }

  /// Writes the file, one object at a time.
  func write(to sink: any ByteSink) throws {
    var records = records
    var output = TextOutput(
      sink, encoding: settings.encoding ?? .utf8, withMark: settings.writesByteOrderMark)
    let columns = records.columnsOfEntities
    // The names of an entity's members, as they stand before each value.
    let heads = columns.mapValues { $0.map { Array("\(Self.quoted($0)):".utf8) } }
    try records.writeCells(columns: columns) { entity, _, cells in
      let byteCount = try output.append { text in
        text.append(UInt8(ascii: "{"))
        for (head, cell) in zip(heads[entity] ?? [], cells) {
          if text.last != UInt8(ascii: "{") { text.append(UInt8(ascii: ",")) }
          text += head
          text += Array(value(cell).utf8)
        }
        text.append(UInt8(ascii: "}"))
        text += settings.lineEnding == .crlf ? [0x0D, 0x0A] : [0x0A]
      }
      return .written(bytes: byteCount)
    }
    try output.finish()
  }

  private func value(_ cell: WrittenCell) -> String {
    switch cell {
    case .null: "null"
    case .name(let text): Self.quoted(text)
    case .identifier(let text, let isText): identifier(text, isText)
    case .identifiers(let list, let isText):
      "[\(list.map { identifier($0, isText) }.joined(separator: ","))]"
    case .value(let text, let type): isBare(text, type) ? text : Self.quoted(text)
    }
  }

  /// Whether a value is written as a number, `true` or `false`.
  private func isBare(_ text: String, _ type: AttributeType) -> Bool {
    switch type {
    case .integer16, .integer32, .integer64: true
    // JSON has no number for infinity.
    case .double, .float, .decimal: text.utf8.contains(where: DecimalText.isDigit)
    case .boolean: text == "true" || text == "false"
    case .date: settings.style.dates != .iso
    default: false
    }
  }

  private func identifier(_ text: String, _ isText: Bool) -> String {
    isText || AtomicStore.Reference(text)?.number == nil ? Self.quoted(text) : text
  }

  private static func quoted(_ text: String) -> String { JSONText.string(text).rendered() }
}
