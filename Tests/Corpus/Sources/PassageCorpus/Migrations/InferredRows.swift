internal import Passage
internal import PassageTesting

/// What the rows of an inferred migration must be, said by the two models and plain SQL alone: no
/// mapping model, no engine.
///
/// Objects keep their keys. An attribute that both versions have keeps its value, a new one has its
/// default, one that became required has its default where it had no value. A relationship that both
/// versions have keeps its pairs, in their order when both are ordered, as far as the related objects
/// are carried over; a new one reads the pairs of its inverse, or has none.
struct InferredRows {
  let source: StoreSide
  let destination: StoreSide

  /// The first differences, in words.
  func mistakes() throws -> [String] {
    var mistakes: [String] = []
    for new in destination.model.entities where !new.isAbstract {
      let old = former(of: new).flatMap { $0.isAbstract ? nil : $0 }
      mistakes += try attributes(of: new, old)
      for relationship in destination.model.relationships(of: new) where !relationship.isTransient {
        mistakes += try pairs(of: new, relationship, old)
      }
    }
    return mistakes
  }

  // MARK: What was what

  private func former(of entity: Entity) -> Entity? {
    match(
      entity.name, entity.renamingIdentifier,
      source.model.entities.map { ($0, $0.name, $0.renamingIdentifier) })
  }

  private func successor(of entity: Entity) -> Entity? {
    destination.model.entities.first { former(of: $0)?.name == entity.name }
  }

  private func former(of attribute: Attribute, in entity: Entity) -> Attribute? {
    match(
      attribute.name, attribute.renamingIdentifier,
      source.model.attributes(of: entity).filter(\.isStored)
        .map { ($0, $0.name, $0.renamingIdentifier) })
  }

  private func former(of relationship: Relationship, in entity: Entity) -> Relationship? {
    match(
      relationship.name, relationship.renamingIdentifier,
      source.model.relationships(of: entity).filter { !$0.isTransient }
        .map { ($0, $0.name, $0.renamingIdentifier) })
  }

  /// By canonical name: the renaming identifier, or the name where there is none.
  private func match<Part>(
    _ name: String, _ identifier: String?, _ candidates: [(Part, String, String?)]
  ) -> Part? {
    let canonical = identifier ?? name
    let found =
      candidates.first { ($0.2 ?? $0.1) == canonical } ?? candidates.first { $0.1 == canonical }
      ?? candidates.first { $0.1 == name }
    return found?.0
  }

  // MARK: Rows

  private func attributes(
    of new: Entity, _ old: Entity?
  ) throws -> [String] {
    guard let place = destination.layout.entity(named: new.name) else { return [] }
    var expected: [String] = ["Z_PK"]
    var found: [String] = ["Z_PK"]
    var values: [Value] = []
    let oldPlace = old.flatMap { source.layout.entity(named: $0.name) }
    for attribute in destination.model.attributes(of: new)
    where attribute.isStored && attribute.derivation == nil {
      guard let column = place.columnName(ofAttribute: attribute.name) else { continue }
      found.append(StoreQuery.identifier(column))
      if let old, let former = former(of: attribute, in: old),
        let formerColumn = oldPlace?.columnName(ofAttribute: former.name)
      {
        let isNewlyRequired = former.isOptional && !attribute.isOptional
        expected.append(
          isNewlyRequired
            ? "ifnull(\(StoreQuery.identifier(formerColumn)), ?)"
            : StoreQuery.identifier(formerColumn))
        if isNewlyRequired { values.append(attribute.defaultValue) }
      } else {
        expected.append("?")
        values.append(attribute.defaultValue)
      }
    }
    let none = "SELECT \(found.map { _ in "NULL" }.joined(separator: ", ")) WHERE 0"
    let expectedQuery = oldPlace.map {
      "SELECT \(expected.joined(separator: ", ")) FROM \(StoreQuery.identifier($0.tableName)) "
        + "NOT INDEXED WHERE Z_ENT = \($0.number) ORDER BY Z_PK"
    }
    return try RowsComparison(
      name: new.name,
      expected: source.query.cursor(expectedQuery ?? none, expectedQuery == nil ? [] : values),
      found: destination.query.cursor(
        "SELECT \(found.joined(separator: ", ")) FROM \(StoreQuery.identifier(place.tableName)) "
          + "NOT INDEXED WHERE Z_ENT = \(place.number) ORDER BY Z_PK"),
      keyCount: 1
    ).mistakes()
  }

  private func pairs(
    of new: Entity, _ relationship: Relationship, _ old: Entity?
  ) throws -> [String] {
    guard let end = destination.model.entity(named: relationship.destinationEntityName) else {
      return []
    }
    let former = old.flatMap { self.former(of: relationship, in: $0) }
    let isRanked = relationship.isOrdered && former?.isOrdered == true
    let expected = old.flatMap { old in
      former.map { expectedPairs(old, $0, isRanked) } ?? reversedPairs(old, relationship)
    }
    guard
      let found = destination.pairs(
        of: new, relationship, targets: destination.model.family(of: end), isRanked: isRanked)
    else { return [] }
    return try RowsComparison(
      name: "\(new.name).\(relationship.name)",
      expected: source.query.cursor(expected ?? "SELECT NULL, NULL WHERE 0"),
      found: destination.query.cursor(found), keyCount: 2
    ).mistakes()
  }

  /// The pairs of the relationship that the new one was, to objects that are carried over.
  private func expectedPairs(
    _ old: Entity, _ relationship: Relationship, _ isRanked: Bool
  ) -> String? {
    guard let end = source.model.entity(named: relationship.destinationEntityName) else {
      return nil
    }
    return source.pairs(
      of: old, relationship, targets: carriedOver(source.model.family(of: end)),
      isRanked: isRanked)
  }

  /// A relationship without a former one reads the pairs of its inverse, when that has one.
  private func reversedPairs(_ old: Entity, _ relationship: Relationship) -> String? {
    guard let inverse = destination.model.inverse(of: relationship),
      let end = destination.model.entity(named: relationship.destinationEntityName),
      let formerEnd = former(of: end), let former = former(of: inverse, in: formerEnd)
    else { return nil }
    let queries = carriedOver(source.model.family(of: formerEnd)).compactMap { entity in
      source.pairs(of: entity, former, targets: [old], isRanked: false, isReversed: true)
    }
    return queries.isEmpty
      ? nil
      : queries.map { "SELECT * FROM (\($0))" }.joined(separator: " UNION ALL ") + " ORDER BY 1, 2"
  }

  private func carriedOver(_ family: [Entity]) -> [Entity] {
    family.filter { !$0.isAbstract && successor(of: $0)?.isAbstract == false }
  }
}
