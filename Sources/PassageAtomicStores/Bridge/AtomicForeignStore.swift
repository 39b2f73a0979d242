internal import PassageDiagnostics
internal import PassageModels
internal import PassageStores
internal import PassageValues

/// A loaded file as a source of the engine, which writes its objects into a staged store.
final class AtomicForeignStore: ForeignStore {
  private let contents: AtomicStore.Contents
  private let path: String
  private let model: Model

  init(contents: AtomicStore.Contents, path: String, model: Model) {
    self.contents = contents
    self.path = path
    self.model = model
  }

  func objectCounts() throws -> [String: Int64] {
    var counts: [String: Int64] = [:]
    for entity in model.entities { counts[entity.name] = 0 }
    for node in contents.nodes { counts[node.identifier.entityName, default: 0] += 1 }
    for record in contents.rejected { counts[record.entityName, default: 0] += 1 }
    return counts
  }

  func read(into store: StagedStore) throws {
    let graph = ObjectGraph(
      contents, model: model, path: path, allowsQuarantine: store.maximumQuarantined > 0)
    if store.maximumQuarantined == 0 { try graph.mistakes.throwIfErrors() }
    store.appMembers = contents.metadata
    for warning in graph.warnings.all { try store.warn(warning) }
    for record in graph.rejected { try store.quarantine(record.row(path: path)) }
    let order = graph.nodes.indices.filter { !graph.isRejected($0) }.sorted { a, b in
      let roots = [a, b].map { graph.facts[graph.nodes[$0].identifier.entityName]?.rootName ?? "" }
      return roots[0] == roots[1]
        ? graph.keys[a] < graph.keys[b] : roots[0].utf8.lexicographicallyPrecedes(roots[1].utf8)
    }
    try writeObjects(of: graph, order, into: store)
    try writeLinks(of: graph, order, into: store)
  }

  private func writeObjects(
    of graph: ObjectGraph, _ order: [Int], into store: StagedStore
  ) throws {
    var shapes: [String: ObjectShape] = [:]
    for index in order {
      let node = graph.nodes[index]
      guard let facts = graph.facts[node.identifier.entityName] else { continue }
      let shape =
        shapes[facts.entity.name]
        ?? ObjectShape(
          entityName: facts.entity.name, names: names(of: facts, in: store.layout))
      shapes[facts.entity.name] = shape
      let values = shape.names.map { name -> Value in
        if let attribute = facts.attributes[name] {
          return Self.stored(node.values[name] ?? .null, of: attribute)
        }
        return (graph.related[index][name]?.first).map { .integer(graph.keys[$0]) } ?? .null
      }
      try store.append(SourceObject(shape: shape, key: graph.keys[index], values: values))
    }
  }

  /// The names of the stored attributes and to-one relationships.
  private func names(of facts: EntityFacts, in layout: StoreLayout) -> [String] {
    guard let entity = layout.entity(named: facts.entity.name) else { return [] }
    let attributes = facts.attributes.keys.filter { entity.columnName(ofAttribute: $0) != nil }
    let links = facts.relationships.keys.filter {
      if case .foreignKey? = entity.storage(ofRelationship: $0) { true } else { false }
    }
    return attributes.sorted() + links.sorted()
  }

  static func stored(_ value: Value, of attribute: Attribute) -> Value {
    guard attribute.allowsExternalBinaryDataStorage, case .blob(let bytes) = value else {
      return value
    }
    return .blob([ExternalValue.inlineMarker] + bytes)
  }

  private func writeLinks(of graph: ObjectGraph, _ order: [Int], into store: StagedStore) throws {
    for index in order {
      let name = graph.nodes[index].identifier.entityName
      guard let facts = graph.facts[name], let entity = store.layout.entity(named: name) else {
        continue
      }
      for (relationship, targets) in graph.related[index].sorted(by: { $0.key < $1.key }) {
        guard facts.writesRows(of: relationship, in: entity) else { continue }
        let isOrdered = facts.relationships[relationship]?.isOrdered == true
        for (position, target) in targets.enumerated() {
          try store.link(
            relationship, of: name, from: graph.keys[index], to: graph.keys[target],
            position: isOrdered ? Int64(position) : nil)
        }
      }
    }
  }
}

extension AtomicStore.Contents.RejectedRecord {
  /// The record as a quarantined row, with its first mistake as the reason.
  func row(path: String) -> QuarantinedRow {
    let first = mistakes.first
    let reason: QuarantinedRow.Reason =
      switch first?.code {
      case "ATM-008": .missingKey
      case "ATM-009": .duplicateKey
      case "ATM-011": .missingValue
      case "ATM-012", "ATM-013": .missingTarget
      default: .malformed
      }
    return QuarantinedRow(
      reason, path: path, entityName: entityName, place: StoreUnit(path: path).name,
      key: first?.location?.line.map(Int64.init),
      detail: mistakes.map { mistake in
        let place = mistake.location?.column.map { " in column \($0)" } ?? ""
        return "\(mistake.code): \(mistake.message)\(place)"
      }.joined(separator: "; "))
  }
}
