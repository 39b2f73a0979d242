internal import PassageModels
internal import PassageStores
internal import PassageValues

/// The objects of a finished store, read from it one at a time. SQLite sorts links on disk.
final class StoredObjectSource: ObjectSource {
  private let objects: StoredObjects
  let limit: RecordLimit?

  init(_ objects: StoredObjects, limit: RecordLimit) {
    self.objects = objects
    self.limit = limit
  }

  var storeUUID: String? { objects.store.metadata.storeUUID }
  var metadata: [PropertyList.Member] { objects.store.metadata.appMembers }
  var hasUniqueReferences: Bool { true }

  private static func reference(_ key: Int64) -> AtomicStore.Reference {
    key >= 1 ? .number(key) : .text("\(key)")
  }

  func identities(
    of facts: EntityFacts, attribute: String?, _ body: (AtomicStore.Reference, Value) throws -> Void
  ) throws {
    let attributes = [attribute].compactMap(\.self)
    for keys in StoredObjects.Keys.allCases {
      try objects.read(facts.entity, keys, attributes: attributes, relationships: []) {
        key, cells in
        let value = try attribute.flatMap { facts.attributes[$0] }.map {
          try objects.value(of: cells[0], $0)
        }
        try body(Self.reference(key), value ?? .null)
      }
    }
  }

  /// Passes the objects, including values in external files, because a file of this type has no
  /// external data.
  ///
  /// - Throws: `StoreError`, `Diagnostic` with `STO-311` or `STO-313` if a file is missing, and
  ///   `MemoryExceeded` with `ATM-052` before the files of a large object are loaded.
  func objects(
    of facts: EntityFacts, links: Set<String>, _ body: (WrittenObject) throws -> Void
  ) throws {
    let attributes = facts.attributes.values.sorted { $0.name < $1.name }
    let relationships = facts.relationships.values.filter { links.contains($0.name) }
      .sorted { $0.name < $1.name }
    let toOne = relationships.filter { !$0.isToMany }
    for keys in StoredObjects.Keys.allCases {
      var cursors: [String: LinkCursor] = [:]
      for relationship in relationships where relationship.isToMany {
        cursors[relationship.name] = try objects.links(relationship, of: facts.entity, keys)
      }
      try objects.read(
        facts.entity, keys, attributes: attributes.map(\.name), relationships: toOne
      ) { key, cells in
        let identifier = AtomicStore.Identifier(
          entityName: facts.entity.name, reference: Self.reference(key))
        let byteCount = try zip(attributes, cells).reduce(0) {
          try $0 + leastBytes(of: $1.1, $1.0)
        }
        try limit?.check(byteCount, of: identifier, isEstimate: true)
        var values: [String: Value] = [:]
        for (attribute, cell) in zip(attributes, cells) where !cell.isNull {
          values[attribute.name] = try objects.value(of: cell, attribute)
        }
        let targets = cells.suffix(toOne.count)
        try body(
          WrittenObject(identifier: identifier, values: values) { name, body in
            if let cursor = cursors[name] {
              try cursor.forEach(of: key) { try body(Self.reference($0)) }
            } else if let index = toOne.firstIndex(where: { $0.name == name }),
              let target = targets[targets.startIndex + index].integer
            {
              try body(Self.reference(target))
            }
          })
        for cursor in cursors.values { try cursor.skip(key) }
      }
    }
  }

  /// The least number of bytes that the text of a cell's value has. Base64 has four characters for three bytes.
  private func leastBytes(of cell: Value, _ attribute: Attribute) throws -> Int {
    switch cell {
    case .text(let text): return text.utf8.count
    case .blob(let bytes):
      let file =
        attribute.allowsExternalBinaryDataStorage
        ? try objects.externalFolder.file(ofCell: bytes) : nil
      return (file?.byteCount ?? bytes.count) / 3 * 4
    default: return 0
    }
  }
}
