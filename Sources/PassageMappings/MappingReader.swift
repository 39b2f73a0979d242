internal import PassageDiagnostics
internal import PassageExpressions

/// Reads a mapping model from its JSON tree, and collects every mistake.
struct MappingReader {
  let file: String
  var decoding = JSONDecoding(code: "MAP-002")

  init(file: String) { self.file = file }

  mutating func model(_ root: JSONNode) -> MappingModel? {
    guard
      let members = decoding.members(
        of: root, "a mapping model", known: MappingDocument.modelMembers,
        required: ["source", "destination", "entityMappings"])
    else { return nil }
    var fileName = file.split(separator: "/").last.map(String.init) ?? file
    if fileName.hasSuffix(".json") { fileName.removeLast(5) }
    var model = MappingModel(
      name: decoding.string(members["name"], "“name”") ?? fileName, source: "", destination: "",
      entityMappings: [])
    model.source = located(members["source"], "“source”") ?? model.source
    model.destination = located(members["destination"], "“destination”") ?? model.destination
    model.nullSemantics =
      decoding.word(members["nullSemantics"], "“nullSemantics”", as: NullSemantics.self)
      ?? .inMemory
    model.variables = variables(members["variables"])
    model.entityMappings = decoding.array(members["entityMappings"], "“entityMappings”")
      .compactMap { entityMapping($0) }
    model.file = file
    return model
  }

  private mutating func entityMapping(_ node: JSONNode) -> EntityMapping? {
    guard
      let members = decoding.members(
        of: node, "an entity mapping", known: MappingDocument.entityMembers, required: ["type"]),
      let kind = decoding.word(members["type"], "“type”", as: EntityMapping.Kind.self)
    else { return nil }
    let source = located(members["source"], "“source”")
    let destination = located(members["destination"], "“destination”")
    var mapping = EntityMapping(kind: kind)
    mapping.name =
      located(members["name"], "“name”")
      ?? Located(
        EntityMapping.defaultName(source: source?.value, destination: destination?.value),
        at: node.location)
    mapping.sourceEntityName = source
    mapping.destinationEntityName = destination
    mapping.filter = located(members["filter"], "“filter”")
    mapping.policy = policy(members["policy"])
    mapping.forEach = located(members["forEach"], "“forEach”")
    mapping.merge = merge(members["mergeBy"])
    mapping.addedObjects = addedObjects(members["objects"])
    mapping.attributeMappings = properties(members["attributes"], "“attributes”")
    mapping.relationshipMappings = properties(members["relationships"], "“relationships”")
    mapping.draft = located(members["draft"], "“draft”")
    checkEntities(of: mapping, at: node.location)
    return mapping
  }

  /// Checks the entities for each type of mapping: an `add` mapping has no source, a `remove`
  /// mapping has no destination, the others have both.
  private mutating func checkEntities(of mapping: EntityMapping, at location: SourceLocation) {
    let needsSource = mapping.kind != .add
    let needsDestination = mapping.kind != .remove
    func mistake(_ message: String, _ place: SourceLocation?) -> Diagnostic {
      Diagnostic("MAP-003", message, at: place ?? location)
    }
    let type = mapping.kind.rawValue
    if needsSource, mapping.sourceEntityName == nil {
      decoding.report(mistake("a mapping of type “\(type)” needs a “source” entity", nil))
    }
    if needsDestination, mapping.destinationEntityName == nil {
      decoding.report(mistake("a mapping of type “\(type)” needs a “destination” entity", nil))
    }
    if !needsSource, let source = mapping.sourceEntityName {
      decoding.report(
        mistake("a mapping of type “\(type)” has no “source” entity", source.location))
    }
    if !needsDestination, let destination = mapping.destinationEntityName {
      decoding.report(
        mistake("a mapping of type “\(type)” has no “destination” entity", destination.location)
      )
    }
    if mapping.kind == .custom, mapping.policy == nil {
      var diagnostic = mistake("a mapping of type “custom” needs a “policy”", nil)
      diagnostic.remedy = "name the policy that makes its objects, or use the type “transform”"
      decoding.report(diagnostic)
    }
    if mapping.kind == .remove,
      !mapping.attributeMappings.isEmpty || !mapping.relationshipMappings.isEmpty
    {
      decoding.report(mistake("a mapping of type “remove” maps no properties", nil))
    }
  }

  private mutating func policy(_ node: JSONNode?) -> EntityMapping.PolicyReference? {
    guard let node else { return nil }
    if case .string(let name) = node.kind {
      var policy = EntityMapping.PolicyReference(name: name)
      policy.name.location = node.location
      return policy
    }
    guard
      let members = decoding.members(
        of: node, "a policy", known: MappingDocument.policyMembers, required: ["name"]),
      let name = located(members["name"], "“name”")
    else { return nil }
    var policy = EntityMapping.PolicyReference(name: name.value)
    policy.name = name
    policy.userInfo = decoding.strings(byName: members["userInfo"], "“userInfo”")
    return policy
  }

  /// An object whose members are destination properties: `{}` copies the source property of the
  /// same name, `null` keeps the default value, a string is a value expression.
  private mutating func properties(_ node: JSONNode?, _ what: String) -> [PropertyMapping] {
    guard let node else { return [] }
    guard case .object(let members) = node.kind else {
      decoding.mismatch(node, what, expected: "an object with a member for each property")
      return []
    }
    return members.map { member in
      var property = PropertyMapping(name: member.name)
      property.name.location = member.nameLocation
      switch member.value.kind {
      case .null:
        property.source = .leftAtDefault
      case .string(let text):
        property.source = .expression(Located(text, at: member.value.location))
      case .number, .bool:
        decoding.mismatch(
          member.value, "the mapping of “\(member.name)”", expected: "a string, an object or null",
          remedy: Self.expressionRemedy(member.value))
      default:
        guard
          let parts = decoding.members(
            of: member.value, "the mapping of “\(member.name)”",
            known: MappingDocument.propertyMembers)
        else { break }
        if let value = parts["value"] {
          if case .null = value.kind {
            property.source = .leftAtDefault
          } else if let text = expression(value, "“value”") {
            property.source = .expression(text)
          }
        }
        property.fallback = expression(parts["default"], "“default”")
        property.combination = decoding.word(
          parts["combine"], "“combine”", as: PropertyMapping.Combination.self)
        property.sortKeys = sortKeys(parts["sortedBy"])
        property.userInfo = decoding.strings(byName: parts["userInfo"], "“userInfo”")
        property.draft = located(parts["draft"], "“draft”")
      }
      return property
    }
  }

  /// A value expression, which is a text also where it is one number.
  private mutating func expression(_ node: JSONNode?, _ what: String) -> Located<String>? {
    guard let node, let remedy = Self.expressionRemedy(node) else { return located(node, what) }
    decoding.mismatch(node, what, expected: "a string", remedy: remedy)
    return nil
  }

  /// How a number or a truth value is written as an expression; `nil` for any other value.
  private static func expressionRemedy(_ node: JSONNode) -> String? {
    switch node.kind {
    case .number(let text): #"an expression is a text: write "\#(text)""#
    case .bool(let truth): #"an expression is a text: write "\#(truth ? "YES" : "NO")""#
    default: nil
    }
  }

  mutating func located(_ node: JSONNode?, _ what: String) -> Located<String>? {
    guard let node, let text = decoding.string(node, what) else { return nil }
    return Located(text, at: node.location)
  }
}
