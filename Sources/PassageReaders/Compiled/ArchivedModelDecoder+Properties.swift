internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageModels
internal import PassageStores
internal import PassageValues

extension ArchivedModelDecoder {
  /// The deepest nesting of composite attributes.
  private static let maximumCompositeDepth = 16

  mutating func attribute(
    _ object: KeyedArchive.Reference, name: String, classes: [String], depth: Int = 0
  ) throws(KeyedArchiveError) -> Attribute {
    let number = try archive.integer("NSAttributeType", of: object) ?? 0
    guard let type = UInt32(exactly: number).flatMap(AttributeType.init(rawValue:)) else {
      throw .wrongKind(key: "NSAttributeType", expected: "a known attribute type")
    }
    var attribute = Attribute(name: name, type: type)
    attribute.isOptional = try archive.flag("NSIsOptional", of: object)
    attribute.isTransient = try archive.flag("NSIsTransient", of: object)
    attribute.isIndexed = try archive.flag("NSIsIndexed", of: object)
    let flags = try archive.integer("NSFlagsKey", of: object) ?? 0
    attribute.allowsExternalBinaryDataStorage =
      flags & ModelArchive.externalBinaryDataStorage != 0
    attribute.preservesValueOnDeletion = flags & ModelArchive.preservesValueOnDeletion != 0
    attribute.valueTransformerName = try text("NSValueTransformerName", of: object)
    attribute.valueClassName = try text(
      "NSAttributeValueClassName", of: object, except: type.usualValueClassName ?? "")
    attribute.renamingIdentifier = try text("NSRenamingIdentifier", of: object, except: name)
    attribute.versionHashModifier = try text("NSVersionHashModifier", of: object)
    attribute.userInfo = try userInfo(of: object)
    let archived = try archive.archive.item("NSDefaultValue", of: object)
    if let value = try archive.defaultValue(archived, as: type) {
      attribute.defaultValue = value
    } else {
      note("the default of \(part) cannot be converted and is left out")
    }
    try readValidation(of: object, into: &attribute)
    if classes.contains("NSDerivedAttributeDescription") {
      attribute.derivation = try derivation(of: object)
      if let filter = try archive.object("NSFilteringPredicate", of: object) {
        // Even a filter that is not understood is recorded, because the hash cannot be computed
        // with a filter.
        attribute.derivationFilter =
          try readPredicate(filter, of: "the filter of the derivation of \(part)")
          .map { "\($0)" } ?? "TRUEPREDICATE"
      }
    }
    if type == .composite {
      attribute.elements = try compositeElements(of: object, depth: depth)
    }
    return attribute
  }

  /// The derivation as Core Data prints the archived expression; empty if there is none.
  private mutating func derivation(
    of object: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> String {
    guard let expression = try archive.object("NSDerivationExpression", of: object) else {
      return ""
    }
    var decoder = ArchivedExpressionDecoder(archive)
    let tree: ValueExpression
    do {
      tree = try decoder.expression(expression)
      archive = decoder.archive
    } catch .tooLarge {
      throw .tooLarge
    } catch {
      archive = decoder.archive
      note("the derivation of \(part) is not understood", reason: "\(error)")
      return ""
    }
    return Self.text(ofDerivation: tree)
  }

  /// The derivation in a model's notation: names are not escaped, even those that are reserved
  /// words in a predicate.
  static func text(ofDerivation expression: ValueExpression) -> String {
    switch expression {
    case .keyPath(nil, let components, _):
      components.map { component in
        switch component {
        case .name(let name): name
        case .collectionOperator(let name): "@\(name)"
        case .placeholder(let conversion): "%\(conversion)"
        }
      }.joined(separator: ".")
    case .function(nil, let selector, let arguments, _) where arguments.count < 2:
      "\(selector)(\(arguments.map { text(ofDerivation: $0) }.joined(separator: ", ")))"
    default: "\(expression)"
    }
  }

  /// The elements of a composite attribute: its only collection of attributes. No such archive has
  /// been seen, so the key is not relied on.
  private mutating func compositeElements(
    of object: KeyedArchive.Reference, depth: Int
  ) throws(KeyedArchiveError) -> [Attribute] {
    guard depth < Self.maximumCompositeDepth else { throw .tooDeep }
    for key in try archive.keys(of: object) {
      guard case .object(let collection) = try archive.archive.item(key, of: object) else {
        continue
      }
      let classes = try archive.archive.classNames(of: collection)
      var items: [KeyedArchive.Item] = []
      if classes.contains("NSArray") || classes.contains("NSSet") {
        items = try archive.elements(of: collection)
      } else if classes.contains("NSDictionary") {
        items = try archive.entries(of: collection).map(\.value)
      }
      var elements: [Attribute] = []
      for case .object(let element) in items {
        let classes = try archive.archive.classNames(of: element)
        guard classes.contains("NSAttributeDescription"),
          let name = try archive.string("NSPropertyName", of: element)
        else { continue }
        try spendPart()
        elements.append(try attribute(element, name: name, classes: classes, depth: depth + 1))
      }
      if !elements.isEmpty { return elements }
    }
    return []
  }

  mutating func relationship(
    _ object: KeyedArchive.Reference, name: String
  ) throws(KeyedArchiveError) -> Relationship {
    var destination = try archive.string("_NSDestinationEntityName", of: object)
    if let entity = try archive.object("NSDestinationEntity", of: object) {
      destination = try archive.string("NSEntityName", of: entity) ?? destination
    }
    guard let destination else { throw .missing(key: "NSDestinationEntity") }
    var relationship = Relationship(name: name, destinationEntityName: destination)
    relationship.inverseName = try text("_NSInverseRelationshipName", of: object)
    if let inverse = try archive.object("NSInverseRelationship", of: object) {
      relationship.inverseName =
        try text("NSPropertyName", of: underlying(inverse)) ?? relationship.inverseName
    }
    relationship.isOptional = try archive.flag("NSIsOptional", of: object)
    relationship.isTransient = try archive.flag("NSIsTransient", of: object)
    relationship.isOrdered = try archive.flag("NSIsOrdered", of: object)
    relationship.minimumCount = try count("NSMinCount", of: object)
    relationship.maximumCount = try count("NSMaxCount", of: object)
    let rule = try archive.integer("NSDeleteRule", of: object) ?? 0
    guard
      let deleteRule = UInt32(exactly: rule).flatMap(Relationship.DeleteRule.init(rawValue:))
    else { throw .wrongKind(key: "NSDeleteRule", expected: "a known delete rule") }
    relationship.deleteRule = deleteRule
    relationship.renamingIdentifier = try text("NSRenamingIdentifier", of: object, except: name)
    relationship.versionHashModifier = try text("NSVersionHashModifier", of: object)
    relationship.userInfo = try userInfo(of: object)
    return relationship
  }

  private func count(
    _ key: String, of object: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> Int {
    let count = try archive.integer(key, of: object) ?? 0
    guard (0...Int64(Int32.max)).contains(count) else {
      throw .wrongKind(key: key, expected: "a whole number from 0 to \(Int32.max)")
    }
    return Int(count)
  }
}
