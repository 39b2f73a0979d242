internal import PassageExpressions
import PassageModels

extension InferencePass {
  /// The mapping of a destination relationship; `nil` if it stays empty or its inverse determines
  /// it.
  ///
  /// - Parameter oldName: the corresponding source property.
  mutating func relationshipMapping(
    _ new: Relationship, old oldName: String?, _ oldEntity: Entity, _ newEntity: Entity
  ) -> PropertyMapping? {
    guard !new.isTransient else { return nil }
    let place = (newEntity, new.name)
    guard let oldName else {
      if Self.needsObjects(new), !isFilledByInverse(new) { reportUnfilled(place) }
      return nil
    }
    guard let old = source.relationship(oldName, of: oldEntity) else {
      reportKindChange(place, from: "an attribute", to: "a relationship")
      return nil
    }
    guard leadsOn(new, from: old, at: place) else {
      if Self.needsObjects(new) { reportUnfilled(place) }
      return nil
    }
    guard keepsCount(new, from: old, at: place), keepsInverse(new, from: old, at: place) else {
      return nil
    }
    if oldName == new.name { return PropertyMapping(name: new.name) }
    let value = ValueExpression.function(
      target: .variable("manager"), selector: RelationshipValue.relationshipSelector,
      arguments: [.constant(.string(oldName)), Self.sourcePath(oldName)])
    return PropertyMapping(name: new.name, expression: value.description)
  }

  /// Whether an object without related objects is invalid. Core Data saves a required to-many
  /// relationship that is empty if its minimum count is 0.
  private static func needsObjects(_ relationship: Relationship) -> Bool {
    !relationship.isOptional && (!relationship.isToMany || relationship.minimumCount > 0)
  }

  private mutating func reportUnfilled(_ place: (Entity, String)) {
    report(
      "INF-007", "is required, but nothing in the source gives it objects", at: place,
      reason: "the migrated objects would have no related object",
      remedy: "make it optional in the model, or write a mapping model")
  }

  /// Whether the objects to which the old relationship refers are allowed for the new one; `false`
  /// without a finding if none of them is migrated.
  private mutating func leadsOn(
    _ new: Relationship, from old: Relationship, at place: (Entity, String)
  ) -> Bool {
    guard let oldEnd = source.entity(named: old.destinationEntityName),
      let newEnd = destination.entity(named: new.destinationEntityName)
    else { return false }
    let taken = source.family(of: oldEnd).filter { !$0.isAbstract }
      .compactMap { destinationEntity(of: $0) }
    let strangers = taken.filter { !destination.isKind($0, of: newEnd) }
    guard strangers.isEmpty else {
      report(
        "INF-008", "leads to “\(newEnd.name)” instead of “\(oldEnd.name)”", at: place,
        reason: "objects of \(strangers.map { "“\($0.name)”" }.joined(separator: ", ")) can be "
          + "related to it in the source, but not in the destination",
        remedy: "give the new relationship another name, or write a mapping model")
      return false
    }
    return !taken.isEmpty
  }

  private mutating func keepsCount(
    _ new: Relationship, from old: Relationship, at place: (Entity, String)
  ) -> Bool {
    if new.isToMany || !old.isToMany { return true }
    report(
      "INF-006", "was to-many and is now to-one", at: place,
      reason: "which of the objects is meant cannot be determined",
      remedy: "write a mapping model that selects it, or leave the relationship to-many")
    return false
  }

  /// Whether the inverse is still the inverse. A relationship and its inverse are the same set of
  /// links, so two that were independent cannot become inverses of each other. An inverse that is
  /// new adds nothing but the other direction.
  private mutating func keepsInverse(
    _ new: Relationship, from old: Relationship, at place: (Entity, String)
  ) -> Bool {
    guard let newInverse = destination.inverse(of: new),
      let oldEnd = source.entity(named: old.destinationEntityName),
      let newEnd = destination.entity(named: new.destinationEntityName)
    else { return true }
    guard let former = propertyMatching(oldEnd, newEnd).oldNames[newInverse.name],
      source.relationship(former, of: oldEnd) != nil, former != source.inverse(of: old)?.name
    else { return true }
    report(
      "INF-010", "is now the inverse of “\(newEnd.name).\(newInverse.name)”", at: place,
      reason: "in the source they are independent, and may contradict each other",
      remedy: "give one of them another name, or write a mapping model that selects one")
    return false
  }

  /// Whether a relationship without counterpart is the inverse of one that has a counterpart.
  private mutating func isFilledByInverse(_ new: Relationship) -> Bool {
    guard let inverse = destination.inverse(of: new),
      let end = destination.entity(named: new.destinationEntityName)
    else { return false }
    return destination.family(of: end).contains { member in
      guard let old = sourceEntity(of: member),
        let former = propertyMatching(old, member).oldNames[inverse.name]
      else { return false }
      return source.relationship(former, of: old) != nil
    }
  }
}
