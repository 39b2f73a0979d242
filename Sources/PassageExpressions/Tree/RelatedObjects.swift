package import PassageModels
package import PassageValues

/// The objects that a key path with a to-many relationship leads to from one object. SQL joins
/// them; an evaluation in memory reads them from a ``RelatedObjectReader``.
///
/// An object occurs once for every path that leads to it, unless duplicates are excluded.
package struct RelatedObjects: Sendable, Hashable {
  /// The number of the collection in its predicate or expression, from 0: its position in
  /// ``BoundPredicate/relatedObjects``.
  package let number: Int
  /// The entity of the object at which the path starts.
  package let startEntityName: String
  /// The relationships of the path, in order; at least one is to-many.
  package let relationships: [Relationship]
  /// The destination entity of the last relationship; objects of its descendants are included.
  package let entityName: String
  /// The cells that are read from each object, with paths from its entity, in the order of its
  /// values.
  package internal(set) var keyPaths: [ResolvedKeyPath]

  /// Whether the objects are ordered: the path is one ordered relationship.
  package var isOrdered: Bool { relationships.count == 1 && relationships[0].isOrdered }

  /// Creates a path from checked parts.
  package init(
    number: Int, startEntityName: String, relationships: [Relationship], entityName: String,
    keyPaths: [ResolvedKeyPath]
  ) {
    self.number = number
    self.startEntityName = startEntityName
    self.relationships = relationships
    self.entityName = entityName
    self.keyPaths = keyPaths
  }
}

/// Provides related objects to an evaluation in memory.
///
/// The evaluation asks for them in the order in which it reads objects, which in a sweep is that of
/// ascending keys, so a reader can advance with the sweep instead of searching again for every
/// object. One object at a time is passed, so memory does not grow with their number.
package protocol RelatedObjectReader: AnyObject {
  /// Passes the objects related to one object.
  ///
  /// - Parameters:
  ///   - collection: the position that the compilation received for the ``RelatedObjects``.
  ///   - key: the primary key of the object at which the path starts.
  ///   - once: whether duplicates make no difference: an object that several paths lead to may then
  ///     be passed once.
  ///   - body: receives each object, with the cells of ``RelatedObjects/keyPaths``. The objects
  ///     have the relationship's order if ``RelatedObjects/isOrdered``, otherwise any order that is
  ///     always the same. It returns `false` to stop. While it runs, other collections are read,
  ///     but never this one.
  /// - Throws: the errors of reading, and those of `body`.
  func forEachObject(
    of collection: Int, relatedTo key: Int64, once: Bool,
    _ body: (SourceObject) throws -> Bool) throws
}
