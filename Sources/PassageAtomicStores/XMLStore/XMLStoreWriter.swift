internal import PassageDiagnostics
internal import PassageModels
internal import PassagePlatform
internal import PassageStores
internal import PassageValues

/// Writes objects as a Core Data XML store, one at a time.
struct XMLStoreWriter {
  private let source: any ObjectSource
  private let model: Model
  private let path: String
  private let facts: [String: EntityFacts]
  private let values = AttributeText(XMLStoreType.style)
  private var mistakes = MistakeList()
  private var offsets: [String: Int64] = [:]

  init(_ source: any ObjectSource, model: Model, path: String) {
    self.source = source
    self.model = model
    self.path = path
    facts = EntityFacts.all(model)
  }

  mutating func write(to sink: any ByteSink) throws {
    for mistake in XMLStoreNames(model, facts: facts, path: path).ambiguous {
      mistakes.append(mistake)
    }
    let next = try findOffsets()
    var output = TextOutput(sink)
    try output.append(head(next: next))
    for facts in EntityFacts.sorted(facts) {
      try source.objects(of: facts, links: Set(facts.relationships.keys)) { object in
        try append(object, facts, to: &output)
      }
    }
    try output.append("</database>\n")
    try output.finish()
    try mistakes.diagnostics(path: path).throwIfErrors()
  }

  // MARK: Identifiers

  /// Identifiers are unique in the file, keys only in a hierarchy. If two hierarchies share a key,
  /// each hierarchy's keys are moved above those of the one before it.
  ///
  /// - Returns: the next free number.
  private mutating func findOffsets() throws -> Int64 {
    var largest: [String: Int64] = [:]
    var isShared = false
    let index = Set(facts.values.map(\.rootName)).count > 1 ? try IdentifierIndex() : nil
    for entity in EntityFacts.sorted(facts) {
      try source.identities(of: entity, attribute: nil) { reference, _ in
        // A number and a text are different references even if they look the same.
        let kind = reference.number == nil ? "text" : "number"
        if !isShared, let index, let other = try index.text(of: reference, root: kind) {
          isShared = other != entity.rootName
        } else if !isShared {
          try index?.name(reference, root: kind, entity.rootName)
        }
        if let number = reference.number {
          largest[entity.rootName] = max(largest[entity.rootName] ?? 0, number)
        }
      }
    }
    guard isShared else { return (largest.values.max() ?? 0) &+ 1 }
    var offset: Int64 = 0
    for root in largest.keys.sorted() {
      offsets[root] = offset
      let (sum, overflow) = offset.addingReportingOverflow(largest[root] ?? 0)
      if overflow || sum == .max {
        mistakes.append(
          Diagnostic(
            "ATM-016", "the keys of “\(root)” are too large", at: SourceLocation(file: path),
            reason: "identifiers in the file are numbers that must be unique among all entities",
            remedy: "choose another type"))
        return 1
      }
      offset = sum
    }
    return offset + 1
  }

  private func identifier(_ reference: AtomicStore.Reference, _ root: String) -> String {
    switch reference {
    case .number(let number): "z\(number &+ (offsets[root] ?? 0))"
    case .text(let text): text
    }
  }

  /// A longer value of an attribute is refused by libxml2 (`XML_MAX_TEXT_LENGTH`), and so by the reader.
  private static let maximumListBytes = 10_000_000

  // MARK: Elements

  private mutating func head(next: Int64) -> String {
    var members = StoreMetadata(
      storeUUID: "", hashes: ModelHashes(model: model),
      versionIdentifiers: model.versionIdentifiers, appMembers: source.metadata
    ).members.filter { !XMLStoreType.leftOut.contains($0.key) }
    if !offsets.isEmpty {
      members.append(
        PropertyList.Member(
          XMLStoreInfo.offsetsKey,
          .dictionary(
            offsets.sorted { $0.key < $1.key }.map {
              PropertyList.Member($0.key, .integer($0.value))
            })))
    }
    for member in members where !member.texts.allSatisfy(MarkupText.holds) {
      mistakes.append(
        Diagnostic(
          "ATM-015", "“\(member.key)” of the store's metadata cannot be written",
          at: SourceLocation(file: path),
          reason: "it has characters that XML does not allow", remedy: "choose another type"))
    }
    let list = MarkupPropertyList.write(.dictionary(members), indentation: 4)
    return """
      <?xml version="1.0"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

      <database>
          <databaseInfo>
              <version>\(XMLStoreInfo.version)</version>
              <UUID>\(MarkupText.escaped(source.storeUUID ?? UUID().uuidString))</UUID>
              <nextObjectID>\(next)</nextObjectID>
              <metadata>
                  <plist version="1.0">
      \(list)            </plist>
              </metadata>
          </databaseInfo>

      """
  }

