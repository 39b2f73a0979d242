internal import PassageAtomicStores
internal import PassageDiagnostics
internal import PassageModels
internal import PassageValues

extension XcodeModelDecoder {
  /// The largest number of elements to which the composite types of a model may expand.
  private static let maximumCompositeElements = 100_000
  /// The largest number of XML elements and attributes in these: each is read again wherever the type is.
  private static let maximumCompositeParts = 1_000_000
  /// The deepest nesting of composite types.
  private static let maximumCompositeDepth = 16

  private static let types: [String: AttributeType] = [
    "Undefined": .undefined, "Integer 16": .integer16, "Integer 32": .integer32,
    "Integer 64": .integer64, "Decimal": .decimal, "Double": .double, "Float": .float,
    "String": .string, "Boolean": .boolean, "Date": .date, "Binary": .binary, "UUID": .uuid,
    "URI": .uri, "Transformable": .transformable, "Object ID": .objectID, "ObjectID": .objectID,
    "Composite": .composite,
  ]
  private static let typeNames = types.keys.sorted()

  /// The names under which different versions of Xcode wrote a composite attribute's type.
  private static let compositeReferences = [
    "compositeName", "compositeAttribute", "compositeAttributeName", "composite", "elementName",
  ]

  private static let attributeNames: Set = Set(
    [
      "name", "attributeType", "optional", "transient", "syncable", "indexed", "elementID",
      "versionHashModifier", "defaultValueString", "defaultDateTimeInterval", "minValueString",
      "maxValueString", "minDateTimeInterval", "maxDateTimeInterval", "regularExpressionString",
      "usesScalarValueType", "allowsExternalBinaryDataStorage", "storedInExternalRecord",
      "preserveAfterDeletion", "preservesValueInHistoryOnDeletion", "valueTransformerName",
      "customClassName", "derived", "derivationExpression", "spotlightIndexingEnabled",
      "allowsCloudEncryption", "storedInTruthFile", "attributeValueClassName",
    ] + compositeReferences)

  /// - Parameter depth: the number of composite types around the attribute.
  mutating func attribute(
    _ element: MarkupElement, of owner: String, depth: Int = 0
  ) -> Attribute? {
    attributes.noteUnknown(
      in: element, attributes: Self.attributeNames, children: ["userInfo", "attribute"])
    guard let name = attributes.requiredName(of: element) else { return nil }
    if depth == 0 { locations.note(element.location, of: .init(entity: owner, property: name)) }
    // Xcode writes no type for a transient attribute that has none.
    let typeName = attributes.text("attributeType", of: element) ?? "Undefined"
    guard let type = Self.types[typeName] else {
      attributes.reportWord(typeName, "attributeType", of: element, known: Self.typeNames)
      return nil
    }
    var attribute = Attribute(name: name, type: type)
    attribute.isOptional = attributes.flag("optional", of: element)
    attribute.isTransient = attributes.flag("transient", of: element)
    attribute.isIndexed = attributes.flag("indexed", of: element)
    attribute.allowsExternalBinaryDataStorage = attributes.flag(
      "allowsExternalBinaryDataStorage", of: element)
    attribute.preservesValueOnDeletion =
      attributes.flag("preserveAfterDeletion", of: element)
      || attributes.flag("preservesValueInHistoryOnDeletion", of: element)
    attribute.derivation = derivation(of: element)
    let dates = type == .date
    attribute.minimum = attributes.text(
      dates ? "minDateTimeInterval" : "minValueString", of: element)
    attribute.maximum = attributes.text(
      dates ? "maxDateTimeInterval" : "maxValueString", of: element)
    attribute.regularExpression = attributes.text("regularExpressionString", of: element)
    attribute.valueTransformerName = attributes.text("valueTransformerName", of: element)
    attribute.valueClassName = attributes.text("customClassName", of: element)
    attribute.renamingIdentifier = attributes.text("elementID", of: element)
    attribute.versionHashModifier = attributes.text("versionHashModifier", of: element)
    attribute.userInfo = userInfo(of: element)
    if type == .composite {
      attribute.elements = compositeElements(of: element, owner: "\(owner).\(name)", depth: depth)
    }
    attribute.defaultValue = defaultValue(of: element, as: type, name: "\(owner).\(name)")
    return attribute
  }

  private mutating func defaultValue(
    of element: MarkupElement, as type: AttributeType, name: String
  ) -> Value {
    if let value = XcodeDefault.value(of: element, as: type) { return value }
    let mistake = "the default of “\(name)” does not fit the type \(type.name)"
    guard let value = XcodeDefault.leadingNumber(of: element, as: type) else {
      attributes.report(Diagnostic("MOD-104", mistake, at: element.location))
      return .null
    }
    attributes.report(
      Diagnostic(
        "MOD-113", mistake, severity: .warning, at: element.location,
        reason: "Xcode uses the number at its beginning, or 0",
        remedy: "write the default as a number"))
    return value
  }

