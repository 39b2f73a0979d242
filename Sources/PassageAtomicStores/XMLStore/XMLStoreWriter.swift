internal import FoundationEssentials
internal import PassageDiagnostics
internal import PassageModels
internal import PassageStores
internal import PassageValues

/// Writes objects as a Core Data XML store.
struct XMLStoreWriter {
  private let contents: AtomicContents
  private let model: Model
  private let path: String
  private let facts: [String: EntityFacts]
  private let values = AttributeText(XMLStoreType.style)
  private var mistakes: [Diagnostic] = []
  private var offsets: [String: Int64] = [:]

  init(_ contents: AtomicContents, model: Model, path: String) {
    self.contents = contents
    self.model = model
    self.path = path
    facts = EntityFacts.all(model)
  }

  mutating func bytes() throws(Diagnostics) -> [UInt8] {
    mistakes = XMLStoreNames(model, facts: facts, path: path).ambiguous
    let next = findOffsets()
    var body = ""
    let sorted = contents.nodes.sorted {
      $0.identifier.entityName == $1.identifier.entityName
        ? $0.identifier.reference < $1.identifier.reference
        : $0.identifier.entityName.utf8.lexicographicallyPrecedes($1.identifier.entityName.utf8)
    }
    for node in sorted { append(node, to: &body) }
    try Mistakes.listed(mistakes, path: path).throwIfErrors()
    return Array((head(next: next) + body + "</database>\n").utf8)
  }

  // MARK: Identifiers

  /// Identifiers are unique in the file, keys only in a hierarchy: where two share one, each
  /// hierarchy's keys are moved behind those of the one before it.
  ///
  /// - Returns: the next number.
  private mutating func findOffsets() -> Int64 {
    var largest: [String: Int64] = [:]
    var taken: [ReferenceObject: String] = [:]
    var isShared = false
    for node in contents.nodes {
      guard let facts = facts[node.identifier.entityName] else { continue }
      let reference = node.identifier.reference
      if let other = taken[reference], other != facts.rootName { isShared = true }
      taken[reference] = facts.rootName
      if let number = reference.number {
        largest[facts.rootName] = max(largest[facts.rootName] ?? 0, number)
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
            reason: "the file needs numbers that are unique among all entities",
            remedy: "choose another type"))
        return 1
      }
      offset = sum
    }
    return offset + 1
  }

  private func identifier(_ reference: ReferenceObject, _ root: String) -> String {
    switch reference {
    case .number(let number): "z\(number &+ (offsets[root] ?? 0))"
    case .text(let text): text
    }
  }

  // MARK: Elements

  private func head(next: Int64) -> String {
    var members = StoreMetadata(
      storeUUID: "", hashes: ModelHashes(model: model),
      versionIdentifiers: model.versionIdentifiers, appMembers: contents.metadata
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
    let list = MarkupPropertyList.write(.dictionary(members), indentation: 4)
    return """
      <?xml version="1.0"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

      <database>
          <databaseInfo>
              <version>\(XMLStoreInfo.version)</version>
              <UUID>\(XMLStoreText.markup(contents.storeUUID ?? UUID().uuidString))</UUID>
              <nextObjectID>\(next)</nextObjectID>
              <metadata>
                  <plist version="1.0">
      \(list)            </plist>
              </metadata>
          </databaseInfo>

      """
  }

  private mutating func append(_ node: CacheNode, to body: inout String) {
    guard let facts = facts[node.identifier.entityName] else { return }
    let identifier = identifier(node.identifier.reference, facts.rootName)
    if case .text(let text) = node.identifier.reference,
      text.contains(where: \.isWhitespace) || isNumbered(text)
    {
      refuse(node, "its identifier cannot stand in a list of identifiers", code: "ATM-016")
    }
    body +=
      "    <object type=\"\(XMLStoreText.markup(XMLStoreNames.entity(facts.entity.name)))\" "
      + "id=\"\(XMLStoreText.markup(identifier))\">\n"
    for (name, attribute) in facts.attributes.sorted(by: { $0.key < $1.key }) {
      guard let value = node.values[name], !value.isNull else { continue }
      do throws(ValueMistake) {
        let text = try values.write(value, of: attribute)
        let isText = attribute.type == .string || attribute.type == .uri
        body +=
          "        <attribute name=\"\(XMLStoreText.markup(XMLStoreNames.property(name)))\" "
          + "type=\"\(XMLStoreType.typeName(attribute.type))\">"
          + "\(isText ? XMLStoreText.encode(text) : text)</attribute>\n"
      } catch {
        refuse(node, "“\(name)” is \(error.text)")
      }
    }
    for (name, relationship) in facts.relationships.sorted(by: { $0.key < $1.key }) {
      append(relationship, node.links[name]?.references ?? [], facts, to: &body)
    }
    body += "    </object>\n"
  }

  private func append(
    _ relationship: Relationship, _ references: [ReferenceObject], _ facts: EntityFacts,
    to body: inout String
  ) {
    let root = facts.targetRoots[relationship.name] ?? ""
    let list = references.map { identifier($0, root) }.joined(separator: " ")
    let counts =
      "\(relationship.isOptional ? 0 : max(1, relationship.minimumCount))/\(relationship.maximumCount)"
    body +=
      "        <relationship name=\"\(XMLStoreText.markup(XMLStoreNames.property(relationship.name)))\" "
      + "type=\"\(counts)\" "
      + "destination=\"\(XMLStoreText.markup(XMLStoreNames.entity(relationship.destinationEntityName)))\""
      + (list.isEmpty ? "" : " idrefs=\"\(XMLStoreText.markup(list))\"") + "></relationship>\n"
  }

  /// Whether a text would be read as a number.
  private func isNumbered(_ text: String) -> Bool {
    text.hasPrefix("z") && ReferenceObject(String(text.dropFirst()))?.number != nil
  }

  private mutating func refuse(_ node: CacheNode, _ reason: String, code: String = "ATM-015") {
    mistakes.append(
      Diagnostic(
        code, "\(node.identifier) cannot be written", at: SourceLocation(file: path),
        reason: reason,
        remedy: "choose another type"))
  }
}
