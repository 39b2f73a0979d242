internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassageStores

/// Traverses the objects of an Xcode mapping model, starting at its only `XDDEVMAPPINGMODEL`.
///
/// Only objects that can be reached count. Xcode's editor leaves objects without owner in the file,
/// including filters and policies. They are counted and noted.
struct XcodeMappingDecoder {
  /// The entities of the model that Xcode uses for mapping models.
  enum Kind: String {
    case mappingModel = "XDDEVMAPPINGMODEL"
    case entityMapping = "XDDEVENTITYMAPPING"
    case attributeMapping = "XDDEVATTRIBUTEMAPPING"
    case relationshipMapping = "XDDEVRELATIONSHIPMAPPING"
  }

  let document: XMLStoreDocument
  let file: String
  var findings = Diagnostics()
  /// The number of steps left for all archives of the file. A small archive may expand to a large
  /// expression, and there may be many.
  var remainingSteps = KeyedUnarchiver.maximumSteps
  /// The identifiers of the objects that were reached so far.
  private var reached: Set<String> = []

  init(_ document: XMLStoreDocument, file: String) {
    self.document = document
    self.file = file
  }

  /// The mapping model. It is complete only if the findings have no errors.
  mutating func mapping() -> ForeignMapping {
    var mapping = ForeignMapping()
    guard let model = theModel() else { return mapping }
    reached.insert(model.identifier)
    mapping.source = modelReference("source", of: model)
    mapping.destination = modelReference("destination", of: model)
    mapping.entityMappings = targets("entitymappings", of: model, as: .entityMapping)
      .map { (order(of: $0), entityMapping($0)) }
      // The order of the file has no meaning; among equal numbers, names decide.
      .sorted { ($0.0, $0.1.orderingName) < ($1.0, $1.1.orderingName) }
      .map(\.1)
    noteOrphans()
    return mapping
  }

  private mutating func theModel() -> XMLStoreObject? {
    let models = document.objects.filter { $0.type == Kind.mappingModel.rawValue }
    guard let model = models.first, models.count == 1 else {
      report(
        Diagnostic(
          "IMP-002",
          models.isEmpty
            ? "the XML store contains no mapping model"
            : "the XML store contains more than one mapping model",
          at: models.dropFirst().first?.location ?? SourceLocation(file: file),
          reason: "it has \(models.count) objects of type \(Kind.mappingModel.rawValue)",
          remedy: "give the xcmapping.xml of an .xcmappingmodel"))
      return nil
    }
    return model
  }

  private mutating func modelReference(
    _ side: String, of model: XMLStoreObject
  ) -> ForeignModelReference {
    var reference = ForeignModelReference()
    reference.path = text("\(side)modelpath", of: model)
    reference.archive = bytes("\(side)modeldata", of: model)
    reference.location = model.attributes["\(side)modeldata"]?.location ?? model.location
    return reference
  }

  /// The position of the entity mapping. A mapping without a number comes last.
  private mutating func order(of object: XMLStoreObject) -> Int {
    whole("mappingnumber", of: object) ?? Int(Int16.max) + 1
  }

  private mutating func entityMapping(_ object: XMLStoreObject) -> ForeignEntityMapping {
    var mapping = ForeignEntityMapping(location: object.location)
    mapping.name = text("name", of: object)?.cutToName
    if let name = mapping.name, name.utf8.count > String.maximumNameBytes {
      report(
        Diagnostic(
          "IMP-003",
          "an entity mapping has a name of more than \(String.maximumNameBytes) bytes",
          at: object.location, remedy: "give it a shorter one in Xcode"))
    }
    mapping.sourceName = text("sourcename", of: object)?.cutToName
    mapping.destinationName = text("destinationname", of: object)?.cutToName
    if mapping.sourceName == nil, mapping.destinationName == nil {
      report(
        Diagnostic(
          "IMP-008", "an entity mapping has neither a source nor a destination entity",
          at: object.location,
          remedy: "choose its entities in Xcode and save the mapping model again"))
    }
    mapping.policyName = located("migrationpolicyclassname", of: object)
    mapping.userInfo = userInfo(of: object)
    mapping.filter = filter(of: object, sourceName: mapping.sourceName)
    mapping.attributes = properties("attributemappings", of: object, as: .attributeMapping)
    mapping.relationships = properties("relationshipmappings", of: object, as: .relationshipMapping)
    return mapping
  }

  /// The filter as written or, if the author wrote the source expression, the filter of that fetch.
  private mutating func filter(
    of object: XMLStoreObject, sourceName: String?
  ) -> Located<String>? {
    let written = located("sourcefilterpredicatestring", of: object)
    guard let archive = bytes("sourceexpressiondata", of: object) else { return written }
    let place = object.attributes["sourceexpressiondata"]?.location ?? object.location
    guard flag("autogenerateexpression", of: object) == false else {
      report(
        Diagnostic(
          "IMP-021", "a source expression is left out: the entity mapping generates its own",
          severity: .note, at: place,
          reason: "Xcode's compiler does not read it while autogenerateexpression is set"))
      return written
    }
    guard let expression = expression(archive, at: place) else { return written }
    switch SourceFetch(expression) {
    case let fetch? where fetch.entityName == sourceName:
      return fetch.filter.map { Located($0, at: place) }
    default:
      report(SourceFetch.unsupported(expression, sourceName: sourceName, at: place))
      return nil
    }
  }