  private mutating func derivation(of element: MarkupElement) -> String? {
    let expression = attributes.text("derivationExpression", of: element)
    return attributes.flag("derived", of: element) || expression != nil ? expression ?? "" : nil
  }

  /// The elements of a composite attribute: written inside it, or those of the type it names.
  private mutating func compositeElements(
    of element: MarkupElement, owner: String, depth: Int
  ) -> [Attribute] {
    // An attribute with an unknown name is accepted if its value is the name of a composite type.
    let unusual = element.attributes.sorted { $0.key < $1.key }
      .first { !Self.attributeNames.contains($0.key) && composites[$0.value] != nil }?.value
    let reference =
      Self.compositeReferences.compactMap { element.attributes[$0] }.first ?? unusual
    let type = reference.flatMap { composites[$0] } ?? element
    if let reference, composites[reference] == nil {
      let composites = composites
      let remedy = similar.suggestion(for: reference) { composites.keys.sorted() }
      attributes.report(
        Diagnostic(
          "MOD-109", "the composite type “\(reference)” of “\(owner)” does not exist",
          at: element.location, remedy: remedy))
      return []
    }
    guard depth < Self.maximumCompositeDepth, let elements = self.elements(ofComposite: type) else {
      attributes.report(
        Diagnostic(
          "MOD-106", "the composite types of “\(owner)” contain too many others",
          at: element.location, reason: "a composite type may contain itself"))
      return []
    }
    return elements.compactMap { self.attribute($0, of: owner, depth: depth + 1) }
  }

  /// The attributes of a composite type; `nil` when all that were read have too many elements, or other
  /// parts that take time.
  private mutating func elements(ofComposite type: MarkupElement) -> [MarkupElement]? {
    // Once there are too many, they are not counted again.
    guard compositeElements <= Self.maximumCompositeElements,
      compositeParts <= Self.maximumCompositeParts
    else { return nil }
    compositeParts += type.partCount
    let elements = type.children(named: "attribute")
    compositeElements += elements.count
    return compositeElements <= Self.maximumCompositeElements
      && compositeParts <= Self.maximumCompositeParts ? elements : nil
  }

  mutating func relationship(_ element: MarkupElement, of owner: String) -> Relationship? {
    attributes.noteUnknown(
      in: element,
      attributes: [
        "name", "optional", "transient", "toMany", "minCount", "maxCount", "ordered",
        "deletionRule", "destinationEntity", "inverseName", "inverseEntity", "syncable",
        "elementID", "versionHashModifier", "indexed", "spotlightIndexingEnabled",
        "storedInTruthFile", "allowsCloudEncryption",
      ],
      children: ["userInfo"])
    guard let name = attributes.requiredName(of: element) else { return nil }
    locations.note(element.location, of: .init(entity: owner, property: name))
    guard let destination = attributes.required("destinationEntity", of: element) else {
      return nil
    }
    var relationship = Relationship(name: name, destinationEntityName: destination)
    relationship.inverseName = attributes.text("inverseName", of: element)
    relationship.isOptional = attributes.flag("optional", of: element)
    relationship.isTransient = attributes.flag("transient", of: element)
    relationship.isOrdered = attributes.flag("ordered", of: element)
    relationship.minimumCount = attributes.count("minCount", of: element, default: 0)
    let isToMany = attributes.flag("toMany", of: element)
    relationship.maximumCount = attributes.count(
      "maxCount", of: element, default: isToMany ? 0 : 1)
    switch element.attributes["deletionRule"] {
    case nil, "Nullify": relationship.deleteRule = .nullify
    case "Cascade": relationship.deleteRule = .cascade
    case "Deny": relationship.deleteRule = .deny
    case "No Action": relationship.deleteRule = .noAction
    case let word?:
      attributes.reportWord(
        word, "deletionRule", of: element, known: ["Nullify", "Cascade", "Deny", "No Action"])
    }
    relationship.renamingIdentifier = attributes.text("elementID", of: element)
    relationship.versionHashModifier = attributes.text("versionHashModifier", of: element)
    relationship.userInfo = userInfo(of: element)
    return relationship
  }
}

extension MarkupElement {
  /// The number of elements and attributes in the element, itself included.
  fileprivate var partCount: Int {
    children.reduce(1 + attributes.count) { $0 + $1.partCount }
  }
}
