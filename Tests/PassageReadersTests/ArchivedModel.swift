import PassageDiagnostics
import PassageModels
import PassageReaders
import PassageStores

/// A compiled model under construction, for tests: entities and properties as an archive has them.
struct ArchivedModel {
  var builder = ArchiveBuilder()
  private var entities: [(String, PropertyList?)] = []
  private var references: [String: PropertyList] = [:]
  /// `NSFetchRequestTemplates`, where there are any.
  var requests: PropertyList?
  /// `NSConfigurations`, where there are any.
  var configurations: PropertyList?

  /// The reference to an entity, whether it was added already or not.
  mutating func reference(_ name: String) -> PropertyList {
    if let known = references[name] { return known }
    let reference = builder.add(.string(name))
    references[name] = reference
    return reference
  }

  mutating func entity(
    _ name: String, parent: String? = nil, properties: [(String, PropertyList)] = [],
    _ members: [(String, PropertyList)] = []
  ) {
    let reference = reference(name)
    let superentity = parent.map { self.reference($0) } ?? ArchiveBuilder.null
    let dictionary = builder.dictionary(properties)
    builder.set(
      reference, "NSEntityDescription",
      [
        ("NSEntityName", builder.text(name)), ("NSProperties", dictionary),
        ("NSSuperentity", superentity), ("NSRenamingIdentifier", builder.text(name)),
      ].filter { member in !members.contains { $0.0 == member.0 } } + members)
    entities.append((name, reference))
  }

  mutating func attribute(
    _ name: String, _ type: Int64, _ members: [(String, PropertyList)] = [],
    class className: String = "NSAttributeDescription"
  ) -> (String, PropertyList) {
    let reference = builder.add(
      className,
      inherits: className == "NSAttributeDescription"
        ? ["NSPropertyDescription"] : ["NSAttributeDescription", "NSPropertyDescription"],
      [
        ("NSPropertyName", builder.text(name)), ("NSAttributeType", .integer(type)),
        ("NSRenamingIdentifier", builder.text(name)), ("NSFlagsKey", .integer(0)),
      ].filter { member in !members.contains { $0.0 == member.0 } } + members)
    return (name, reference)
  }

  mutating func relationship(
    _ name: String, to destination: String, _ members: [(String, PropertyList)] = []
  ) -> (String, PropertyList) {
    let entity = reference(destination)
    let reference = builder.add(
      "NSRelationshipDescription", inherits: ["NSPropertyDescription"],
      [
        ("NSPropertyName", builder.text(name)), ("NSDestinationEntity", entity),
        ("NSMinCount", .integer(0)), ("NSMaxCount", .integer(1)), ("NSDeleteRule", .integer(1)),
      ].filter { member in !members.contains { $0.0 == member.0 } } + members)
    return (name, reference)
  }

  /// The archive, as Xcode's compiler writes it, or as Core Data keeps it in a store.
  mutating func archive(isCached: Bool = false) -> [UInt8] {
    let dictionary =
      isCached
      ? builder.knownKeys(entities + [("Hole", nil)])
      : builder.dictionary(entities.compactMap { entry in entry.1.map { (entry.0, $0) } })
    let identifiers = builder.set([builder.text("7")])
    let root = builder.add(
      "NSManagedObjectModel",
      [
        ("NSEntities", dictionary), ("NSFetchRequestTemplates", requests ?? ArchiveBuilder.null),
        ("NSVersionIdentifiers", identifiers),
      ] + (configurations.map { [("NSConfigurations", $0)] } ?? []))
    return builder.archive(root: root)
  }

  mutating func read(isCached: Bool = false) throws(Diagnostics) -> ReadModel {
    try CompiledModelReader.read(archive(isCached: isCached), name: "M", file: "M.mom")
  }
}
