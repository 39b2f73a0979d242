internal import PassageAtomicStores
internal import PassageDiagnostics
internal import PassageModels

/// Converts Xcode's elements into a ``Model`` and records their locations.
struct XcodeModelDecoder {
  var attributes = XcodeAttributes()
  var locations: ModelLocations
  /// The composite types of the model, by name.
  var composites: [String: MarkupElement] = [:]
  /// The number of elements made from composite types so far. Types that contain each other would
  /// expand without end.
  var compositeElements = 0
  /// The number of XML elements and attributes in these.
  var compositeParts = 0
  /// What was meant by wrong names of composite types.
  var similar = SimilarNames()

  init(file: String) { locations = ModelLocations(file: file) }

  mutating func model(_ root: MarkupElement, name: String) -> Model {
    attributes.noteUnknown(
      in: root,
      attributes: [
        "type", "documentVersion", "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion",
        "sourceLanguage", "userDefinedModelVersionIdentifier", "name", "macOSVersion", "iOSVersion",
        "usedWithCloudKit", "usedWithSwiftData",
      ],
      children: [
        "entity", "configuration", "fetchRequest", "elements", "compositeAttribute", "composite",
      ], shape: true)
    locations.note(root.location, of: .init())
    for element in root.children where Self.compositeNames.contains(element.name) {
      if let name = element.attributes["name"] { composites[name] = element }
    }
    let identifier = attributes.text("userDefinedModelVersionIdentifier", of: root)
    // The identifiers, separated by commas.
    let identifiers = identifier.map { $0.split(separator: ",").map(String.init) } ?? []
    return Model(
      name: name, versionIdentifiers: identifiers,
      entities: root.children(named: "entity").compactMap { entity($0) },
      configurations: root.children(named: "configuration").compactMap { configuration($0) },
      fetchRequestTemplates: root.children(named: "fetchRequest").compactMap { fetchRequest($0) })
  }

  private static let compositeNames: Set = ["compositeAttribute", "composite"]

  private mutating func entity(_ element: MarkupElement) -> Entity? {
    attributes.noteUnknown(
      in: element,
      attributes: [
        "name", "representedClassName", "parentEntity", "isAbstract", "syncable",
        "codeGenerationType", "elementID", "versionHashModifier",
        "coreSpotlightDisplayNameExpression",
        "customModuleName", "representedModuleName", "customCodeGenerationFile",
      ],
      children: [
        "attribute", "relationship", "fetchedProperty", "fetchIndex", "uniquenessConstraints",
        "compoundIndexes", "userInfo",
      ], shape: true)
    guard let name = attributes.requiredName(of: element) else { return nil }
    locations.note(element.location, of: .init(entity: name))
    var entity = Entity(name: name)
    entity.isAbstract = attributes.flag("isAbstract", of: element)
    entity.parentName = attributes.text("parentEntity", of: element)
    entity.className = attributes.text("representedClassName", of: element)
    entity.renamingIdentifier = attributes.text("elementID", of: element)
    entity.versionHashModifier = attributes.text("versionHashModifier", of: element)
    entity.attributes = element.children(named: "attribute").compactMap { attribute($0, of: name) }
    entity.relationships = element.children(named: "relationship")
      .compactMap { relationship($0, of: name) }
    entity.fetchedProperties = element.children(named: "fetchedProperty")
      .compactMap { fetchedProperty($0, of: name) }
    entity.uniquenessConstraints = uniquenessConstraints(of: element)
    entity.indexes =
      element.children(named: "fetchIndex").compactMap { fetchIndex($0, of: name) }
      + compoundIndexes(of: element)
    entity.userInfo = userInfo(of: element)
    return entity
  }

  /// The key and value of each entry, for both of Xcode's spellings of the wrapper.
  mutating func userInfo(of element: MarkupElement) -> [String: String] {
    var userInfo: [String: String] = [:]
    for entry in element.children(named: "userInfo").flatMap({ $0.children(named: "entry") }) {
      if let key = attributes.required("key", of: entry) {
        userInfo[key] = entry.attributes["value"] ?? ""
      }
    }
    return userInfo
  }
}
