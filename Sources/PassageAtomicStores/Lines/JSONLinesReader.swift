internal import PassageDiagnostics
internal import PassageModels

/// Reads the objects of a model from JSON lines.
struct JSONLinesReader {
  private let path: String
  private var parser: JSONLinesParser
  private var records: TextRecordReader
  /// Whether the objects of an entity have identifiers, as its first object says.
  private var hasIdentifiers: [String: Bool] = [:]

  init(_ input: TextInput, settings: TextStoreSettings, model: Model, into sink: any RecordSink)
    throws
  {
    path = input.path
    parser = try JSONLinesParser(input)
    records = TextRecordReader(model: model, settings: settings, path: path, into: sink)
  }

  /// Reads the file, one line at a time. A line that is not an object is rejected like a record with
  /// a mistake.
  ///
  /// - Returns: warnings.
  mutating func read() throws -> Diagnostics {
    while let line = try parser.next() {
      switch line {
      case .mistake(let mistake): try records.reject(records.onlyEntity ?? "", [mistake])
      case .record(let members, let place): try add(members, at: place)
      }
    }
    return try records.finish()
  }

  private mutating func add(_ members: [JSONNode.Member], at place: SourceLocation) throws {
    let entityColumn = records.names.entityColumn
    var entity = records.onlyEntity
    if let named = members.first(where: { $0.name == entityColumn })?.value {
      guard case .string(let name) = named.kind else {
        return try records.reject(
          entity ?? "",
          [
            CellForm(named).mistake("the entity", expected: "a string", at: named.location)
          ])
      }
      entity = name
    }
    guard let entity else {
      return records.reportName(
        Diagnostic(
          "ATM-005", "no member names the entity of the object", at: place,
          remedy:
            "add the member “\(entityColumn ?? TextStoreNames.entityName)”, or name the entity "
            + "of all objects in \(TextStoreSettings.path(of: path))"))
    }
    var mistakes = Self.repeated(members)
    let columns = members.map(\.name)
    let identifier = records.identifierColumn(among: columns)
    let isIdentified = hasIdentifiers[entity] ?? records.hasIdentifiers(among: columns)
    // Names that the model does not have may be as many as the lines.
    if records.knows(entity) { hasIdentifiers[entity] = isIdentified }
    if !isIdentified, let member = members.first(where: { $0.name == identifier }) {
      mistakes.append(
        Diagnostic(
          "ATM-072",
          "\(RecordMistake.named("the object of", entity)) has an identifier, and the first one has "
            + "none", at: member.nameLocation,
          remedy: "give all objects of the entity an identifier, or none"))
    }
    if !mistakes.isEmpty { return try records.reject(entity, mistakes) }
    try records.add(
      entity, members.map { Self.cell($0.value, $0.name) }, hasIdentifiers: isIdentified, at: place)
  }

  /// The members of an object that occur twice.
  static func repeated(_ members: [JSONNode.Member]) -> [Diagnostic] {
    RecordMistake.repeated("the member", in: members, name: \.name, location: \.nameLocation)
  }

  private static func cell(_ node: JSONNode, _ column: String) -> TextRecordReader.Cell {
    var cell = TextRecordReader.Cell(
      column: column, text: nil, location: node.location, form: CellForm(node))
    switch node.kind {
    case .string(let text), .number(let text): cell.text = text
    case .bool(let isTrue): cell.text = isTrue ? "true" : "false"
    case .array(let nodes): cell.elements = nodes.map { Self.cell($0, column) }
    case .null, .object: break
    }
    return cell
  }
}

extension CellForm {
  fileprivate init(_ node: JSONNode) {
    self =
      switch node.kind {
      case .null: .null
      case .bool: .truth
      case .number: .number
      case .string: .string
      case .array: .list
      case .object: .object
      }
  }
}
