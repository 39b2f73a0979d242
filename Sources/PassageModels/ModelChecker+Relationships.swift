import PassageDiagnostics

extension ModelChecker {
  mutating func checkRelationships(of entity: Entity) {
    for relationship in entity.relationships {
      let part = ModelLocations.Part(entity: entity.name, property: relationship.name)
      checkCounts(of: relationship, of: entity, part)
      guard let destination = model.entity(named: relationship.destinationEntityName) else {
        report(
          "MOD-020",
          "the destination “\(relationship.destinationEntityName)” of "
            + "“\(entity.name).\(relationship.name)” does not exist",
          at: part.with("destination"),
          remedy: suggestion(for: relationship.destinationEntityName) { $0.entities.map(\.name) })
        continue
      }
      checkInverse(of: relationship, of: entity, at: destination, part)
    }
  }

  private mutating func checkCounts(
    of relationship: Relationship, of entity: Entity, _ part: ModelLocations.Part
  ) {
    let name = "“\(entity.name).\(relationship.name)”"
    if relationship.minimumCount < 0 || relationship.maximumCount < 0 {
      report("MOD-023", "a count of \(name) is negative", at: part)
    } else if relationship.maximumCount > 0 && relationship.minimumCount > relationship.maximumCount
    {
      report(
        "MOD-023",
        "\(name) needs at least \(relationship.minimumCount) objects and allows at most "
          + "\(relationship.maximumCount)", at: part.with("minimumCount"))
    }
  }

  private mutating func checkInverse(
    of relationship: Relationship, of entity: Entity, at destination: Entity,
    _ part: ModelLocations.Part
  ) {
    let name = "“\(entity.name).\(relationship.name)”"
    guard let inverseName = relationship.inverseName else {
      if !relationship.isTransient {
        report(
          "MOD-024", "\(name) has no inverse", severity: .warning, at: part,
          reason: "without one, Core Data cannot keep both sides of the link consistent")
      }
      return
    }
    let inversePart = part.with("inverse")
    guard let inverse = model.relationship(inverseName, ofEntityNamed: destination.name) else {
      report(
        "MOD-021",
        "“\(destination.name)” has no relationship “\(inverseName)”, the inverse of \(name)",
        at: inversePart,
        remedy: suggestion(for: inverseName) {
          $0.relationships(of: destination).map(\.name)
        })
      return
    }
    let inverseTitle = "“\(destination.name).\(inverse.name)”"
    if inverse.inverseName != relationship.name {
      // Core Data keeps such a link in the column of the to-one end. Of two to-many ends it is not
      // known which table they share, and of an ordered one, where the positions are.
      let isStored = !relationship.isToMany || !inverse.isToMany && !relationship.isOrdered
      report(
        "MOD-022", "\(inverseTitle) is the inverse of \(name), but not the other way round",
        severity: isStored ? .warning : .error, at: inversePart,
        reason: "the inverse of \(inverseTitle) is "
          + (inverse.inverseName.map { "“\($0)”" } ?? "missing"),
        remedy: isStored ? "make each the other's inverse in the next version of the model" : nil)
      return
    }
    // The destination of the inverse must be this entity, an ancestor or a descendant of it.
    guard let back = model.entity(named: inverse.destinationEntityName) else { return }
    if !model.isKind(entity, of: back) && !model.isKind(back, of: entity) {
      report(
        "MOD-022", "\(inverseTitle) is the inverse of \(name), but leads to “\(back.name)”",
        at: inversePart)
    }
  }
}
