internal import PassageModels

extension ModelArchiver {
  /// The named fetch requests; nil if there are none.
  mutating func fetchRequestTemplates() -> PropertyList {
    guard !model.fetchRequestTemplates.isEmpty else { return KeyedArchiver.null }
    return archiver.dictionary(
      model.fetchRequestTemplates.map { (key: $0.name, value: fetchRequest($0)) })
  }

  /// The entity and predicate of a fetch request, and the settings that have names of an archive.
  /// Those of an Xcode model have other names and are left out, as is a predicate that cannot be
  /// read.
  mutating func fetchRequest(_ request: Model.FetchRequest) -> PropertyList {
    var members: [PropertyList.Member] = []
    if let name = request.entityName {
      if let entity = entities[name] {
        members.append(PropertyList.Member("NSEntity", entity.value))
      }
      members.append(PropertyList.Member("NSEntityName", archiver.text(name)))
    }
    members.append(
      PropertyList.Member(
        "NSPredicate", request.predicate.flatMap { predicate($0) } ?? KeyedArchiver.null))
    let settings = request.settings.sorted {
      $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
    }
    for (key, text) in settings where key.hasPrefix("NS") {
      if let value = Self.setting(text) { members.append(PropertyList.Member(key, value)) }
    }
    return archiver.add(.fetchRequest, members)
  }

  private static func setting(_ text: String) -> PropertyList? {
    switch text {
    case "YES": .bool(true)
    case "NO": .bool(false)
    default: Int64(text).map { .integer($0) } ?? Double(text).map { .real($0) }
    }
  }
}

extension KeyedArchiver.Class {
  fileprivate static let fetchRequest = Self("NSFetchRequest", "NSPersistentStoreRequest")
}
