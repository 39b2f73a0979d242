internal import PassageDiagnostics
internal import PassageModels
internal import PassageValues

/// Makes records whose cells are text of objects, whatever the syntax of the file, and sees to it that
/// nothing is lost.
struct TextRecordWriter {
  let model: Model
  let settings: TextStoreSettings
  let names: TextStoreNames
  let path: String
  private let contents: AtomicContents
  private let facts: [String: EntityFacts]
  private let values: AttributeText
  private var mistakes: [Diagnostic] = []
  /// The identifiers of objects that keep them in an attribute, by root entity.
  private var identifiers: [String: [ReferenceObject: String]] = [:]

  init(_ contents: AtomicContents, model: Model, settings: TextStoreSettings, path: String) {
    self.contents = contents
    self.model = model
    self.settings = settings
    self.path = path
    facts = EntityFacts.all(model)
    names = TextStoreNames(settings: settings, facts: facts)
    values = AttributeText(settings.style)
  }

  /// Entities with objects of their own, in code-unit order.
  var entityNames: [String] {
    model.entities.filter { !$0.isAbstract }.map(\.name)
  }

  /// The columns of an entity: its own of the settings, or identifier, attributes and relationships in
  /// code-unit order, those without which links would be lost.
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

  /// The columns of every entity with objects of its own.
  var columnsOfEntities: [String: [String]] {
    Dictionary(
      entityNames.map { ($0, columns(of: $0)) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether a relationship is written rather than its inverse: to-one relationships, and to-many ones
  /// for their order or because the other end says nothing.
  private func isWritten(_ relationship: Relationship, _ facts: EntityFacts) -> Bool {
    guard relationship.isToMany, let inverse = facts.inverses[relationship.name] else {
      return true
    }
    if relationship.isOrdered || !inverse.isToMany { return relationship.isOrdered }
    if inverse.isOrdered { return false }
    return (relationship.name, relationship.destinationEntityName)
      <= (inverse.name, inverse.destinationEntityName)
  }

  /// Gives every record, by entity and identifier.
  ///
  /// - Parameters:
  ///   - known: the columns of each entity.
  ///   - body: takes the entity's name, its columns and a cell for each, `nil` for nil; it says what the
  ///     syntax cannot hold, if anything.
  /// - Throws: `Diagnostics` with all that cannot be written.
  mutating func write(
    columns known: [String: [String]],
    body: (_ entityName: String, _ columns: [String], _ cells: [String?]) -> String?
  ) throws(Diagnostics) {
    findIdentifiers()
    let sorted = contents.nodes.sorted {
      $0.identifier.entityName == $1.identifier.entityName
        ? $0.identifier.reference < $1.identifier.reference
        : $0.identifier.entityName.utf8.lexicographicallyPrecedes($1.identifier.entityName.utf8)
    }
    for node in sorted {
      guard let facts = facts[node.identifier.entityName] else { continue }
      let columns = known[node.identifier.entityName] ?? []
      checkNothingIsLost(node, facts, Set(columns), known)
      let cells = columns.map { cell($0, node, facts) }
      if let mistake = body(node.identifier.entityName, columns, cells) { refuse(node, mistake) }
    }
    try Mistakes.listed(mistakes, path: path).throwIfErrors()
  }

  // MARK: Cells

  private mutating func cell(_ column: String, _ node: CacheNode, _ facts: EntityFacts) -> String? {
    if column == names.entityColumn { return node.identifier.entityName }
    if column == names.identifierColumn {
      return identifier(of: node.identifier.reference, facts.rootName)
    }
    guard let name = names.property(at: column, of: facts.entity.name) else { return nil }
    if let attribute = facts.attributes[name] {
      let value = node.values[name] ?? .null
      if value.isNull { return nil }
      do throws(ValueMistake) {
        let text = try values.write(value, of: attribute)
        if !(settings.encoding ?? .utf8).canHold(text) {
          refuse(node, "“\(name)” has characters that the encoding does not have")
        }
        return text
      } catch {
        refuse(node, "“\(name)” is \(error.text)")
        return nil
      }
    }
    guard let relationship = facts.relationships[name], let root = facts.targetRoots[name],
      let references = node.links[name]?.references, !references.isEmpty
    else { return nil }
    let texts = references.map { identifier(of: $0, root) }
    return relationship.isToMany ? texts.map(escaped).joined(separator: listSeparator) : texts[0]
  }

  private var listSeparator: String { String(UnicodeScalar(settings.listSeparator)) }

  private func escaped(_ identifier: String) -> String {
    var text: [UInt8] = []
    for byte in identifier.utf8 {
      if byte == settings.listSeparator || byte == UInt8(ascii: "\\") {
        text.append(UInt8(ascii: "\\"))
      }
      text.append(byte)
    }
    return String(decoding: text, as: UTF8.self)
  }

  private func identifier(of reference: ReferenceObject, _ root: String) -> String {
    identifiers[root]?[reference] ?? "\(reference)"
  }

  /// Where the identifier's column is an attribute's, the attribute is the identifier.
  private mutating func findIdentifiers() {
    var taken: [String: Set<String>] = [:]
    for node in contents.nodes {
      guard let facts = facts[node.identifier.entityName] else { continue }
      var text = "\(node.identifier.reference)"
      if let name = names.property(at: names.identifierColumn, of: facts.entity.name),
        let attribute = facts.attributes[name]
      {
        guard let value = node.values[name], !value.isNull,
          let own = try? values.write(value, of: attribute), !own.isEmpty
        else {
          refuse(node, "“\(name)” is the identifier and has no value", code: "ATM-016")
          continue
        }
        text = own
        identifiers[facts.rootName, default: [:]][node.identifier.reference] = own
      }
      if !taken[facts.rootName, default: []].insert(text).inserted {
        refuse(node, "another object has its identifier", code: "ATM-016")
      }
    }
  }

  // MARK: Refusals

  private mutating func refuse(_ node: CacheNode, _ reason: String, code: String = "ATM-015") {
    mistakes.append(
      Diagnostic(
        code, "\(node.identifier) cannot be written", at: SourceLocation(file: path),
        reason: reason,
        remedy: "change the settings beside the file, or choose another type"))
  }

  /// Columns of one's own choice may have no room for something.
  private mutating func checkNothingIsLost(
    _ node: CacheNode, _ facts: EntityFacts, _ columns: Set<String>, _ all: [String: [String]]
  ) {
    for (name, value) in node.values where !value.isNull {
      if !columns.contains(names.column(of: name, facts.entity.name)) {
        refuse(node, "there is no column for “\(name)”")
      }
    }
    for (name, link) in node.links where !link.references.isEmpty {
      if columns.contains(names.column(of: name, facts.entity.name)) { continue }
      let isOnOtherSide =
        facts.inverses[name].map { inverse in
          facts.targetFamilies[name, default: []].allSatisfy { entity in
            self.facts[entity]?.entity.isAbstract != false
              || all[entity]?.contains(names.column(of: inverse.name, entity)) == true
          }
        } ?? false
      if !isOnOtherSide { refuse(node, "there is no column for “\(name)”") }
    }
  }
}
