internal import PassageDiagnostics
internal import PassageModels
internal import PassageStores

/// Converts an archived `NSManagedObjectModel` into a ``Model``.
///
/// Such archives have two writers. Xcode's compiler lists only an entity's own properties. Core
/// Data, when it archives a model in a store, lists inherited ones too, as copies or as proxies.
/// Both give the same result: a property belongs to the topmost ancestor that lists it.
struct ArchivedModelDecoder {
  /// The largest number of entities and properties that is accepted. The largest models known have
  /// a few thousand.
  static let maximumParts = 100_000

  var archive: KeyedUnarchiver
  let file: String
  /// The part of the model being read, for error messages.
  var part = "the model"
  private(set) var findings = Diagnostics()
  private var remainingParts = maximumParts
  private var listedFindings = 0

  init(_ archive: KeyedArchive, file: String) {
    self.archive = KeyedUnarchiver(archive)
    self.file = file
  }

  /// An entity and the properties it lists, including inherited ones.
  private struct Listing {
    var entity: Entity
    var object: KeyedArchive.Reference
    var properties: [(name: String, object: KeyedArchive.Reference)]
    var names: Set<String>
  }

  mutating func model(
    _ root: KeyedArchive.Reference, name: String
  ) throws(KeyedArchiveError) -> Model {
    var listings: [Listing] = []
    for entry in try archive.entries("NSEntities", of: root) {
      listings.append(try listing(entry))
    }
    let byName = Dictionary(
      listings.enumerated().map { ($1.entity.name, $0) }, uniquingKeysWith: { first, _ in first })
    var entities: [Entity] = []
    for listing in listings {
      // The names of the ancestors' properties. The length of the walk is limited to that of a
      // valid model.
      var inherited: [Set<String>] = []
      var parent = listing.entity.parentName
      while let name = parent, let position = byName[name],
        inherited.count < ModelChecker.maximumDepth
      {
        inherited.append(listings[position].names)
        parent = listings[position].entity.parentName
      }
      let own = listing.properties.filter { property in
        !inherited.contains { $0.contains(property.name) }
      }
      entities.append(try entity(listing.entity, listing.object, properties: own))
    }
    part = "the model"
    var identifiers: [String] = []
    for item in try archive.elements("NSVersionIdentifiers", of: root) {
      if let identifier = try archive.string(item), !identifier.isEmpty {
        identifiers.append(identifier)
      }
    }
    identifiers.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return Model(
      name: name, versionIdentifiers: identifiers, entities: entities,
      configurations: try configurations(of: root),
      fetchRequestTemplates: try fetchRequestTemplates(of: root))
  }

  /// Reads an entity's name, its parent's name and the names of its properties.
  private mutating func listing(
    _ entry: KeyedUnarchiver.Entry
  ) throws(KeyedArchiveError) -> Listing {
    try spendPart()
    guard case .object(let object) = entry.value else {
      throw .wrongKind(key: "NSEntities", expected: "a dictionary of entities")
    }
    try require(object, "NSEntityDescription")
    var written = try archive.string("NSEntityName", of: object)
    if written == nil { written = try archive.string(entry.key) }
    guard let name = written else { throw .missing(key: "NSEntityName") }
    try name.checkLength(key: "NSEntityName")
    part = "entity “\(name)”"
    var entity = Entity(name: name)
    if let parent = try archive.object("NSSuperentity", of: object) {
      entity.parentName = try archive.string("NSEntityName", of: parent)
    }
    var properties: [(name: String, object: KeyedArchive.Reference)] = []
    for entry in try archive.entries("NSProperties", of: object) {
      try spendPart()
      guard let name = try archive.string(entry.key), name.utf8.count <= String.maximumNameBytes,
        case .object(let property) = entry.value
      else { throw .wrongKind(key: "NSProperties", expected: "a dictionary of properties") }
      properties.append((name, property))
    }
    // The order of an archived dictionary has no meaning, so properties are sorted by name.
    properties.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    return Listing(
      entity: entity, object: object, properties: properties,
      names: Set(properties.map(\.name)))
  }

  private mutating func entity(
    _ listed: Entity, _ object: KeyedArchive.Reference,
    properties: [(name: String, object: KeyedArchive.Reference)]
  ) throws(KeyedArchiveError) -> Entity {
    var entity = listed
    for property in properties {
      part = "“\(entity.name).\(property.name)”"
      let description = try underlying(property.object)
      let classes = try archive.archive.classNames(of: description)
      if classes.contains("NSAttributeDescription") {
        entity.attributes.append(try attribute(description, name: property.name, classes: classes))
      } else if classes.contains("NSRelationshipDescription") {
        entity.relationships.append(try relationship(description, name: property.name))
      } else if classes.contains("NSFetchedPropertyDescription") {
        entity.fetchedProperties.append(try fetchedProperty(description, name: property.name))
      } else {
        note("\(part) is of class \(classes[0]), which is not understood, and is ignored")
      }
    }
    part = "entity “\(entity.name)”"
    entity.isAbstract = try archive.flag("NSIsAbstract", of: object)
    entity.className = try text("NSClassNameForEntity", of: object, except: "NSManagedObject")
    entity.renamingIdentifier = try text("NSRenamingIdentifier", of: object, except: entity.name)
    entity.versionHashModifier = try text("NSVersionHashModifier", of: object)
    entity.userInfo = try userInfo(of: object)
    entity.uniquenessConstraints = try uniquenessConstraints(of: object)
    try readIndexes(of: object, into: &entity)
    return entity
  }

  /// The property that a proxy stands for, or the property itself.
  func underlying(
    _ property: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> KeyedArchive.Reference {
    var property = property
    // A proxy may stand for another proxy, but the chain is limited.
    for _ in 0..<8 {
      guard let next = try archive.object("NSUnderlyingProperty", of: property) else {
        return property
      }
      property = next
    }
    throw .tooDeep
  }

  // MARK: Values

  /// A text; `nil` if it is empty or is the text that Core Data writes if nothing was set.
  mutating func text(
    _ key: String, of object: KeyedArchive.Reference, except usual: String = ""
  ) throws(KeyedArchiveError) -> String? {
    let text = try archive.string(key, of: object)
    return text == "" || text == usual ? nil : text
  }

  /// The texts of a user info dictionary. Values that are not texts are left out with a note.
  mutating func userInfo(
    of object: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> [String: String] {
    var userInfo: [String: String] = [:]
    for entry in try archive.entries("NSUserInfo", of: object) {
      guard let key = try archive.string(entry.key) else { continue }
      guard let value = try archive.string(entry.value) else {
        note("the user info “\(key)” of \(part) is not a text and is left out")
        continue
      }
      userInfo[key] = value
    }
    return userInfo
  }

  /// Throws unless an object is of this class.
  func require(
    _ object: KeyedArchive.Reference, _ name: String
  ) throws(KeyedArchiveError) {
    let classes = try archive.archive.classNames(of: object)
    guard classes.contains(name) else { throw .wrongClass(classes[0], expected: name) }
  }

  // MARK: Findings

  mutating func note(_ message: String, reason: String? = nil) {
    listedFindings += 1
    guard listedFindings <= 200 else { return }
    findings.append(
      Diagnostic(
        "MOD-105", message, severity: .warning, at: SourceLocation(file: file), reason: reason))
  }

  mutating func spendPart() throws(KeyedArchiveError) {
    guard remainingParts > 0 else { throw .tooLarge }
    remainingParts -= 1
  }
}
