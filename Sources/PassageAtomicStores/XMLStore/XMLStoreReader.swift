internal import PassageDiagnostics
internal import PassageModels
internal import PassagePlatform
internal import PassageValues

/// Reads the objects of a model from a Core Data XML store.
struct XMLStoreReader {
  private let root: MarkupElement
  private let model: Model
  private let path: String
  private let info: XMLStoreInfo
  private let facts: [String: EntityFacts]
  private let names: XMLStoreNames
  private let offsets: [String: Int64]
  private var values = AttributeText(XMLStoreType.style)
  private var contents = AtomicStore.Contents()
  private var wrongNames: [Diagnostic] = []
  /// What was meant by wrong names.
  private var similar = SimilarNames()
  private var seen: [ExactText: SourceLocation] = [:]

  init(_ root: MarkupElement, model: Model, path: String) {
    self.root = root
    self.model = model
    self.path = path
    info = XMLStoreInfo(root)
    facts = EntityFacts.all(model)
    names = XMLStoreNames(model, facts: facts, path: path)
    offsets = info.keyOffsets
  }

  mutating func read() throws(Diagnostics) -> AtomicStore.Contents {
    try XMLStoreType.checkRoot(root)
    try checkHashes()
    contents.storeUUID = info.storeUUID
    contents.metadata = info.appMembers
    refuseStrangers(in: root, known: ["databaseInfo", "object"])
    for element in root.children where element.name == "object" { read(element) }
    if !wrongNames.isEmpty {
      throw RecordMistake.listed(
        names.ambiguous + wrongNames + contents.rejected.flatMap(\.mistakes), path: path)
    }
    for name in values.rounded.sorted() {
      contents.warnings.append(
        Diagnostic(
          "ATM-102", "numbers of “\(name)” were rounded", severity: .warning,
          at: SourceLocation(file: path), reason: "a store keeps about 17 digits of a number"))
    }
    return contents
  }

  /// Checks that the version hashes in the store are those of the model. Entities whose hashes are
  /// not certain are not compared.
  private func checkHashes() throws(Diagnostics) {
    let recorded = info.versionHashes
    if recorded.isEmpty { return }
    let unsure = Set(model.entitiesWithUnprovedHash)
    let expected = model.versionHashes
    let different = Set(recorded.keys).union(expected.keys).subtracting(unsure)
      .filter { recorded[$0] != expected[$0] }.sorted()
    guard let first = different.first else { return }
    throw Diagnostics([
      Diagnostic(
        "ATM-020", "the store is not compatible with “\(model.name)”",
        at: SourceLocation(file: path),
        reason: "\(different.count) version hashes differ, the first of them that of “\(first)”",
        remedy: "name the model the store was written with")
    ])
  }

  private mutating func read(_ element: MarkupElement) {
    guard let written = element.attributes["type"], !written.isEmpty else {
      return structure("an object has no type", element)
    }
    guard let entity = names.entity(at: written), let facts = facts[entity] else {
      wrongNames.append(
        RecordMistake.unknownEntity(written, model, &similar, at: element.location))
      return
    }
    guard let identifier = element.attributes["id"], !identifier.isEmpty else {
      contents.rejected.append(
        AtomicStore.Contents.RejectedRecord(
          entityName: entity,
          mistakes: [
            Diagnostic(
              "ATM-008", "an object of “\(entity)” has no identifier", at: element.location,
              reason: "identifiers are read from the attribute “id” of the element")
          ]))
      return
    }
    var node = CacheNode(
      AtomicStore.Identifier(
        entityName: entity, reference: reference(identifier, root: facts.rootName)),
      at: element.location)
    var mistakes: [Diagnostic] = []
    let other = seen[ExactText(identifier)]
    if let other {
      mistakes.append(
        RecordMistake.repeatedIdentifier(of: entity, at: element.location, other: other))
    }
    seen[ExactText(identifier)] = other ?? element.location
    refuseStrangers(in: element, known: ["attribute", "relationship"])
    var properties: Set<String> = []
    for child in element.children where child.name == "attribute" || child.name == "relationship" {
      refuseStrangers(in: child, known: [], hasText: true)
      guard let written = child.attributes["name"],
        let name = names.property(at: written, of: entity)
      else {
        wrongNames.append(
          RecordMistake.unknownProperty(
            child.attributes["name"] ?? "", of: facts, &similar, at: child.location))
        continue
      }
      guard properties.insert(name).inserted else {
        mistakes.append(
          Diagnostic("ATM-007", "“\(name)” occurs twice in one object", at: child.location))
        continue
      }
      readProperty(name, child, of: facts, into: &node, &mistakes)
    }
    if mistakes.isEmpty {
      contents.nodes.append(node)
    } else {
      contents.rejected.append(
        AtomicStore.Contents.RejectedRecord(
          entityName: entity, mistakes: mistakes, identifier: node.identifier))
    }
  }

  /// Reads the value of an attribute, or the links of a relationship.
  private mutating func readProperty(
    _ name: String, _ child: MarkupElement, of facts: EntityFacts, into node: inout CacheNode,
    _ mistakes: inout [Diagnostic]
  ) {
    if child.name == "attribute", let attribute = facts.attributes[name] {
      do throws(ValueMistake) {
        let isText = attribute.type == .string || attribute.type == .uri
        node.values[name] = try values.read(
          isText ? XMLStoreText.decode(child.text) : child.text, as: attribute)
      } catch {
        mistakes.append(
          Diagnostic(
            "ATM-010", "“\(facts.entity.name).\(name)” cannot be read: \(error.text) is expected",
            at: child.location))
      }
    } else if child.name == "relationship", facts.relationships[name] != nil {
      let references = (child.attributes["idrefs"] ?? "").split(whereSeparator: \.isWhitespace)
        .map { reference(String($0), root: facts.targetRoots[name] ?? "") }
      if !references.isEmpty { node.links[name] = CacheNode.Link(references, at: child.location) }
    } else {
      mistakes.append(
        Diagnostic(
          "ATM-019",
          "“\(facts.entity.name).\(name)” is not "
            + "\(child.name == "attribute" ? "an attribute" : "a relationship")", at: child.location
        ))
    }
  }

  /// Refuses content that is not read, because it would be lost silently.
  private mutating func refuseStrangers(
    in element: MarkupElement, known: Set<String>, hasText: Bool = false
  ) {
    for child in element.children where !known.contains(child.name) {
      structure("an element “\(child.name)” is not allowed in “\(element.name)”", child)
    }
    if !hasText, element.text.contains(where: { !$0.isWhitespace }) {
      structure("text is not allowed in “\(element.name)”", element)
    }
  }

  private mutating func structure(_ message: String, _ element: MarkupElement) {
    wrongNames.append(Diagnostic("ATM-019", message, at: element.location))
  }

  /// `z102` is the number 102, minus the offset added to the keys of the hierarchy. Anything else
  /// is a text.
  private func reference(_ identifier: String, root: String) -> AtomicStore.Reference {
    guard identifier.hasPrefix("z"),
      case .number(let number)? = AtomicStore.Reference(String(identifier.dropFirst()))
    else { return .text(identifier) }
    let (key, overflow) = number.subtractingReportingOverflow(offsets[root] ?? 0)
    return overflow || key < 1 ? .text(identifier) : .number(key)
  }
}
