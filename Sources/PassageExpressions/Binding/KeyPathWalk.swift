import PassageModels

/// How far the names of a key path have led from an object.
struct KeyPathWalk {
  /// The object from which the to-one relationships in ``steps`` start: the object at the start, or
  /// the one to which the last to-many relationship leads.
  private var origin: Subject
  /// The to-one relationships from there.
  private var steps: [Relationship]
  /// The entity of the object that is reached.
  private(set) var entity: Entity
  /// The object from which the first to-many relationship starts, and all relationships from there
  /// to the last one; `nil` without any.
  private(set) var collected: (start: Subject, relationships: [Relationship])?

  init(from start: Subject) {
    origin = start
    steps = start.relationships
    entity = start.entity
  }

  /// The relationships so far: all from the first to-many one, or the to-one relationships of the
  /// whole path without any.
  var relationships: [Relationship] { (collected?.relationships ?? []) + steps }

  /// The object that is reached.
  var subject: Subject { origin.stepped(by: steps, to: entity) }

  mutating func follow(_ relationship: Relationship, to next: Entity) {
    if relationship.isToMany {
      if collected == nil {
        collected = (subject, [])
      } else {
        collected?.relationships += steps
      }
      collected?.relationships.append(relationship)
      origin = Subject(start: next, entity: next)
      steps = []
    } else {
      steps.append(relationship)
    }
    entity = next
  }
}
