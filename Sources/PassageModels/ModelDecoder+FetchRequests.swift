import PassageDiagnostics
internal import PassagePlatform

extension ModelDecoder {
  /// A fetched property: an object, or only its name.
  mutating func fetchedProperty(_ node: JSONNode, of entity: String) -> Entity.FetchedProperty? {
    if case .string(let name) = node.kind {
      locations.note(node.location, of: .init(entity: entity, property: name))
      return Entity.FetchedProperty(name: name)
    }
    guard
      let members = json.members(
        of: node, "a fetched property", known: ModelDocument.fetchedPropertyMembers,
        required: ["name"])
    else { return nil }
    let name = json.string(members["name"], "a fetched property's name")?.cutToName ?? ""
    note(node, members, of: .init(entity: entity, property: name))
    let what = "“\(entity).\(name)”"
    var property = Entity.FetchedProperty(name: name)
    property.userInfo = json.strings(byName: members["userInfo"], "the user info of \(what)")
    if ["entity", "predicate", "settings", "request"].contains(where: { members[$0] != nil }) {
      property.fetchRequest = Model.FetchRequest(
        name: json.string(members["request"], "“request” of \(what)") ?? "",
        entityName: json.string(members["entity"], "“entity” of \(what)"),
        predicate: json.string(members["predicate"], "“predicate” of \(what)"),
        settings: json.strings(byName: members["settings"], "“settings” of \(what)"))
    }
    return property
  }

  mutating func fetchRequest(_ node: JSONNode) -> Model.FetchRequest? {
    guard
      let members = json.members(
        of: node, "a fetch request", known: ModelDocument.fetchRequestMembers, required: ["name"])
    else { return nil }
    let name = json.string(members["name"], "a fetch request's name") ?? ""
    return Model.FetchRequest(
      name: name,
      entityName: json.string(members["entity"], "the entity of the fetch request “\(name)”"),
      predicate: json.string(
        members["predicate"], "the predicate of the fetch request “\(name)”"),
      settings: json.strings(
        byName: members["settings"], "the settings of the fetch request “\(name)”"))
  }

  mutating func configuration(_ node: JSONNode) -> Model.Configuration? {
    guard
      let members = json.members(
        of: node, "a configuration", known: ModelDocument.configurationMembers,
        required: ["name", "entities"])
    else { return nil }
    let name = json.string(members["name"], "a configuration's name") ?? ""
    return Model.Configuration(
      name: name,
      entityNames: json.strings(members["entities"], "an entity of the configuration “\(name)”"),
      isUsedWithCloudKit: json.bool(
        members["cloudKit"], "“cloudKit” of the configuration “\(name)”") ?? false)
  }

  /// The 32 bytes of a recorded version hash, in Base-64.
  mutating func versionHash(_ node: JSONNode, _ what: String) -> [UInt8]? {
    guard let text = json.string(node, what) else { return nil }
    if let data = Data(base64Encoded: text), data.count == RecordedHashes.byteCount {
      return Array(data)
    }
    json.report(
      Diagnostic(
        "MOD-002", "\(what) is not a version hash", at: node.location,
        reason: "a version hash is \(RecordedHashes.byteCount) bytes, written in base64"))
    return nil
  }
}
