internal import PassageDiagnostics
internal import PassageModels

/// Converts records whose cells are text into objects, for any syntax of the file.
struct TextRecordReader {
  /// One cell; `nil` text for nil.
  struct Cell {
    var column: String
    var text: String?
    var location: SourceLocation
    var form = CellForm.text
    /// The elements of a list.
    var elements: [Cell] = []
  }

  let model: Model
  let settings: TextStoreSettings
  let names: TextStoreNames
  let path: String
  private let facts: [String: EntityFacts]
  private var values: AttributeText
  private let sink: any RecordSink
  /// Unknown names; the file is of another model.
  private var wrongNames = MistakeList()
  private var wrongRecords = MistakeList()
  /// What was meant by wrong names.
  private var similar = SimilarNames()
  private var recordCount: Int64 = 0

  init(model: Model, settings: TextStoreSettings, path: String, into sink: any RecordSink) {
    self.sink = sink
    self.model = model
    self.settings = settings
    self.path = path
    facts = EntityFacts.all(model)
    names = TextStoreNames(settings: settings, facts: facts)
    values = AttributeText(settings.style)
    for mistake in names.mistakes(path: path).all { wrongNames.append(mistake) }
  }

  /// The entity of records that do not name one; `nil` if there are several.
  var onlyEntity: String? {
    if let name = settings.entityName { return name }
    let concrete = model.entities.filter { !$0.isAbstract }
    return concrete.count == 1 ? concrete[0].name : nil
  }

  /// The column with the identifier. If no settings name it and an attribute has its name, that
  /// attribute is the identifier, unless the file has a separate column for it.
  func identifierColumn(among columns: [String]) -> String? {
    if columns.contains(names.identifierColumn) { return names.identifierColumn }
    let plain = TextStoreNames.identifierName
    return settings.identifierColumn == nil && columns.contains(plain) ? plain : nil
  }

  /// Whether records with some columns have identifiers: one whose column the settings name must be there.
  func hasIdentifiers(among columns: [String]) -> Bool {
    settings.identifierColumn != nil || identifierColumn(among: columns) != nil
  }

  /// Whether the model has an entity with this name.
  func knows(_ entityName: String) -> Bool { facts[entityName] != nil }

  /// Reports an unknown name of the file as a whole.
  mutating func reportName(_ mistake: Diagnostic) { wrongNames.append(mistake) }

  /// Reports the name of an entity that the model does not have.
  mutating func reportUnknown(_ entityName: String, at location: SourceLocation?) {
    reportName(RecordMistake.unknownEntity(entityName, model, &similar, at: location))
  }

  /// Rejects a record that is not an object.
  ///
  /// - Parameter identifier: `nil` if the record has no usable identifier.
  mutating func reject(
    _ entityName: String, _ mistakes: [Diagnostic], _ identifier: AtomicStore.Identifier? = nil
  ) throws {
    for mistake in mistakes { wrongRecords.append(mistake) }
    try sink.reject(
      AtomicStore.Contents.RejectedRecord(
        entityName: entityName, mistakes: mistakes, identifier: identifier))
  }

  /// Converts a record into an object, or rejects it with all its mistakes.
  ///
  /// - Parameter hasIdentifiers: whether records of the entity have identifiers. If not, they are
  ///   numbered.
  mutating func add(
    _ entityName: String, _ cells: [Cell], hasIdentifiers: Bool, at location: SourceLocation
  ) throws {
    recordCount += 1
    guard let facts = facts[entityName] else {
      reportUnknown(entityName, at: location)
      return
    }
    if facts.entity.isAbstract {
      return try reject(entityName, [RecordMistake.abstractEntity(entityName, at: location)])
    }
    var mistakes: [Diagnostic] = []
    var reference: AtomicStore.Reference? = hasIdentifiers ? nil : .number(recordCount)
    var node = CacheNode(
      AtomicStore.Identifier(entityName: entityName, reference: .number(0)), at: location)
    var hasWrongIdentifier = false
    let identifierColumn = identifierColumn(among: cells.map(\.column))
    for cell in cells {
      if cell.column == names.entityColumn || settings.ignored.contains(cell.column) { continue }
      let isIdentifier = cell.column == identifierColumn
      if isIdentifier, cell.form != .null {
        if let expected = cell.form.expectedForIdentifier(cell.text) {
          mistakes.append(
            cell.form.mistake("the identifier", expected: expected, at: cell.location))
          hasWrongIdentifier = true
          continue
        }
        reference = cell.text.flatMap(AtomicStore.Reference.init)
      }
      guard let name = names.property(at: cell.column, of: entityName) else {
        if !isIdentifier { reportUnknown(cell, of: facts, &mistakes) }
        continue
      }
      if cell.form == .null { continue }
      if let attribute = facts.attributes[name] {
        readValue(cell, of: attribute, into: &node, &mistakes)
      } else if let relationship = facts.relationships[name] {
        let list = references(cell, relationship, entityName, &mistakes)
        if !list.isEmpty { node.links[name] = CacheNode.Link(list, at: cell.location) }
      }
    }
    if let reference {
      node.identifier.reference = reference
    } else if !hasWrongIdentifier {
      mistakes.append(
        Diagnostic(
          "ATM-008", "an object of “\(entityName)” has no identifier", at: location,
          reason: "identifiers are read from “\(names.identifierColumn)”"))
    }
    if mistakes.isEmpty {
      try sink.add(node)
    } else {
      try reject(entityName, mistakes, reference == nil ? nil : node.identifier)
    }
  }

