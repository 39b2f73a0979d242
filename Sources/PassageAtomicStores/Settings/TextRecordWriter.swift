internal import PassageDiagnostics
internal import PassageModels
internal import PassageValues

/// Converts objects into records whose cells are text, for any syntax of the file, and refuses to
/// lose anything. One record at a time is in memory; identifiers that are not keys are on disk.
struct TextRecordWriter {
  let model: Model
  let settings: TextStoreSettings
  let names: TextStoreNames
  let path: String
  private let source: any ObjectSource
  private let facts: [String: EntityFacts]
  private let values: AttributeText
  private let textIdentifiers: Set<String>
  private var mistakes = MistakeList()
  /// The identifiers of objects that have them in an attribute; `nil` if there are none.
  private var identifiers: IdentifierIndex?

  init(_ source: any ObjectSource, model: Model, settings: TextStoreSettings, path: String) {
    self.source = source
    self.model = model
    self.settings = settings
    self.path = path
    facts = EntityFacts.all(model)
    names = TextStoreNames(settings: settings, facts: facts)
    values = AttributeText(settings.style)
    textIdentifiers = Self.textIdentifiers(facts, names)
  }

  /// The names of the entities that are not abstract, in code-unit order.
  var entityNames: [String] {
    model.entities.filter { !$0.isAbstract }.map(\.name)
  }

  /// The columns of an entity: those in the settings, or otherwise identifier, attributes and the
  /// relationships that must be written, in code-unit order.
  func columns(of entityName: String) -> [String] {
    if let own = settings.columnsOfEntities[entityName] { return own }
    if !settings.columns.isEmpty { return settings.columns }
    guard let facts = facts[entityName] else { return [] }
    let attributes = facts.attributes.keys.sorted()
    let links = facts.relationships.values.filter { isWritten($0, facts) }.map(\.name).sorted()
    var columns = [names.entityColumn, names.identifierColumn].compactMap(\.self)
    for name in attributes + links {
      let column = names.column(of: name, entityName)
      if !columns.contains(column) { columns.append(column) }
    }
    return columns
  }

