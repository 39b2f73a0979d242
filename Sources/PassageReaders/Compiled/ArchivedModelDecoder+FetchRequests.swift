internal import PassageModels
internal import PassageStores

extension ArchivedModelDecoder {
  /// A fetched property with its fetch request.
  mutating func fetchedProperty(
    _ object: KeyedArchive.Reference, name: String
  ) throws(KeyedArchiveError) -> Entity.FetchedProperty {
    var property = Entity.FetchedProperty(name: name, userInfo: try userInfo(of: object))
    if let request = try archive.object("NSFetchRequest", of: object) {
      property.fetchRequest = try fetchRequest(request, name: "")
    }
    return property
  }

  /// The named fetch requests, sorted by name because the order of an archived dictionary has no
  /// meaning.
  mutating func fetchRequestTemplates(
    of root: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> [Model.FetchRequest] {
    var requests: [Model.FetchRequest] = []
    for entry in try archive.entries("NSFetchRequestTemplates", of: root) {
      try spendPart()
      guard let name = try archive.string(entry.key), case .object(let request) = entry.value else {
        note("a fetch request of the model is not understood and is left out")
        continue
      }
      requests.append(try fetchRequest(request, name: name))
    }
    return requests.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// The entity and predicate of an `NSFetchRequest`, and its numbers and flags by their keys.
  private mutating func fetchRequest(
    _ object: KeyedArchive.Reference, name: String
  ) throws(KeyedArchiveError) -> Model.FetchRequest {
    var request = Model.FetchRequest(name: name)
    if case .object(let entity) = try archive.archive.item("NSEntity", of: object) {
      request.entityName = try archive.string("NSEntityName", of: entity)
    }
    if request.entityName == nil {
      request.entityName = try text("NSEntityName", of: object)
    }
    if let predicate = try archive.object("NSPredicate", of: object) {
      request.predicate = try readPredicate(
        predicate, of: name.isEmpty ? "the fetch request of \(part)" : "the fetch request “\(name)”"
      ).map { "\($0)" }
    }
    for key in try archive.keys(of: object) {
      switch try archive.archive.item(key, of: object) {
      case .bool(let flag): request.settings[key] = flag ? "YES" : "NO"
      case .integer(let number): request.settings[key] = "\(number)"
      case .real(let number): request.settings[key] = "\(number)"
      default: break
      }
    }
    return request
  }

  /// The configurations, sorted by name. Each is a collection of entities or of their names.
  mutating func configurations(
    of root: KeyedArchive.Reference
  ) throws(KeyedArchiveError) -> [Model.Configuration] {
    var configurations: [Model.Configuration] = []
    for entry in try archive.entries("NSConfigurations", of: root) {
      try spendPart()
      guard let name = try archive.string(entry.key), case .object(let list) = entry.value else {
        note("a configuration of the model is not understood and is left out")
        continue
      }
      var names: [String] = []
      for item in try archive.elements(of: list) {
        if let name = try archive.string(item) {
          names.append(name)
        } else if case .object(let entity) = item,
          let name = try archive.string("NSEntityName", of: entity)
        {
          names.append(name)
        }
      }
      names.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      configurations.append(Model.Configuration(name: name, entityNames: names))
    }
    return configurations.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }
}
