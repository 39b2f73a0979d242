internal import PassageDiagnostics
internal import PassageModels
internal import PassageStores

/// The model that delimited text declares: its entities with the columns in which they have values.
/// Attributes have the types of the settings; the others are strings.
struct DelimitedTextModel {
  private let settings: TextStoreSettings
  private let input: TextInput

  init(_ input: TextInput, settings: TextStoreSettings) {
    self.settings = settings
    self.input = input
  }

  func model() throws -> Model {
    var used = UsedColumns(path: input.path)
    // In a file of one entity, also a column that is always empty is the entity's. With several
    // entities it may be anybody's, and the reader refuses it.
    var columns: [String] = []
    let header = try forEachRecord { entity, fields in
      if columns.isEmpty { columns = fields.map(\.column) }
      for (column, field) in fields {
        // A column whose type is named belongs to the entity even if it is always empty.
        let isTyped = settings.types[entity]?[column] != nil
        try used.note(column, of: entity, hasValue: isTyped || !field.isNull(settings))
      }
      try used.note(entity)
    }
    try checkTypes(header)
    // A table without rows: its header says all of it, unless each record would name its entity.
    if used.isEmpty, let entity = header.entity {
      columns = header.columns
      try used.note(entity)
    }
    if let only = used.onlyEntity {
      for column in columns { try used.note(column, of: only, hasValue: true) }
    }
    return used.model(types: settings.types)
  }

  /// Whether a model's properties have columns: each attribute, and one side of two inverse relationships. Columns
  /// that the model does not have are for the reader to refuse.
  func hasColumns(of model: Model) throws -> Bool {
    let facts = EntityFacts.all(model)
    let names = TextStoreNames(settings: settings, facts: facts)
    var common = settings.columns
    if settings.hasHeader {
      var parser = try DelimitedTextParser(input, settings)
      common = try parser.next()?.map(\.text) ?? []
    }
    var columns: [String: Set<String>] = [:]
    for entity in facts.keys {
      columns[entity] = Set(settings.columnsOfEntities[entity] ?? common)
        .subtracting(settings.ignored)
    }
    func has(_ property: String, _ entity: String) -> Bool {
      facts[entity]?.entity.isAbstract == true
        || columns[entity]?.contains(names.column(of: property, entity)) == true
    }
    for (entity, own) in facts {
      let missing = own.relationships.keys.filter { !has($0, entity) }
      let areOnOtherSide = missing.allSatisfy { name in
        guard let inverse = own.inverses[name] else { return false }
        return own.targetFamilies[name, default: []].allSatisfy { has(inverse.name, $0) }
      }
      guard areOnOtherSide, own.attributes.keys.allSatisfy({ has($0, entity) }) else {
        return false
      }
    }
    return true
  }

  /// What the header and the settings say before any record.
  struct Header {
    /// The entity of every record; `nil` if each names its own or nothing names the columns.
    var entity: String?
    /// The columns that the header or the settings name for the entity, without those of the entity and the
    /// identifier.
    var columns: [String]
    /// Every column that the header, or `columns` in the settings, names.
    var all: [String]
  }

  /// Refuses types of columns and entities that the file does not have: they would be ignored.
  ///
  /// - Throws: `ATM-017` with all of them.
  private func checkTypes(_ header: Header) throws(Diagnostics) {
    let place = SourceLocation(file: TextStoreSettings.path(of: input.path))
    var found = Diagnostics()
    var similar = SimilarNames()
    for (entity, types) in settings.types.sorted(by: { $0.key < $1.key }) {
      if let only = header.entity, entity != only {
        found.append(
          Diagnostic(
            "ATM-017", "“types” names the entity “\(entity)”, which the file does not have",
            at: place,
            reason: "all of its records are of “\(only)”",
            remedy: nearest(to: entity, in: [only]).map { "did you mean “\($0)”?" }
              ?? "write “\(only)”"))
        continue
      }
      let known = settings.columnsOfEntities[entity] ?? header.all
      guard !known.isEmpty else { continue }
      let columns = Set(known)
      for column in types.keys.sorted() where !columns.contains(column) {
        found.append(
          Diagnostic(
            "ATM-017", "“types” names the column “\(column)” of “\(entity)”, which does not exist",
            at: place,
            remedy: similar.suggestion(for: column) { known }))
      }
    }
    try found.throwIfErrors()
  }

  /// Calls `body` with the entity of each record and its fields, without those of the entity and the
  /// identifier.
  @discardableResult
  func forEachRecord(
    _ body: (_ entity: String, _ fields: [(column: String, field: DelimitedTextParser.Field)])
      throws
      -> Void
  ) throws -> Header {
    let path = input.path
    var parser = try DelimitedTextParser(input, settings)
    var columns = settings.columns
    var mistakes = MistakeList()
    if settings.hasHeader, let header = try parser.next() {
      columns = header.map(\.text)
      for mistake in DelimitedTextReader.repeated(header, path) { mistakes.append(mistake) }
    }
    let names = TextStoreNames(settings: settings, facts: [:])
    let entityColumn =
      ["@entity", names.entityColumn ?? "entity"].first { columns.contains($0) }
      ?? settings.columnsOfEntities.first.flatMap { _ in settings.entityColumn }
    let identifierColumn =
      ["@id", names.identifierColumn].first { columns.contains($0) } ?? names.identifierColumn
    let position =
      settings.columnsOfEntities.values.first.flatMap { list in
        entityColumn.flatMap { list.firstIndex(of: $0) }
      } ?? entityColumn.flatMap { columns.firstIndex(of: $0) }
    let base = TableNames.entity(table: UsedColumns.baseName(path))
    func isOfEntity(_ column: String) -> Bool {
      column != entityColumn && column != identifierColumn && !settings.ignored.contains(column)
    }
    while let record = try parser.next() {
      let entity = position.flatMap { record.indices.contains($0) ? record[$0].text : nil }
      let name = settings.entityName ?? entity ?? base
      let own = settings.columnsOfEntities[name] ?? columns
      try body(
        name,
        zip(own, record).filter { column, _ in isOfEntity(column) }
          .map { (column: $0, field: $1) })
    }
    mistakes.append(contentsOf: parser.mistakes)
    if !mistakes.isEmpty { throw mistakes.diagnostics(path: path) }
    let only = settings.entityName ?? (position == nil ? base : nil)
    let own = only.flatMap { settings.columnsOfEntities[$0] } ?? columns
    return Header(
      entity: own.isEmpty ? nil : only, columns: own.filter(isOfEntity), all: columns)
  }
}
