internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageStores

/// Decodes a compiled mapping model, an archived `NSMappingModel`.
///
/// The compiler has already resolved order, names and defaults. It archives no models, only the
/// version hashes of the entities that are mapped.
struct CompiledMappingDecoder {
  /// The largest number of entity and property mappings that is accepted.
  static let maximumParts = 100_000

  private var archive: KeyedUnarchiver
  private let file: String
  private var remainingParts = maximumParts
  private(set) var findings = Diagnostics()
  /// The part of the mapping model being read, for error messages.
  private(set) var part = "the mapping model"

  init(_ archive: KeyedArchive, file: String) {
    self.archive = KeyedUnarchiver(archive)
    self.file = file
  }

  /// The mapping model. It is complete only if the findings have no errors.
  mutating func mapping(
    _ root: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> ForeignMapping {
    var mapping = ForeignMapping()
    for item in try archive.elements("NSEntityMappings", of: root) {
      guard case .object(let object) = item else {
        throw .wrongKind(key: "NSEntityMappings", expected: "a list of entity mappings")
      }
      mapping.entityMappings.append(try entityMapping(object, of: &mapping))
    }
    return mapping
  }

  private mutating func entityMapping(
    _ object: KeyedArchive.Reference, of model: inout ForeignMapping
  ) throws(KeyedArchiveError) -> ForeignEntityMapping {
    try spendPart()
    try require(object, "NSEntityMapping")
    var mapping = ForeignEntityMapping(location: place)
    mapping.name = try archive.string("NSMappingName", of: object)
    try mapping.name?.checkLength(key: "NSMappingName")
    part = "the entity mapping “\(mapping.name ?? "")”"
    mapping.sourceName = try text("NSSourceEntityName", of: object)
    mapping.destinationName = try text("NSDestinationEntityName", of: object)
    try mapping.sourceName?.checkLength(key: "NSSourceEntityName")
    try mapping.destinationName?.checkLength(key: "NSDestinationEntityName")
    if mapping.sourceName == nil, mapping.destinationName == nil {
      report(
        Diagnostic(
          "IMP-008", "\(part) has neither a source nor a destination entity", at: place))
    }
    if let name = mapping.sourceName {
      model.source.versionHashes[name] = try hash("NSSourceEntityVersionHash", of: object)
    }
    if let name = mapping.destinationName {
      model.destination.versionHashes[name] = try hash("NSDestinationEntityVersionHash", of: object)
    }
    mapping.policyName = try text("NSEntityMigrationPolicyClassName", of: object)
      .flatMap { $0 == "NSEntityMigrationPolicy" ? nil : Located($0, at: place) }
    mapping.userInfo = try userInfo(of: object)
    try readSource(of: object, into: &mapping)
    mapping.attributes = try properties("NSAttributeMappings", of: object)
    mapping.relationships = try properties("NSRelationshipMappings", of: object)
    mapping.isPlainCopy =
      try archive.integer("NSMappingType", of: object) == Self.copyType
      && mapping.attributes.isEmpty && mapping.relationships.isEmpty
    return mapping
  }

  /// `NSEntityMappingType.copyEntityMappingType`.
  private static let copyType: Int64 = 4

  private mutating func readSource(
    of object: KeyedArchive.Reference, into mapping: inout ForeignEntityMapping
  ) throws(KeyedArchiveError) {
    guard let source = try archive.object("NSSourceExpression", of: object) else { return }
    let expression = try expression(source)
    guard let fetch = SourceFetch(expression), fetch.entityName == mapping.sourceName else {
      report(SourceFetch.unsupported(expression, sourceName: mapping.sourceName, at: place))
      return
    }
    mapping.filter = fetch.filter.map { Located($0, at: place) }
  }

  private mutating func properties(
    _ key: String, of object: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> [ForeignProperty] {
    var properties: [ForeignProperty] = []
    let owner = part
    for item in try archive.elements(key, of: object) {
      try spendPart()
      guard case .object(let mapping) = item else {
        throw .wrongKind(key: key, expected: "a list of property mappings")
      }
      try require(mapping, "NSPropertyMapping")
      guard let name = try text("NSDestinationPropertyName", of: mapping) else {
        throw .missing(key: "NSDestinationPropertyName")
      }
      try name.checkLength(key: "NSDestinationPropertyName")
      part = "“\(name)” of \(owner)"
      var property = ForeignProperty(name: name, value: .none, location: place)
      if let value = try archive.object("NSValueExpression", of: mapping) {
        property.value = .expression(try expression(value))
      }
      property.userInfo = try userInfo(of: mapping)
      if try !archive.elements("NSPropertyTransforms", of: mapping).isEmpty {
        report(
          Diagnostic(
            "IMP-027", "the transforms of \(part) are left out", severity: .warning, at: place,
            reason: "no public file shows what they do"))
      }
      properties.append(property)
    }
    part = owner
    return properties
  }

  private mutating func expression(
    _ object: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> ValueExpression {
    var decoder = ArchivedExpressionDecoder(archive)
    let expression = try decoder.expression(object)
    archive = decoder.archive
    return expression
  }

  private mutating func userInfo(
    of object: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> [String: String] {
    guard let dictionary = try archive.object("NSUserInfo", of: object) else { return [:] }
    let (texts, others) = try archive.texts(of: dictionary)
    for name in others { report(ForeignMapping.userInfoLeftOut(name, at: place)) }
    return texts
  }

  private mutating func text(
    _ key: String, of object: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> String? {
    let text = try archive.string(key, of: object)
    return text?.isEmpty == true ? nil : text
  }

  private mutating func hash(
    _ key: String, of object: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> [UInt8]? {
    switch try archive.archive.item(key, of: object) {
    case .null: return nil
    case .data(let bytes): return bytes
    case .object(let data):
      guard case .data(let bytes) = try archive.archive.item("NS.data", of: data) else {
        throw .wrongKind(key: key, expected: "bytes")
      }
      return bytes
    default: throw .wrongKind(key: key, expected: "bytes")
    }
  }

  private func require(
    _ object: KeyedArchive.Reference, _ name: String
  ) throws(KeyedArchiveError) {
    let classes = try archive.archive.classNames(of: object)
    guard classes.contains(name) else { throw .wrongClass(classes[0], expected: name) }
  }

  private var place: SourceLocation { SourceLocation(file: file) }

  private mutating func report(_ finding: Diagnostic) {
    guard findings.all.count < XMLStoreDocument.maximumFindings else { return }
    findings.append(finding)
  }

  private mutating func spendPart() throws(KeyedArchiveError) {
    guard remainingParts > 0 else { throw .tooLarge }
    remainingParts -= 1
  }
}