  /// The columns of every entity that is not abstract.
  var columnsOfEntities: [String: [String]] {
    Dictionary(
      entityNames.map { ($0, columns(of: $0)) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether a relationship is written rather than its inverse. To-one relationships are. To-many
  /// ones are if they are ordered or the inverse is not written.
  private func isWritten(_ relationship: Relationship, _ facts: EntityFacts) -> Bool {
    guard relationship.isToMany, let inverse = facts.inverses[relationship.name] else {
      return true
    }
    if relationship.isOrdered || !inverse.isToMany { return relationship.isOrdered }
    if inverse.isOrdered { return false }
    return (relationship.name, relationship.destinationEntityName)
      <= (inverse.name, inverse.destinationEntityName)
  }

  /// Writes every record as text, by entity and identifier.
  ///
  /// - Parameters:
  ///   - known: the columns of each entity.
  ///   - body: receives the entity's name, its columns and a cell for each, `nil` for nil.
  /// - Throws: `Diagnostics` with everything that cannot be written; `ATM-017` for settings under
  ///   which values would not be read back, `ATM-024` for properties with one column;
  ///   `MemoryExceeded` with `ATM-052` for a record that would not be read back.
  mutating func write(
    columns known: [String: [String]],
    body: (_ entityName: String, _ columns: [String], _ cells: [String?]) throws
      -> WrittenRecord
  ) throws {
    let separator = settings.listSeparator
    try writeCells(columns: known) { entity, columns, cells in
      try body(entity, columns, cells.map { $0.text(listSeparator: separator) })
    }
  }

  /// Writes every record in the same order, with cells that tell what they hold.
  mutating func writeCells(
    columns known: [String: [String]],
    body: (_ entityName: String, _ columns: [String], _ cells: [WrittenCell]) throws
      -> WrittenRecord
  ) throws {
    try names.mistakes(path: path).throwIfErrors()
    try checkSettings(known)
    try findIdentifiers()
    for entity in EntityFacts.sorted(facts) {
      let columns = known[entity.entity.name] ?? []
      let set = Set(columns)
      let unwritten = entity.relationships.keys.filter {
        !set.contains(names.column(of: $0, entity.entity.name))
          && !isOnOtherSide($0, entity, known)
      }.sorted()
      let links = entity.relationships.keys.filter {
        set.contains(names.column(of: $0, entity.entity.name))
      }
      try source.objects(of: entity, links: Set(links + unwritten)) { object in
        try checkNothingIsLost(object, set, unwritten)
        let cells = try columns.map { try cell($0, object, entity) }
        switch try body(entity.entity.name, columns, cells) {
        case .written(let bytes): try source.limit?.check(bytes, of: object.identifier)
        case .refused(let mistake): refuse(object.identifier, mistake)
        }
      }
    }
    try mistakes.diagnostics(path: path).throwIfErrors()
  }

  // MARK: Cells

  private mutating func cell(
    _ column: String, _ object: WrittenObject, _ facts: EntityFacts
  ) throws -> WrittenCell {
    if column == names.entityColumn { return .name(object.identifier.entityName) }
    if column == names.identifierColumn {
      return .identifier(
        try identifier(of: object.identifier.reference, facts.rootName),
        isText: textIdentifiers.contains(facts.rootName))
    }
    guard let name = names.property(at: column, of: facts.entity.name) else { return .null }
    if let attribute = facts.attributes[name] {
      let value = object.values[name] ?? .null
      if value.isNull { return .null }
      do throws(ValueMistake) {
        let text = try values.write(value, of: attribute)
        if !(settings.encoding ?? .utf8).canHold(text) {
          refuse(
            object.identifier, "“\(name)” contains characters that the encoding cannot represent")
        }
        return .value(text, attribute.type)
      } catch {
        refuse(
          object.identifier, "“\(name)” is \(error.text)",
          remedy: error.isDateOfAnotherStyle
            ? "add --dates unix, which writes dates as seconds, and name “unix” in “dates” of "
              + "\(TextStoreSettings.path(of: path)), by which they are read"
            : nil)
        return .null
      }
    }
    guard let relationship = facts.relationships[name], let root = facts.targetRoots[name] else {
      return .null
    }
    var found: [String] = []
    try object.forEachLink(name) { reference in
      if relationship.isToMany || found.isEmpty {
        found.append(try identifier(of: reference, root))
      }
    }
    let isText = textIdentifiers.contains(root)
    if relationship.isToMany { return .identifiers(found, isText: isText) }
    return found.first.map { .identifier($0, isText: isText) } ?? .null
  }

  private func identifier(of reference: AtomicStore.Reference, _ root: String) throws -> String {
    try identifiers?.text(of: reference, root: root) ?? "\(reference)"
  }

  /// The attribute that serves as the identifier of an entity's objects.
  private func identifierAttribute(_ facts: EntityFacts) -> Attribute? {
    names.property(at: names.identifierColumn, of: facts.entity.name)
      .flatMap { facts.attributes[$0] }
  }

  /// The root entities of hierarchies in which an attribute that is not a whole number is the
  /// identifier.
  private static func textIdentifiers(
    _ facts: [String: EntityFacts], _ names: TextStoreNames
  ) -> Set<String> {
    Set(
      facts.values.filter { facts in
        names.property(at: names.identifierColumn, of: facts.entity.name)
          .flatMap { facts.attributes[$0] }
          .map { ![.integer16, .integer32, .integer64].contains($0.type) } ?? false
      }.map(\.rootName))
  }

  /// If an attribute has the identifier's column, it is the identifier.
  private mutating func findIdentifiers() throws {
    let named = Set(facts.values.filter { identifierAttribute($0) != nil }.map(\.rootName))
    if named.isEmpty, source.hasUniqueReferences { return }
    let index = try IdentifierIndex()
    identifiers = index
    for entity in EntityFacts.sorted(facts)
    where named.contains(entity.rootName) || !source.hasUniqueReferences {
      let attribute = identifierAttribute(entity)
      try source.identities(of: entity, attribute: attribute?.name) { reference, value in
        let identifier = AtomicStore.Identifier(
          entityName: entity.entity.name, reference: reference)
        var text = "\(reference)"
        if let attribute {
          guard !value.isNull, let own = try? values.write(value, of: attribute), !own.isEmpty
          else {
            return refuse(
              identifier, "“\(attribute.name)” is the identifier and has no value", code: "ATM-016")
          }
          text = own
          try index.name(reference, root: entity.rootName, text)
        }
        if try !index.take(text, root: entity.rootName) {
          refuse(identifier, "another object has its identifier", code: "ATM-016")
        }
      }
    }
  }

  // MARK: Refusals

  private mutating func refuse(
    _ identifier: AtomicStore.Identifier, _ reason: String, code: String = "ATM-015",
    remedy: String? = nil
  ) {
    mistakes.append(
      Diagnostic(
        code, "\(identifier.shown) cannot be written", at: SourceLocation(file: path),
        reason: reason,
        remedy: remedy ?? "change the settings beside the file, or choose another type"))
  }

  /// Columns chosen by settings may have no place for a value.
  private mutating func checkNothingIsLost(
    _ object: WrittenObject, _ columns: Set<String>, _ unwritten: [String]
  ) throws {
    for name in object.values.keys.sorted() where object.values[name]?.isNull == false {
      if !columns.contains(names.column(of: name, object.identifier.entityName)) {
        refuse(object.identifier, "there is no column for “\(name)”")
      }
    }
    for name in unwritten {
      var hasLinks = false
      try object.forEachLink(name) { _ in hasLinks = true }
      if hasLinks { refuse(object.identifier, "there is no column for “\(name)”") }
    }
  }

  /// Whether every destination entity of a relationship has a column for its inverse.
  private func isOnOtherSide(
    _ name: String, _ facts: EntityFacts, _ all: [String: [String]]
  ) -> Bool {
    facts.inverses[name].map { inverse in
      facts.targetFamilies[name, default: []].allSatisfy { entity in
        self.facts[entity]?.entity.isAbstract != false
          || all[entity]?.contains(names.column(of: inverse.name, entity)) == true
      }
    } ?? false
  }
}
