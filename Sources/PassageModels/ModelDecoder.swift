import PassageDiagnostics

/// Converts a JSON tree into a ``Model`` and records the locations of its parts.
struct ModelDecoder {
  var json = JSONDecoding(code: "MOD-002")
  var locations: ModelLocations

  init(file: String) { locations = ModelLocations(file: file) }

  mutating func model(_ node: JSONNode) -> Model {
    guard
      let members = json.members(
        of: node, "the model", known: ModelDocument.modelMembers, required: ["name", "entities"])
    else { return Model(name: "", entities: []) }
    locations.note(node.location, of: .init())
    return Model(
      name: json.string(members["name"], "the model's name") ?? "",
      versionIdentifiers: json.strings(members["versionIdentifiers"], "“versionIdentifiers”"),
      entities: json.array(members["entities"], "“entities”").compactMap { entity($0) },
      configurations: json.array(members["configurations"], "“configurations”")
        .compactMap { configuration($0) },
      fetchRequestTemplates: json.array(members["fetchRequests"], "“fetchRequests”")
        .compactMap { fetchRequest($0) })
  }

  private mutating func entity(_ node: JSONNode) -> Entity? {
    guard
      let members = json.members(
        of: node, "an entity", known: ModelDocument.entityMembers, required: ["name"])
    else { return nil }
    // A missing name is reported, and the rest is still checked.
    let name = json.string(members["name"], "an entity's name")?.cutToName ?? ""
    note(node, members, of: .init(entity: name))
    var entity = Entity(name: name)
    let what = "“\(name)”"
    entity.isAbstract = json.bool(members["abstract"], "“abstract” of \(what)") ?? false
    entity.parentName = json.string(members["parent"], "the parent of \(what)")
    entity.attributes = json.array(members["attributes"], "the attributes of \(what)")
      .compactMap { attribute($0, of: name) }
    entity.relationships = json.array(members["relationships"], "the relationships of \(what)")
      .compactMap { relationship($0, of: name) }
    entity.fetchedProperties =
      json.array(members["fetchedProperties"], "the fetched properties of \(what)")
      .compactMap { fetchedProperty($0, of: name) }
    entity.uniquenessConstraints =
      json.array(members["uniquenessConstraints"], "the uniqueness constraints of \(what)")
      .map { json.strings($0, "a uniqueness constraint of \(what)") }
    entity.indexes = json.array(members["indexes"], "the indexes of \(what)")
      .compactMap { index($0, of: name) }
    entity.renamingIdentifier = json.string(
      members["renamingIdentifier"], "the renaming identifier of \(what)")
    entity.versionHashModifier = json.string(
      members["versionHashModifier"], "the version hash modifier of \(what)")
    entity.className = json.string(members["className"], "the class name of \(what)")
    entity.userInfo = json.strings(byName: members["userInfo"], "the user info of \(what)")
    entity.recordedVersionHash = members["versionHash"].flatMap {
      versionHash($0, "the version hash of \(what)")
    }
    return entity
  }

  private mutating func index(_ node: JSONNode, of entity: String) -> Entity.Index? {
    guard
      let members = json.members(
        of: node, "an index", known: ModelDocument.indexMembers, required: ["name", "elements"]),
      let name = json.string(members["name"], "an index's name")
    else { return nil }
    note(node, members, of: .init(entity: entity, property: "index \(name)"))
    // An index over many properties may have a long name.
    let shown = name.cutToName
    return Entity.Index(
      name: name,
      elements: json.array(members["elements"], "the elements of “\(shown)”")
        .compactMap { element($0, of: shown) },
      partialPredicate: json.string(
        members["partialPredicate"], "the partial predicate of “\(shown)”"))
  }

  private mutating func element(_ node: JSONNode, of index: String) -> Entity.Index.Element? {
    guard
      let members = json.members(
        of: node, "an index element", known: ModelDocument.indexElementMembers,
        required: [])
    else { return nil }
    let kind = word(members["kind"], "the kind of an index element", Self.indexKinds) ?? .binary
    let isAscending =
      json.bool(members["ascending"], "“ascending” of an element of “\(index)”") ?? true
    let property = json.string(members["property"], "the property of an index element")
    let expression = json.string(members["expression"], "the expression of an index element")
    switch (property, expression) {
    case (let property?, nil):
      return Entity.Index.Element(propertyName: property, kind: kind, isAscending: isAscending)
    case (nil, let expression?):
      return Entity.Index.Element(expression: expression, kind: kind, isAscending: isAscending)
    default:
      // A member of the wrong type has already been reported.
      if members["property"] == nil && members["expression"] == nil
        || property != nil && expression != nil
      {
        json.report(
          Diagnostic(
            "MOD-002", "an element of “\(index)” needs a “property” or an “expression”",
            at: node.location, reason: "exactly one of the two says what is indexed"))
      }
      return nil
    }
  }

  // MARK: Shared

  static let indexKinds: [(word: String, value: Entity.Index.Kind)] = [
    (Entity.Index.Kind.binary.rawValue, .binary), (Entity.Index.Kind.rtree.rawValue, .rtree),
  ]

  /// Records the locations of a part and its members.
  mutating func note(
    _ node: JSONNode, _ members: [String: JSONNode], of part: ModelLocations.Part
  ) {
    locations.note(members["name"]?.location ?? node.location, of: part)
    for (name, value) in members {
      var member = part
      member.member = name
      locations.note(value.location, of: member)
    }
  }

  /// One of a fixed list of words.
  mutating func word<Meaning>(
    _ node: JSONNode?, _ what: String, _ words: [(word: String, value: Meaning)]
  ) -> Meaning? {
    guard let node, let text = json.string(node, what) else { return nil }
    if let found = words.first(where: { $0.word == text }) { return found.value }
    json.reportError {
      let known = words.map(\.word)
      return Diagnostic(
        "MOD-002", "\(what) cannot be “\(text)”", at: node.location,
        remedy: nearest(to: text, in: known).map { "did you mean “\($0)”?" }
          ?? "use one of: \(known.joined(separator: ", "))")
    }
    return nil
  }
}
