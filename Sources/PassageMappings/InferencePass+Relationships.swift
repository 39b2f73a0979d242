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
    let empty = PropertyMapping(name: new.name, source: .leftAtDefault)
    guard let oldName else {
      let extracted = extraction(into: new, of: nil, oldEntity, newEntity)
      guard Self.needsObjects(new), !isFilledByInverse(new) else { return extracted }
      return refuse(Self.unfilled, at: place, proposing: extracted ?? empty)
    }
    guard let old = source.relationship(oldName, of: oldEntity) else {
      let extracted = extraction(into: new, of: oldName, oldEntity, newEntity)
      return refuse(
        Self.kindChange(from: "an attribute", to: "a relationship"), at: place,
        proposing: extracted ?? empty)
    }
    switch leads(new, from: old) {
    case .on: break
    case .narrowed(let loss, let keepsSome):
      remark(loss, at: place)
      guard !keepsSome else { break }
      fallthrough
    case .nowhere:
      guard Self.needsObjects(new) else { return nil }
      return refuse(Self.unfilled, at: place, proposing: empty)
    case .elsewhere(let obstacle):
      let proposal = refuse(obstacle, at: place, proposing: empty)
      if Self.needsObjects(new) { report(Self.unfilled, at: place) }
      return proposal
    }
    if !new.isToMany, old.isToMany {
      return refuse(
        Self.severalObjects, at: place,
        proposing: old.isOrdered ? Self.first(of: oldName, to: new) : empty)
    }
    let copy = Self.copy(of: oldName, to: new)
    guard let inverse = newInverse(of: new, from: old) else { return copy }
    // Both ends are asked. One of them is proposed, so that they cannot contradict each other.
    let isFirst = (newEntity.name, new.name) < (inverse.entity.name, inverse.name)
    return refuse(
      InferenceObstacle(
        "INF-010", "is now the inverse of “\(inverse.entity.name).\(inverse.name)”",
        reason: "in the source they are independent, and may contradict each other",
        remedy: "give one of them another name, or write a mapping model that selects one"),
      at: place, proposing: isFirst ? copy : empty)
  }

  private static func copy(of oldName: String, to new: Relationship) -> PropertyMapping {
    if oldName == new.name { return PropertyMapping(name: new.name) }
    let value = ValueExpression.function(
      target: .variable("manager"), selector: RelationshipValue.relationshipSelector,
      arguments: [.constant(.string(oldName)), sourcePath(oldName)])
    return PropertyMapping(name: new.name, expression: value.description)
  }

  /// The first of the objects of an ordered relationship.
  private static func first(of oldName: String, to new: Relationship) -> PropertyMapping {
    let value = ValueExpression.function(
      target: .variable("manager"), selector: RelationshipValue.relationshipSelector,
      arguments: [.constant(.string(oldName)), .element(sourcePath(oldName), .first)])
    return PropertyMapping(name: new.name, expression: value.description)
  }

  /// Whether an object without related objects is invalid. Core Data saves a required to-many
  /// relationship that is empty if its minimum count is 0.
  private static func needsObjects(_ relationship: Relationship) -> Bool {
    !relationship.isOptional && (!relationship.isToMany || relationship.minimumCount > 0)
  }

  private static let unfilled = InferenceObstacle(
    "INF-007", "is required, but nothing in the source gives it objects",
    reason: "the migrated objects would have no related object",
    remedy: "make it optional in the model, or write a mapping model")

  private static let severalObjects = InferenceObstacle(
    "INF-006", "was to-many and is now to-one",
    reason: "which of the objects is meant cannot be determined",
    remedy: "write a mapping model that selects it, or leave the relationship to-many")

  /// Where the objects lead to which the old relationship refers.
  private enum Lead {
    /// To objects that are allowed for the new one.
    case on
    /// None of them is migrated.
    case nowhere
    /// To objects some of which, or all, are not of the new subentity that the new one leads to.
    case narrowed(InferenceObstacle, keepsSome: Bool)
    /// To objects that are not allowed for the new one.
    case elsewhere(InferenceObstacle)
  }

  private func leads(_ new: Relationship, from old: Relationship) -> Lead {
    guard let oldEnd = source.entity(named: old.destinationEntityName),
      let newEnd = destination.entity(named: new.destinationEntityName)
    else { return .nowhere }
    let taken = source.family(of: oldEnd).filter { !$0.isAbstract }
      .compactMap { destinationEntity(of: $0) }
    let strangers = taken.filter { !destination.isKind($0, of: newEnd) }
    if !strangers.isEmpty, isNewDescendant(newEnd, of: oldEnd) {
      return .narrowed(
        InferenceObstacle(
          "INF-103", "now leads to “\(newEnd.name)”, a new subentity of “\(oldEnd.name)”",
          reason: "its links to objects of "
            + "\(strangers.map { "“\($0.name)”" }.joined(separator: ", ")) are not migrated, because "
            + "these are not objects of “\(newEnd.name)”",
          remedy:
            "write a mapping model that makes them objects of “\(newEnd.name)”, if they are to "
            + "stay related"), keepsSome: strangers.count < taken.count)
    }
    guard strangers.isEmpty else {
      return .elsewhere(otherEnd(newEnd, of: oldEnd, strangers))
    }
    return taken.isEmpty ? .nowhere : .on
  }

  /// Why the links to some entities cannot be copied.
  private func otherEnd(
    _ newEnd: Entity, of oldEnd: Entity, _ strangers: [Entity]
  ) -> InferenceObstacle {
    let names = strangers.map { "“\($0.name)”" }.joined(separator: ", ")
    let became = destinationEntity(of: oldEnd)
    let reason =
      "objects of \(names) can be related to it in the source, but not in the destination"
    if became?.name == newEnd.name {
      return InferenceObstacle(
        "INF-008", "leads to “\(newEnd.name)”, which \(names) no longer belongs to",
        reason: reason,
        remedy: "leave \(names) below “\(newEnd.name)” in the model, or write a mapping model")
    }
    let former = became?.name ?? oldEnd.name
    return InferenceObstacle(
      "INF-008",
      former == newEnd.name
        ? "leads to another entity “\(newEnd.name)” than in the source"
        : "leads to “\(newEnd.name)” instead of “\(former)”",
      reason: reason,
      remedy: "give the relationship another name in the new model, or write a mapping model")
  }

  /// Whether a destination entity without counterpart in the source is a descendant of what a source
  /// entity became.
  private func isNewDescendant(_ new: Entity, of old: Entity) -> Bool {
    guard sourceEntity(of: new) == nil, let ancestor = destinationEntity(of: old) else {
      return false
    }
    return new.name != ancestor.name && destination.isKind(new, of: ancestor)
  }

  /// The new inverse, if it was another relationship's inverse or none. A relationship and its
  /// inverse are the same set of links, so two that were independent cannot become inverses of each
  /// other. An inverse that is new adds nothing but the other direction.
  private mutating func newInverse(
    of new: Relationship, from old: Relationship
  ) -> (entity: Entity, name: String)? {
    guard let newInverse = destination.inverse(of: new),
      let oldEnd = source.entity(named: old.destinationEntityName),
      let newEnd = destination.entity(named: new.destinationEntityName),
      let former = propertyMatching(oldEnd, newEnd).oldNames[newInverse.name],
      source.relationship(former, of: oldEnd) != nil, former != source.inverse(of: old)?.name
    else { return nil }
    return (newEnd, newInverse.name)
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
