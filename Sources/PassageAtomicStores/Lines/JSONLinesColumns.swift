internal import PassageDiagnostics
internal import PassageModels
internal import PassageStores

/// The members that the objects of a file of JSON lines have, and the types that fit their values.
/// Memory grows with the number of different members, which is bounded.
struct JSONLinesColumns {
  /// The types by which the values of a member are told apart. A string is never a number or a truth
  /// value, because JSON says what it is.
  static let candidates: [AttributeType] = [
    .integer64, .double, .decimal, .boolean, .date, .uuid,
  ]
  /// The members of each entity, in the order in which they first occur.
  private(set) var columns: [TextColumn] = []
  private var used: UsedColumns
  private let settings: TextStoreSettings
  private var positions: [String: [String: Int]] = [:]
  private var text: AttributeText
  /// Whether strings are tried as dates and UUIDs.
  private let triesStrings: Bool

  /// Reads a file. Lines that are not objects, and those that name a member twice, are left to the reader of
  /// the objects, unless there are no others.
  init(_ input: TextInput, settings: TextStoreSettings, triesStrings: Bool) throws {
    self.settings = settings
    self.triesStrings = triesStrings
    text = AttributeText(settings.style)
    used = UsedColumns(path: input.path)
    let names = TextStoreNames(settings: settings, facts: [:])
    let base = TableNames.entity(table: UsedColumns.baseName(input.path))
    var mistakes = MistakeList()
    var hasRecords = false
    var parser = try JSONLinesParser(input)
    while let line = try parser.next() {
      switch line {
      case .mistake(let mistake): mistakes.append(mistake)
      case .record(let members, _):
        let repeated = JSONLinesReader.repeated(members)
        for mistake in repeated { mistakes.append(mistake) }
        hasRecords = hasRecords || repeated.isEmpty
        try note(members, names, base: base)
      }
    }
    if !hasRecords, !mistakes.isEmpty { throw mistakes.diagnostics(path: input.path) }
  }

  /// A model with these members as attributes, of the types of the settings, otherwise of the kind
  /// that all values have. A member with values of several kinds is a string.
  var model: Model {
    var types = settings.types
    for column in columns where types[column.entity]?[column.name] == nil {
      types[column.entity, default: [:]][column.name] = column.type(among: Self.candidates)
    }
    return used.model(types: types)
  }

  private mutating func note(
    _ members: [JSONNode.Member], _ names: TextStoreNames, base: String
  ) throws {
    let present = Set(members.map(\.name))
    func column(_ own: String, _ plain: String) -> String {
      present.contains("@\(plain)") ? "@\(plain)" : own
    }
    let entityColumn = names.entityColumn.map { column($0, TextStoreNames.entityName) }
    let identifierColumn = column(names.identifierColumn, TextStoreNames.identifierName)
    var entity = settings.entityName ?? base
    if let member = members.first(where: { $0.name == entityColumn }) {
      // The reader of the objects reports a name that is not a string.
      guard case .string(let name) = member.value.kind else { return }
      entity = name
    }
    try used.note(entity)
    for member in members
    where member.name != entityColumn && member.name != identifierColumn
      && !settings.ignored.contains(member.name)
    {
      let position = positions[entity]?[member.name] ?? columns.count
      if position == columns.count {
        positions[entity, default: [:]][member.name] = position
        columns.append(TextColumn(entity: entity, name: member.name))
        try used.note(member.name, of: entity, hasValue: true)
      }
      columns[position].rows += 1
      if case .null = member.value.kind { columns[position].nils += 1 }
      for type in fittingTypes(member.value) { columns[position].support[type, default: 0] += 1 }
    }
  }

  private mutating func fittingTypes(_ node: JSONNode) -> [AttributeType] {
    switch node.kind {
    case .bool: return [.boolean]
    case .number(let number):
      return TextColumn.numericTypes.filter { text.isValue(number, of: $0) } + [.decimal]
    case .string(let value):
      return triesStrings ? [.date, .uuid].filter { text.isValue(value, of: $0) } : []
    case .null, .array, .object: return []
    }
  }
}