  private mutating func append(
    _ object: WrittenObject, _ facts: EntityFacts, to output: inout TextOutput
  ) throws {
    let identifier = identifier(object.identifier.reference, facts.rootName)
    if case .text(let text) = object.identifier.reference,
      text.contains(where: \.isWhitespace) || isNumbered(text) || !MarkupText.holds(text)
    {
      refuse(object, "its identifier cannot be written in a list of identifiers", code: "ATM-016")
    }
    try output.append(
      "    <object type=\"\(MarkupText.escaped(XMLStoreNames.entity(facts.entity.name)))\" "
        + "id=\"\(MarkupText.escaped(identifier))\">\n")
    for (name, attribute) in facts.attributes.sorted(by: { $0.key < $1.key }) {
      guard let value = object.values[name], !value.isNull else { continue }
      let text: String
      do throws(ValueMistake) {
        text = try values.write(value, of: attribute)
      } catch {
        refuse(object, "“\(name)” is \(error.text)")
        continue
      }
      let isText = attribute.type == .string || attribute.type == .uri
      let encoded = isText ? XMLStoreText.encode(text) : text
      try source.limit?.check(encoded.utf8.count, of: object.identifier)
      try output.append(
        "        <attribute name=\"\(MarkupText.escaped(XMLStoreNames.property(name)))\" "
          + "type=\"\(XMLStoreType.typeName(attribute.type))\">"
          + "\(encoded)</attribute>\n")
    }
    for (_, relationship) in facts.relationships.sorted(by: { $0.key < $1.key }) {
      try append(relationship, object, facts, to: &output)
    }
    try output.append("    </object>\n")
  }

  private mutating func append(
    _ relationship: Relationship, _ object: WrittenObject, _ facts: EntityFacts,
    to output: inout TextOutput
  ) throws {
    let root = facts.targetRoots[relationship.name] ?? ""
    let counts =
      "\(relationship.isOptional ? 0 : max(1, relationship.minimumCount))/\(relationship.maximumCount)"
    try output.append(
      "        <relationship name=\"\(MarkupText.escaped(XMLStoreNames.property(relationship.name)))\" "
        + "type=\"\(counts)\" "
        + "destination=\"\(MarkupText.escaped(XMLStoreNames.entity(relationship.destinationEntityName)))\""
    )
    // The links are written one by one, so that they are never in memory together.
    var isFirst = true
    var byteCount = 0
    try object.forEachLink(relationship.name) { reference in
      let text = MarkupText.escaped(identifier(reference, root))
      byteCount += text.utf8.count + 1
      try output.append((isFirst ? " idrefs=\"" : " ") + text)
      isFirst = false
    }
    try output.append((isFirst ? "" : "\"") + "></relationship>\n")
    if byteCount - 1 > Self.maximumListBytes {
      refuse(object, "the list of “\(relationship.name)” is longer than XML parsers read")
    }
  }

  /// Whether a text would be read as a number.
  private func isNumbered(_ text: String) -> Bool {
    text.hasPrefix("z") && AtomicStore.Reference(String(text.dropFirst()))?.number != nil
  }

  private mutating func refuse(
    _ object: WrittenObject, _ reason: String, code: String = "ATM-015"
  ) {
    mistakes.append(
      Diagnostic(
        code, "\(object.identifier.shown) cannot be written", at: SourceLocation(file: path),
        reason: reason,
        remedy: "choose another type"))
  }
}

extension PropertyList.Member {
  /// The texts in the member, its keys included.
  fileprivate var texts: [String] { [key] + value.texts }
}

extension PropertyList {
  fileprivate var texts: [String] {
    switch self {
    case .string(let text): [text]
    case .array(let elements): elements.flatMap(\.texts)
    case .dictionary(let members): members.flatMap(\.texts)
    default: []
    }
  }
}
