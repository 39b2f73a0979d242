internal import PassageDiagnostics
internal import PassageModels
internal import PassageStores
internal import PassageValues

/// Reads a finished store as the contents of an atomic store.
struct StoredContents {
  private let objects: StoredObjects
  private let facts: [String: EntityFacts]

  init(_ objects: StoredObjects) {
    self.objects = objects
    facts = EntityFacts.all(objects.model)
  }

  /// Reads the contents, including values in external files, because a file of this type has no
  /// external data.
  ///
  /// - Throws: `StoreError`, and `Diagnostic` with `STO-311` or `STO-313` if a file is missing.
  func read() throws -> AtomicStore.Contents {
    var contents = AtomicStore.Contents(
      storeUUID: objects.store.metadata.storeUUID, metadata: objects.store.metadata.appMembers)
    var positions: [String: [Int64: Int]] = [:]
    for entity in objects.model.entities where !entity.isAbstract {
      guard let facts = facts[entity.name] else { continue }
      try objects.read(entity) { object in
        let reference = AtomicStore.Reference("\(object.key)") ?? .number(object.key)
        let identifier = AtomicStore.Identifier(entityName: entity.name, reference: reference)
        var node = CacheNode(identifier)
        for (name, value) in zip(object.shape.names, object.values) where !value.isNull {
          if let attribute = facts.attributes[name] {
            node.values[name] = try objects.value(of: value, attribute)
          } else if let target = value.integer, let reference = AtomicStore.Reference("\(target)") {
            node.links[name] = CacheNode.Link([reference])
          }
        }
        positions[facts.rootName, default: [:]][object.key] = contents.nodes.count
        contents.nodes.append(node)
      }
    }
    dropLooseLinks(&contents, positions)
    try readLinks(into: &contents, positions)
    return contents
  }

  /// Core Data's columns need not refer to an existing row.
  private func dropLooseLinks(
    _ contents: inout AtomicStore.Contents, _ positions: [String: [Int64: Int]]
  ) {
    for index in contents.nodes.indices where !contents.nodes[index].links.isEmpty {
      guard let facts = facts[contents.nodes[index].identifier.entityName] else { continue }
      for (name, link) in contents.nodes[index].links {
        let isThere = link.references.allSatisfy { reference in
          reference.number.flatMap { positions[facts.targetRoots[name] ?? ""]?[$0] } != nil
        }
        if !isThere { contents.nodes[index].links[name] = nil }
      }
    }
  }

  private func readLinks(
    into contents: inout AtomicStore.Contents, _ positions: [String: [Int64: Int]]
  ) throws {
    for entity in objects.model.entities where !entity.isAbstract {
      guard let facts = facts[entity.name] else { continue }
      for (name, relationship) in facts.relationships.sorted(by: { $0.key < $1.key })
      where relationship.isToMany {
        let targets = positions[facts.targetRoots[name] ?? ""] ?? [:]
        let owners = positions[facts.rootName] ?? [:]
        try objects.readLinks(relationship, of: entity) { owner, target in
          guard let index = owners[owner], targets[target] != nil,
            let reference = AtomicStore.Reference("\(target)")
          else { return }
          contents.nodes[index].links[name, default: CacheNode.Link([])].references.append(
            reference)
        }
      }
    }
  }
}
