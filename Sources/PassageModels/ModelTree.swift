/// The inheritance tree of a model, computed once: parents and children by position.
///
/// A position is an index into the model's entities. A missing parent has no position. The entities
/// of a cycle keep their parents' positions and are marked, so that a walk upwards stops there.
struct ModelTree: Sendable {
  /// The position of the first entity with a name.
  let positionByName: [String: Int]
  /// The parent's position; `nil` for a root entity and for a missing parent.
  let parents: [Int?]
  /// The children's positions, in the order of the entities.
  let children: [[Int]]
  /// Whether the walk upwards from the entity never ends.
  let isEndless: [Bool]
  /// The index of each attribute that an entity declares itself, by name; the first of two with the
  /// same name.
  let attributes: [[String: Int]]
  /// The index of each relationship that an entity declares itself, by name.
  let relationships: [[String: Int]]

  /// - Complexity: O(n) for n entities and properties.
  init(_ entities: [Entity]) {
    var positionByName: [String: Int] = [:]
    positionByName.reserveCapacity(entities.count)
    for (position, entity) in entities.enumerated() where positionByName[entity.name] == nil {
      positionByName[entity.name] = position
    }
    var children = Array(repeating: [Int](), count: entities.count)
    let parents = entities.map { $0.parentName.flatMap { positionByName[$0] } }
    for (position, parent) in parents.enumerated() {
      if let parent { children[parent].append(position) }
    }
    self.positionByName = positionByName
    self.parents = parents
    self.children = children
    self.isEndless = Self.endless(parents)
    attributes = entities.map { Self.places($0.attributes.lazy.map(\.name)) }
    relationships = entities.map { Self.places($0.relationships.lazy.map(\.name)) }
  }

  private static func places(_ names: some Collection<String>) -> [String: Int] {
    Dictionary(zip(names, 0...), uniquingKeysWith: { first, _ in first })
  }

  /// Every entity that cannot be reached from a root entity is in a cycle, or below one.
  private static func endless(_ parents: [Int?]) -> [Bool] {
    enum Mark { case unknown, onPath, ends, endless }
    var marks = Array(repeating: Mark.unknown, count: parents.count)
    for start in parents.indices where marks[start] == .unknown {
      var path: [Int] = []
      var next: Int? = start
      while let position = next, marks[position] == .unknown {
        marks[position] = .onPath
        path.append(position)
        next = parents[position]
      }
      let isEndless = next.map { marks[$0] == .onPath || marks[$0] == .endless } ?? false
      for position in path { marks[position] = isEndless ? .endless : .ends }
    }
    return marks.map { $0 == .endless }
  }
}
