internal import PassageModels
internal import PassageStores

extension GuessedModel {
  private static let types: [String: AttributeType] = [
    "INTEGER": .integer64, "FLOAT": .double, "TIMESTAMP": .date, "DECIMAL": .decimal,
    "VARCHAR": .string, "BLOB": .binary,
  ]

  /// Reads the columns of a root entity's table: `Z<NAME>` is an attribute or a to-one
  /// relationship, `Z<n>_<NAME>` is the entity number of that relationship's destination,
  /// `Z<n><NAME>` is the key of a to-many relationship that entity n declares, `Z_FOK_<NAME>` is an
  /// order.
  mutating func readColumns(of table: OpenStore.DeclaredTable, number: Int64) {
    var destinations: [String: Int64] = [:]
    for column in table.columns {
      guard let (destination, rest) = Self.numbered(column.name.dropFirst()),
        rest.hasPrefix("_")
      else { continue }
      destinations[String(rest.dropFirst()).uppercased()] = destination
    }
    var names: Set<String> = []
    for column in table.columns where column.name.hasPrefix("Z") && !column.name.hasPrefix("Z_") {
      let stem = String(column.name.dropFirst())
      if let (source, rest) = Self.numbered(stem) {
        if !rest.hasPrefix("_") { addToMany(rest, from: source, to: number) }
        continue
      }
      guard let name = Self.propertyName(stem), names.insert(name).inserted else {
        doubt("the column \(table.name).\(column.name) does not name a property and is left out")
        continue
      }
      let isReference =
        column.type == "INTEGER" && indexes.contains("\(table.name)_\(column.name)_INDEX")
      if let destination = destinations[stem.uppercased()].flatMap({ numbers[$0] })
        ?? (isReference ? namesByUppercase[stem.uppercased()] : nil)
      {
        note(name, of: number)
        entities[number]?.relationships.append(
          Relationship(name: name, destinationEntityName: destination))
        continue
      }
      if isReference {
        doubt(
          "\(table.name).\(column.name) may be a relationship, but its destination is not "
            + "known")
      }
      note(name, of: number)
      entities[number]?.attributes.append(
        Attribute(name: name, type: Self.types[column.type] ?? .binary))
    }
  }

  private mutating func addToMany(_ text: String, from source: Int64, to destination: Int64) {
    guard let name = Self.propertyName(text), let target = numbers[destination],
      entities[source] != nil, !hasProperty(name, source)
    else { return doubt("a column for a relationship “\(text)” of entity \(source) is left out") }
    note(name, of: source)
    entities[source]?.relationships.append(
      Relationship(name: name, destinationEntityName: target, maximumCount: 0))
  }

  /// Whether the entity, an ancestor or a descendant has such a property. All columns of a table
  /// become properties of the root, so a name may be on the wrong entity.
  ///
  /// - Complexity: O(d) for d levels of inheritance.
  func hasProperty(_ name: String, _ number: Int64) -> Bool {
    namesBelow[number]?.contains(name) == true
      || lineage(of: number).contains { names[$0]?.contains(name) == true }
  }

  /// Records the name of a property that an entity was given.
  mutating func note(_ name: String, of number: Int64) {
    names[number, default: []].insert(name)
    for ancestor in lineage(of: number).dropFirst() {
      namesBelow[ancestor, default: []].insert(name)
    }
  }

  /// An entity and its ancestors, up to the largest depth of inheritance.
  private func lineage(of number: Int64) -> [Int64] {
    var lineage = [number]
    while lineage.count <= ModelChecker.maximumDepth, let next = parents[lineage[lineage.count - 1]]
    {
      lineage.append(next)
    }
    return lineage
  }
}