  private mutating func properties(
    _ key: String, of object: XMLStoreObject, as kind: Kind
  ) -> [ForeignProperty] {
    targets(key, of: object, as: kind).compactMap { property($0, kind: kind) }
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  private mutating func property(_ object: XMLStoreObject, kind: Kind) -> ForeignProperty? {
    guard let name = text("name", of: object)?.cutToName else {
      report(
        Diagnostic("IMP-003", "a property mapping has no name", at: object.location))
      return nil
    }
    // A written expression is used even if autogenerateexpression is set.
    var property = ForeignProperty(
      name: name, value: .byName, userInfo: userInfo(of: object), location: object.location)
    if let archive = bytes("valueexpressiondata", of: object) {
      let place = object.attributes["valueexpressiondata"]?.location ?? object.location
      guard let expression = expression(archive, at: place) else { return nil }
      property.value = .expression(expression)
    } else if kind == .relationshipMapping, let value = inspectorValue(of: object, name: name) {
      property.value = .expression(value)
    }
    return property
  }

  /// The expression for the inspector's two fields, Key Path and Mapping Name. The stored key path
  /// begins with `$source`.
  private mutating func inspectorValue(
    of object: XMLStoreObject, name: String
  ) -> ValueExpression? {
    let path = text("sourcekeypath", of: object)
    let mappingName = text("sourcemappingname", of: object)
    guard path != nil || mappingName != nil else { return nil }
    let written = path ?? name
    let place = object.attributes["sourcekeypath"]?.location ?? object.location
    do throws(Diagnostics) {
      let instances = try FormatParser.expression(
        written.hasPrefix("$") ? written : "$source.\(written)", at: place)
      return Self.destinations(of: instances, madeBy: mappingName)
    } catch {
      findings.append(contentsOf: error)
      return nil
    }
  }

  /// An expression for the destination objects of source objects, made by the named mapping or,
  /// without a name, by every mapping of the relationship's entity.
  private static func destinations(
    of instances: ValueExpression, madeBy mappingName: String?
  ) -> ValueExpression {
    var relationshipName = ""
    if case .keyPath(_, let components, _) = instances, case .name(let name)? = components.last {
      relationshipName = name
    }
    return .function(
      target: .variable("manager"),
      selector: mappingName == nil
        ? RelationshipValue.relationshipSelector : RelationshipValue.mappingSelector,
      arguments: [.constant(.string(mappingName ?? relationshipName)), instances])
  }

  // MARK: References

  /// The objects a relationship refers to, if they have the expected kind, each once.
  private mutating func targets(
    _ key: String, of object: XMLStoreObject, as kind: Kind
  ) -> [XMLStoreObject] {
    guard let relationship = object.relationships[key] else { return [] }
    var targets: [XMLStoreObject] = []
    var listed: Set<String> = []
    for identifier in relationship.identifiers where listed.insert(identifier).inserted {
      guard let target = document.object(identifier) else {
        report(
          Diagnostic(
            "IMP-004", "“\(key)” leads to “\(identifier)”, which does not exist",
            at: relationship.location))
        continue
      }
      guard target.type == kind.rawValue else {
        report(
          Diagnostic(
            "IMP-004", "“\(key)” leads to “\(identifier)”, which is not of type \(kind.rawValue)",
            at: relationship.location,
            reason: "the object at \(target.location) is of type \(target.type)"))
        continue
      }
      guard reached.insert(identifier).inserted else {
        report(
          Diagnostic(
            "IMP-004", "“\(identifier)” belongs to two objects", at: relationship.location,
            reason: "the object at \(target.location) can belong to one object only"))
        continue
      }
      targets.append(target)
    }
    return targets
  }

  private mutating func noteOrphans() {
    var counts: [String: Int] = [:]
    for object in document.objects where !reached.contains(object.identifier) {
      counts[object.type, default: 0] += 1
    }
    guard !counts.isEmpty else { return }
    let list = counts.sorted { $0.key < $1.key }.prefix(8)
      .map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    report(
      Diagnostic(
        "IMP-020", "objects that belong to no entity mapping are left out: \(list)",
        severity: .note, at: SourceLocation(file: file),
        reason: "Xcode's editor leaves them behind, and its compiler does not read them"))
  }

  mutating func report(_ finding: Diagnostic) {
    // A damaged file may have a mistake in every object.
    guard findings.all.count < XMLStoreDocument.maximumFindings else { return }
    findings.append(finding)
  }
}

extension ForeignEntityMapping {
  /// The order among entity mappings of equal number.
  fileprivate var orderingName: String {
    [name, sourceName, destinationName].map { $0 ?? "" }.joined(separator: "\u{0}")
  }
}
