internal import PassageModels
internal import PassageStores

extension GuessedModel {
  /// Reads the join tables: `Z_<n><NAME>` with the columns `Z_<n><INVERSE>` and `Z_<m><NAME>` joins
  /// the relationship `NAME` of entity n, whose destination is entity m, with its inverse.
  mutating func readJoinTables() {
    for table in tables where table.name.hasPrefix("Z_") {
      guard let (owner, title) = Self.numbered(table.name.dropFirst(2)), entities[owner] != nil
      else { continue }
      let columns = table.columns.map(\.name)
      let keys = columns.filter { !$0.hasPrefix("Z_FOK_") }
      guard keys.count == 2, let first = end(keys[0]), let name = Self.propertyName(title) else {
        doubt("the table \(table.name) is not a join table of a known form, and is left out")
        continue
      }
      let isOrdered = columns.contains { $0.hasPrefix("Z_FOK_") && $0.hasSuffix(title) }
      if keys[1] == "REFLEXIVE" {
        join(owner, name, isOrdered: isOrdered, with: owner, name, isOrdered: isOrdered)
        continue
      }
      guard let second = end(keys[1]), first.number == owner,
        let inverse = Self.propertyName(first.title), entities[second.number] != nil
      else {
        doubt("the table \(table.name) is not a join table of a known form, and is left out")
        continue
      }
      let isInverseOrdered = columns.contains {
        $0.hasPrefix("Z_FOK_") && $0.hasSuffix(first.title)
      }
      join(
        owner, name, isOrdered: isOrdered, with: second.number, inverse,
        isOrdered: isInverseOrdered)
    }
  }

  private func end(_ column: String) -> (number: Int64, title: String)? {
    guard column.hasPrefix("Z_"), let (number, title) = Self.numbered(column.dropFirst(2)) else {
      return nil
    }
    return (number, title)
  }

  /// Adds both sides of a relationship, unless there is a property with that name.
  private mutating func join(
    _ owner: Int64, _ name: String, isOrdered: Bool, with other: Int64, _ inverse: String,
    isOrdered isInverseOrdered: Bool
  ) {
    guard let source = numbers[owner], let destination = numbers[other],
      !hasProperty(name, owner), !hasProperty(inverse, other)
    else { return doubt("a relationship “\(name)” of entity \(owner) is left out") }
    note(name, of: owner)
    note(inverse, of: other)
    entities[owner]?.relationships.append(
      Relationship(
        name: name, destinationEntityName: destination, inverseName: inverse, maximumCount: 0,
        isOrdered: isOrdered))
    guard owner != other || name != inverse else { return }
    entities[other]?.relationships.append(
      Relationship(
        name: inverse, destinationEntityName: source, inverseName: name, maximumCount: 0,
        isOrdered: isInverseOrdered))
  }
}
