internal import PassageDiagnostics
package import PassageMappings

extension Diagram {
  /// A mapping model: source entities, entity mappings with what they do, destination entities.
  package init(_ model: MappingModel) {
    let (source, destination) = (model.source.value, model.destination.value)
    self.init(title: "The mapping model “\(model.name)” from “\(source)” to “\(destination)”")
    var positions: [[String: Int]] = [[:], [:]]
    func entity(_ name: String, side: Int, in diagram: inout Diagram) -> Int {
      if let position = positions[side][name] { return position }
      diagram.nodes.append(
        Node(.entity, name, note: "in “\(side == 0 ? source : destination)”", column: side * 2))
      positions[side][name] = diagram.nodes.count - 1
      return diagram.nodes.count - 1
    }
    for mapping in model.entityMappings {
      let box = nodes.count
      nodes.append(
        Node(
          .mapping, mapping.name.value, note: mapping.kind.rawValue, rows: Self.rows(mapping),
          column: 1))
      if let name = mapping.sourceEntityName?.value {
        let from = entity(name, side: 0, in: &self)
        edges.append(Edge(.flow, from: from, to: box))
      }
      if let name = mapping.destinationEntityName?.value {
        let to = entity(name, side: 1, in: &self)
        edges.append(Edge(.flow, from: box, to: to))
      }
    }
  }

  private static func rows(_ mapping: EntityMapping) -> [Row] {
    var rows: [Row] = []
    func add(_ name: String, _ text: String?) {
      if let text { rows.append(Row(name, text)) }
    }
    add("filter", mapping.filter?.value)
    add("for each", mapping.forEach?.value)
    add("merge by", mapping.merge?.value.value)
    add("keeps", mapping.merge?.kept.rawValue)
    add("policy", mapping.policy?.name.value)
    if !mapping.addedObjects.isEmpty {
      add("adds", NumberText.count(Int64(mapping.addedObjects.count), "object"))
    }
    let properties = mapping.attributeMappings + mapping.relationshipMappings
    if !properties.isEmpty {
      add("maps", NumberText.count(Int64(properties.count), "property", "properties"))
    }
    add("draft", mapping.draft?.value)
    return rows
  }
}