  /// Reports a cell of a property that the entity does not have.
  private mutating func reportUnknown(
    _ cell: Cell, of facts: EntityFacts, _ mistakes: inout [Diagnostic]
  ) {
    // In text, the columns of other entities are empty.
    guard cell.text != nil || cell.form != .text else { return }
    let mistake = RecordMistake.unknownProperty(
      cell.column, of: facts, &similar, at: cell.location)
    // A name that no entity has says that the file is of another model, as in a header.
    if names.isKnown(cell.column) { mistakes.append(mistake) } else { reportName(mistake) }
  }

  /// Reads the value of an attribute into an object.
  private mutating func readValue(
    _ cell: Cell, of attribute: Attribute, into node: inout CacheNode,
    _ mistakes: inout [Diagnostic]
  ) {
    let (entityName, name) = (node.identifier.entityName, attribute.name)
    if let expected = cell.form.expected(for: attribute.type, settings.style) {
      mistakes.append(
        cell.form.mistake("“\(entityName).\(name)”", expected: expected, at: cell.location))
      return
    }
    guard let text = cell.text else { return }
    if text.isEmpty, !settings.nullText.isEmpty, !values.canBeEmpty(attribute.type) { return }
    do throws(ValueMistake) {
      node.values[name] = try values.read(text, as: attribute)
    } catch {
      mistakes.append(
        Diagnostic(
          "ATM-010", "“\(entityName).\(name)” cannot be read: \(error.text) is expected",
          at: cell.location))
    }
  }

  /// Ends reading and returns the warnings.
  ///
  /// - Throws: unknown names, and the mistakes beside them.
  func finish() throws(Diagnostics) -> Diagnostics {
    if !wrongNames.isEmpty {
      var all = wrongNames
      all.append(contentsOf: wrongRecords)
      throw all.diagnostics(path: path)
    }
    var warnings = Diagnostics()
    for name in values.rounded.sorted() {
      warnings.append(
        Diagnostic(
          "ATM-102", "numbers of “\(name)” were rounded", severity: .warning,
          at: SourceLocation(file: path), reason: "a store keeps about 17 digits of a number"))
    }
    return warnings
  }

  /// The identifiers to which a cell leads.
  private func references(
    _ cell: Cell, _ relationship: Relationship, _ entityName: String,
    _ mistakes: inout [Diagnostic]
  ) -> [AtomicStore.Reference] {
    let what = "“\(entityName).\(relationship.name)”"
    if relationship.isToMany, cell.form == .text { return cell.text.map(list) ?? [] }
    if relationship.isToMany, cell.form != .list {
      mistakes.append(
        cell.form.mistake(what, expected: "a list of identifiers", at: cell.location))
      return []
    }
    var found: [AtomicStore.Reference] = []
    for element in relationship.isToMany ? cell.elements : [cell] {
      if let expected = element.form.expectedForIdentifier(element.text) {
        mistakes.append(
          element.form.mistake(
            relationship.isToMany ? "an element of \(what)" : what, expected: expected,
            at: element.location))
      } else if let reference = element.text.flatMap(AtomicStore.Reference.init) {
        found.append(reference)
      }
    }
    return found
  }

  /// Splits a text into identifiers at separators. A backslash makes the next character text.
  private func list(_ text: String) -> [AtomicStore.Reference] {
    var found: [AtomicStore.Reference] = []
    var item: [UInt8] = []
    var isEscaped = false
    func add() {
      if let reference = AtomicStore.Reference(String(decoding: item, as: UTF8.self)) {
        found.append(reference)
      }
      item = []
    }
    for byte in text.utf8 {
      if isEscaped || (byte != settings.listSeparator && byte != UInt8(ascii: "\\")) {
        item.append(byte)
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        add()
      }
    }
    add()
    return found
  }
}
