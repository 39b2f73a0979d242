internal import PassageDiagnostics
package import PassageModels

extension Diagram {
  /// A model: its entities with their properties, inheritance and relationships.
  ///
  /// - Parameter counts: the number of objects of each entity, for the model of a store.
  package init(_ model: Model, counts: [String: Int64]? = nil) {
    self.init(title: "The model “\(model.name)”")
    var positions: [String: Int] = [:]
    for entity in model.entities {
      positions[entity.name] = nodes.count
      nodes.append(Self.node(entity, count: counts?[entity.name]))
    }
    var drawn: Set<[String]> = []
    for entity in model.entities {
      guard let from = positions[entity.name] else { continue }
      if let parent = entity.parentName.flatMap({ positions[$0] }) {
        edges.append(Edge(.inheritance, from: from, to: parent, label: "is a"))
      }
      for (index, relationship) in entity.relationships.enumerated() {
        guard let to = positions[relationship.destinationEntityName],
          drawn.insert([entity.name, relationship.name]).inserted
        else { continue }
        let other = model.entity(named: relationship.destinationEntityName)
        let inverse = other?.relationships.firstIndex { $0.name == relationship.inverseName }
        if let inverse, let other { drawn.insert([other.name, other.relationships[inverse].name]) }
        edges.append(
          Edge(
            .relationship, from: from, to: to,
            fromRow: entity.attributes.count + index,
            toRow: inverse.flatMap { row in other.map { $0.attributes.count + row } },
            label: Self.label(relationship, inverse.flatMap { other?.relationships[$0] })))
      }
    }
  }

  private static func node(_ entity: Entity, count: Int64?) -> Node {
    var notes: [String] = []
    if entity.isAbstract { notes.append("abstract") }
    if let parent = entity.parentName { notes.append("is a \(parent)") }
    if let count, !entity.isAbstract { notes.append(NumberText.count(count, "object")) }
    return Node(
      entity.isAbstract ? .abstractEntity : .entity, entity.name,
      note: notes.isEmpty ? nil : notes.joined(separator: ", "),
      rows: entity.attributes.map { Row($0.name, $0.traits) }
        + entity.relationships.map { Row($0.name, $0.traits, title: title($0)) })
  }

  private static func title(_ relationship: Relationship) -> String {
    let inverse = relationship.inverseName.map { ", inverse \($0)" } ?? ", no inverse"
    return "\(relationship.name): \(relationship.traits)\(inverse), "
      + "delete rule \(relationship.deleteRule.name)"
  }

  /// `orders 0..*, customer 1..1`
  private static func label(_ relationship: Relationship, _ inverse: Relationship?) -> String {
    [relationship, inverse].compactMap(\.self).map { relationship in
      "\(relationship.name) \(relationship.countText)" + (relationship.isOrdered ? " ordered" : "")
    }.joined(separator: ", ")
  }
}
