extension MigrationContext {
  /// Gives an object the relationships of its mapping, when the step is assembled.
  public func createDefaultRelationships(for object: DestinationObject) throws {
    try inPass().links.markDefault(object.key)
  }

  /// Relates an object to others, in order, in place of what the mapping says. An empty list
  /// empties the relationship.
  ///
  /// All of them may be made later, or by another pass. The migration fails if one does not exist
  /// when the step is assembled (`VAL-006`).
  ///
  /// - Throws: ``PolicyMistake`` for an unknown relationship, an object of another entity, or more
  ///   than one object for a to-one relationship.
  public func setRelationship(
    _ name: String, of object: ObjectReference, to targets: [ObjectReference]
  ) throws {
    try inPass().links.set(name, of: object, to: targets)
  }
}
