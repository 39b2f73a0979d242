internal import PassageDiagnostics
internal import PassageModels
internal import PassageStores

/// Converts the classes of Xcode's editor into a ``Model``.
///
/// `XDPMModel` holds a package of classes, each an `XDPMEntity` with owned attributes
/// (`XDPMAttribute`, `XDPMRelationship`). Core Data's settings for them are in *stereotypes*: named
/// lists of properties, whose default is the value. A parent entity is the `_general` end of an
/// `XDUMLGeneralizationImp`.
struct EmbeddedModelDecoder {
  /// The largest number of entities and properties that is accepted.
  static let maximumParts = 100_000
  private static let maximumNotes = 100

  var archive: KeyedUnarchiver
  let place: SourceLocation
  /// The part of the model being read, for error messages.
  private(set) var part = "the model in the mapping model"
  private(set) var findings = Diagnostics()
  private var remainingParts = maximumParts

  init(_ archive: KeyedArchive, at place: SourceLocation) {
    self.archive = KeyedUnarchiver(archive)
    self.place = place
  }

  mutating func model(
    _ root: KeyedArchive.Reference, name: String
  ) throws(KeyedArchiveError) -> Model {
    try require(root, "XDPMModel")
    guard let package = try archive.object("_xd_rootPackage", of: root) else {
      throw .missing(key: "_xd_rootPackage")
    }
    var entities: [Entity] = []
    for object in try bucket("Classes", of: package) {
      try spendPart()
      entities.append(try entity(object))
    }
    part = "the model in the mapping model"
    if try !bucket("Packages", of: package).isEmpty {
      note("packages inside the model are not understood and are left out")
    }
    let identifier = try text(try archive.archive.item("_modelVersionIdentifier", of: root))
    return Model(
      name: name,
      versionIdentifiers: identifier?.split(separator: ",").map(String.init) ?? [],
      entities: entities)
  }

  private mutating func entity(
    _ object: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> Entity {
    try require(object, "XDPMEntity")
    var entity = Entity(name: try name(of: object))
    part = "the entity “\(entity.name)” in the mapping model"
    var settings = try settings(of: object)
    entity.parentName = try parentName(of: object)
    entity.isAbstract = try settings.flag("XD_PSK_isAbstract")
    entity.className = try text(settings.take("XD_PSK_entityClassName"))
    if entity.className == "NSManagedObject" { entity.className = nil }
    entity.renamingIdentifier = try text(settings.take("XD_PSK_elementID"))
    entity.versionHashModifier = try text(settings.take("XD_PSK_versionHashModifier"))
    entity.userInfo = try userInfo(settings.take("XD_PSK_userInfo"))
    entity.uniquenessConstraints = try nameLists(settings.take("XDPMUniquenessConstraints"))
    entity.indexes = try indexes(settings.take("XDPMCompoundIndexes"))
    settings.ignore([
      "XD_PSK_classMapping", "XD_PSK_fetchRequestsArray", "XDPMFetchIndexes",
    ])
    noteUnknown(settings)
    for property in try bucket("OwnedAttributes", of: object) {
      try spendPart()
      try read(property, into: &entity)
    }
    // The order of an archived dictionary has no meaning.
    entity.attributes.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    entity.relationships.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    entity.fetchedProperties.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    return entity
  }

  /// The name of the parent: the general end of the entity's only generalization.
  private mutating func parentName(
    of entity: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> String? {
    for generalization in try bucket("Generalizations", of: entity) {
      guard let parent = try archive.object("_general", of: generalization) else { continue }
      return try name(of: parent)
    }
    return nil
  }

  private mutating func read(
    _ object: KeyedArchive.Reference, into entity: inout Entity
  ) throws(KeyedArchiveError) {
    let name = try name(of: object)
    part = "“\(entity.name).\(name)” in the mapping model"
    let classes = try archive.archive.classNames(of: object)
    var settings = try settings(of: object)
    if classes.contains("XDPMAttribute") {
      entity.attributes.append(try attribute(name, &settings))
    } else if classes.contains("XDPMRelationship") {
      entity.relationships.append(try relationship(name, &settings))
    } else if classes.contains("XDPMFetchedProperty") {
      entity.fetchedProperties.append(Entity.FetchedProperty(name: name))
      return
    } else {
      note("\(part) is of class \(classes[0]), which is not understood, and is left out")
      return
    }
    noteUnknown(settings)
  }

  // MARK: The editor's objects

  /// The objects of a collection that is either a dictionary by name or a list.
  private mutating func bucket(
    _ name: String, of object: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> [KeyedArchive.Reference] {
    let key = "XDBucketFor\(name)storage"
    guard let storage = try archive.object(key, of: object) else { return [] }
    let isDictionary = try archive.isKind(storage, of: "NSDictionary")
    let items =
      isDictionary
      ? try archive.entries(of: storage).map(\.value) : try archive.elements(of: storage)
    var objects: [KeyedArchive.Reference] = []
    for item in items {
      guard case .object(let object) = item else {
        throw .wrongKind(key: key, expected: "a collection of objects")
      }
      objects.append(object)
    }
    return objects
  }

  mutating func name(of object: KeyedArchive.Reference) throws(KeyedArchiveError) -> String {
    guard let name = try archive.string("_name", of: object), !name.isEmpty else {
      throw .missing(key: "_name")
    }
    try name.checkLength(key: "_name")
    return name
  }

  /// The settings in the stereotypes of an object, by key.
  private mutating func settings(
    of object: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> EmbeddedSettings {
    var settings = EmbeddedSettings()
    for stereotype in try bucket("Stereotypes", of: object) {
      for setting in try bucket("OwnedAttributes", of: stereotype) {
        settings.set(try archive.archive.item("_default", of: setting), for: try name(of: setting))
      }
    }
    return settings
  }

  // MARK: Findings

  private func require(
    _ object: KeyedArchive.Reference, _ name: String
  ) throws(KeyedArchiveError) {
    let classes = try archive.archive.classNames(of: object)
    guard classes.contains(name) else { throw .wrongClass(classes[0], expected: name) }
  }

  private mutating func noteUnknown(_ settings: EmbeddedSettings) {
    for key in settings.unreadKeys { note("“\(key)” of \(part) is not understood and is left out") }
  }

  mutating func note(_ message: String, reason: String? = nil) {
    guard findings.all.count < Self.maximumNotes else { return }
    findings.append(
      Diagnostic("MOD-105", message, severity: .note, at: place, reason: reason))
  }

  private mutating func spendPart() throws(KeyedArchiveError) {
    guard remainingParts > 0 else { throw .tooLarge }
    remainingParts -= 1
  }
}
