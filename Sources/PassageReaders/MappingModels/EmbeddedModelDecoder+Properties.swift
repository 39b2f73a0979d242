internal import PassageAtomicStores
internal import PassageModels
internal import PassageStores
internal import PassageValues

extension EmbeddedModelDecoder {
  mutating func attribute(
    _ name: String, _ settings: inout EmbeddedSettings
  ) throws(KeyedArchiveError) -> Attribute {
    let number = try settings.integer("XD_PAttK_attributeType") ?? 0
    guard let type = UInt32(exactly: number).flatMap(AttributeType.init(rawValue:)) else {
      throw .wrongKind(key: "XD_PAttK_attributeType", expected: "a known attribute type")
    }
    var attribute = Attribute(name: name, type: type)
    attribute.isOptional = try settings.flag("XD_PPSK_isOptional")
    attribute.isTransient = try settings.flag("XD_PPSK_isTransient")
    attribute.isIndexed = try settings.flag("XD_PPSK_isIndexed")
    attribute.allowsExternalBinaryDataStorage = try settings.flag(
      "XD_PAttK_allowsExternalBinaryDataStorage")
    attribute.minimum = try text(settings.take("XD_PAttK_minValueString"))
    attribute.maximum = try text(settings.take("XD_PAttK_maxValueString"))
    attribute.regularExpression = try text(settings.take("XD_PAttK_regularExpressionString"))
    attribute.valueTransformerName = try text(settings.take("XD_PAttK_valueTransformerName"))
    try readShared(&settings) { (identifier, modifier, userInfo) in
      attribute.renamingIdentifier = identifier
      attribute.versionHashModifier = modifier
      attribute.userInfo = userInfo
    }
    if let written = try text(settings.take("XD_PAttK_defaultValueAsString")) {
      attribute.defaultValue = defaultValue(written, as: type)
    }
    return attribute
  }

  /// A default value as the editor shows it. That of a date is in the language of its author, and
  /// does not affect any hash.
  private mutating func defaultValue(_ written: String, as type: AttributeType) -> Value {
    let element = MarkupElement(
      name: "attribute", attributes: ["defaultValueString": written], location: place)
    if type != .date {
      if let value = XcodeDefault.value(of: element, as: type) { return value }
      if let value = XcodeDefault.leadingNumber(of: element, as: type) { return value }
    }
    note("the default of \(part) cannot be converted and is left out")
    return .null
  }

  mutating func relationship(
    _ name: String, _ settings: inout EmbeddedSettings
  ) throws(KeyedArchiveError) -> Relationship {
    guard case .object(let destination) = settings.take("XD_PRK_destination") else {
      throw .missing(key: "XD_PRK_destination")
    }
    var relationship = Relationship(
      name: name, destinationEntityName: try self.name(of: destination))
    if case .object(let inverse) = settings.take("XD_PRK_inverseRelationship") {
      relationship.inverseName = try self.name(of: inverse)
    }
    relationship.isOptional = try settings.flag("XD_PPSK_isOptional")
    relationship.isTransient = try settings.flag("XD_PPSK_isTransient")
    relationship.isOrdered = try settings.flag("XD_PRK_ordered")
    relationship.minimumCount = try count("XD_PRK_minCount", &settings) ?? 0
    let isToMany = try settings.flag("XD_PRK_isToMany")
    relationship.maximumCount = try count("XD_PRK_maxCount", &settings) ?? (isToMany ? 0 : 1)
    let rule = try settings.integer("XD_PRK_deleteRule") ?? 1
    guard
      let deleteRule = UInt32(exactly: rule).flatMap(Relationship.DeleteRule.init(rawValue:))
    else { throw .wrongKind(key: "XD_PRK_deleteRule", expected: "a known delete rule") }
    relationship.deleteRule = deleteRule
    settings.ignore(["XD_PPSK_isIndexed"])
    try readShared(&settings) { (identifier, modifier, userInfo) in
      relationship.renamingIdentifier = identifier
      relationship.versionHashModifier = modifier
      relationship.userInfo = userInfo
    }
    return relationship
  }

  private mutating func readShared(
    _ settings: inout EmbeddedSettings, _ body: (String?, String?, [String: String]) -> Void
  ) throws(KeyedArchiveError) {
    body(
      try text(settings.take("XD_PPSK_elementID")),
      try text(settings.take("XD_PPSK_versionHashModifier")),
      try userInfo(settings.take("XD_PPSK_userInfo")))
    settings.ignore(["XD_PPSK_isSpotlightIndexed", "XD_PPSK_isStoredInTruthFile"])
  }

  private func count(
    _ key: String, _ settings: inout EmbeddedSettings
  ) throws(KeyedArchiveError) -> Int? {
    guard let count = try settings.integer(key) else { return nil }
    guard (0...Int64(Int32.max)).contains(count) else {
      throw .wrongKind(key: key, expected: "a whole number from 0 to \(Int32.max)")
    }
    return Int(count)
  }

  // MARK: Values

  /// A text; `nil` if it is empty.
  mutating func text(_ item: KeyedArchive.Item) throws(KeyedArchiveError) -> String? {
    let text = try archive.string(item)
    return text?.isEmpty == true ? nil : text
  }

  mutating func userInfo(
    _ item: KeyedArchive.Item
  ) throws(KeyedArchiveError) -> [String: String] {
    guard case .object(let dictionary) = item else { return [:] }
    let (texts, others) = try archive.texts(of: dictionary)
    for name in others { note("the user info “\(name)” of \(part) is not a text and is left out") }
    return texts
  }

  /// A list of lists of names.
  mutating func nameLists(_ item: KeyedArchive.Item) throws(KeyedArchiveError) -> [[String]] {
    guard case .object(let outer) = item else { return [] }
    var lists: [[String]] = []
    for item in try archive.elements(of: outer) {
      guard case .object(let inner) = item else {
        throw .wrongKind(key: "NS.objects", expected: "a list of lists of names")
      }
      var names: [String] = []
      for item in try archive.elements(of: inner) {
        guard let name = try archive.string(item) else {
          throw .wrongKind(key: "NS.objects", expected: "a list of names")
        }
        names.append(name)
      }
      lists.append(names)
    }
    return lists
  }

  /// Unnamed lists of attributes. Each index is named after its attributes.
  mutating func indexes(_ item: KeyedArchive.Item) throws(KeyedArchiveError) -> [Entity.Index] {
    var indexes: [Entity.Index] = []
    var known: Set<String> = []
    for names in try nameLists(item) {
      let name = names.joined(separator: "_")
      guard !names.isEmpty, known.insert(name).inserted else { continue }
      indexes.append(
        Entity.Index(name: name, elements: names.map { Entity.Index.Element(propertyName: $0) }))
    }
    return indexes
  }
}
