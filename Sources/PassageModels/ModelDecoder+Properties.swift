import PassageDiagnostics

extension ModelDecoder {
  static let attributeTypes = AttributeType.allCases.map { (word: $0.name, value: $0) }
  static let deleteRules = Relationship.DeleteRule.allCases.map { (word: $0.name, value: $0) }

  /// - Parameter composite: whether the attribute is an element of a composite attribute.
  mutating func attribute(
    _ node: JSONNode, of entity: String, composite: Bool = false
  ) -> Attribute? {
    guard
      let members = json.members(
        of: node, "an attribute", known: ModelDocument.attributeMembers, required: ["name", "type"])
    else { return nil }
    let name = json.string(members["name"], "an attribute's name")?.cutToName ?? ""
    if !composite { note(node, members, of: .init(entity: entity, property: name)) }
    let what = "“\(entity).\(name)”"
    let type = word(members["type"], "the type of \(what)", Self.attributeTypes)
    var attribute = Attribute(name: name, type: type ?? .undefined)
    attribute.isOptional = json.bool(members["optional"], "“optional” of \(what)") ?? true
    attribute.isTransient = json.bool(members["transient"], "“transient” of \(what)") ?? false
    attribute.allowsExternalBinaryDataStorage =
      json.bool(
        members["allowsExternalBinaryDataStorage"],
        "“allowsExternalBinaryDataStorage” of \(what)") ?? false
    attribute.preservesValueOnDeletion =
      json.bool(members["preservesValueOnDeletion"], "“preservesValueOnDeletion” of \(what)")
      ?? false
    attribute.derivation = json.string(members["derivation"], "the derivation of \(what)")
    attribute.derivationFilter = json.string(
      members["derivationFilter"], "the derivation filter of \(what)")
    attribute.minimum = bound(members["minimum"], "the minimum of \(what)")
    attribute.maximum = bound(members["maximum"], "the maximum of \(what)")
    attribute.regularExpression = json.string(
      members["regularExpression"], "the regular expression of \(what)")
    attribute.valueTransformerName = json.string(
      members["valueTransformerName"], "the value transformer of \(what)")
    attribute.valueClassName = json.string(
      members["valueClassName"], "the value class of \(what)")
    attribute.elements = json.array(members["elements"], "the elements of \(what)")
      .compactMap { self.attribute($0, of: "\(entity).\(name)", composite: true) }
    attribute.isIndexed = json.bool(members["indexed"], "“indexed” of \(what)") ?? false
    attribute.renamingIdentifier = json.string(
      members["renamingIdentifier"], "the renaming identifier of \(what)")
    attribute.versionHashModifier = json.string(
      members["versionHashModifier"], "the version hash modifier of \(what)")
    attribute.userInfo = json.strings(byName: members["userInfo"], "the user info of \(what)")
    if let type, let node = members["default"] {
      switch DefaultValue.decode(node, as: type) {
      case .success(let value): attribute.defaultValue = value
      case .failure(let mistake):
        json.report(
          Diagnostic(
            "MOD-003", "the default of \(what) must be \(mistake.expected)", at: node.location))
      }
    }
    return attribute
  }

  mutating func relationship(_ node: JSONNode, of entity: String) -> Relationship? {
    guard
      let members = json.members(
        of: node, "a relationship", known: ModelDocument.relationshipMembers,
        required: ["name", "destination"])
    else { return nil }
    let name = json.string(members["name"], "a relationship's name")?.cutToName ?? ""
    let destination =
      json.string(members["destination"], "the destination of “\(name)”") ?? ""
    note(node, members, of: .init(entity: entity, property: name))
    let what = "“\(entity).\(name)”"
    var relationship = Relationship(name: name, destinationEntityName: destination)
    relationship.inverseName = json.string(members["inverse"], "the inverse of \(what)")
    relationship.isOptional = json.bool(members["optional"], "“optional” of \(what)") ?? true
    relationship.isTransient = json.bool(members["transient"], "“transient” of \(what)") ?? false
    relationship.minimumCount =
      json.count(
        members["minimumCount"], "the minimum count of \(what)", maximum: Int(Int32.max)) ?? 0
    relationship.maximumCount = maximumCount(members, what)
    relationship.isOrdered = json.bool(members["ordered"], "“ordered” of \(what)") ?? false
    relationship.deleteRule =
      word(members["deleteRule"], "the delete rule of \(what)", Self.deleteRules) ?? .nullify
    relationship.renamingIdentifier = json.string(
      members["renamingIdentifier"], "the renaming identifier of \(what)")
    relationship.versionHashModifier = json.string(
      members["versionHashModifier"], "the version hash modifier of \(what)")
    relationship.userInfo = json.strings(byName: members["userInfo"], "the user info of \(what)")
    return relationship
  }

  /// `toMany` and `maximumCount` express the same and must not contradict each other.
  private mutating func maximumCount(_ members: [String: JSONNode], _ what: String) -> Int {
    let isToMany = json.bool(members["toMany"], "“toMany” of \(what)")
    let maximum = json.count(
      members["maximumCount"], "the maximum count of \(what)", maximum: Int(Int32.max))
    guard let maximum else { return isToMany == true ? 0 : 1 }
    if let isToMany, isToMany != (maximum != 1) {
      json.report(
        Diagnostic(
          "MOD-002", "“toMany” and “maximumCount” of \(what) disagree",
          at: members["maximumCount"]?.location,
          reason: "a maximum count of 1 makes a to-one relationship, every other a to-many one",
          remedy: "leave out one of the two"))
    }
    return maximum
  }

  /// A bound for validation: a text, or a number in its notation.
  private mutating func bound(_ node: JSONNode?, _ what: String) -> String? {
    guard let node else { return nil }
    switch node.kind {
    case .string(let text), .number(let text): return text
    default:
      json.mismatch(node, what, expected: "a number or a string")
      return nil
    }
  }
}
