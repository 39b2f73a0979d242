package import PassageModels
package import PassageValues

/// The objects that a key path through a to-many relationship leads to, from one object: what SQL
/// joins, and what an evaluation in memory asks a ``RelatedObjectReader`` for.
///
/// An object is met once for every way that leads to it, unless it is asked for once.
package struct RelatedObjects: Sendable, Hashable {
  /// Counts the collections of one predicate or expression, from 0; its position in
  /// ``BoundPredicate/relatedObjects``.
  package let number: Int
  /// The entity of the object that the path starts from.
  package let startEntityName: String
  /// The relationships walked, in order; at least one of them is to-many.
  package let relationships: [Relationship]
  /// The entity that the last relationship leads to; objects of its descendants are met too.
  package let entityName: String
  /// The cells read from each object, starting from its entity: the order of its values.
  package internal(set) var keyPaths: [ResolvedKeyPath]

  /// Whether the objects come in an order of their own: one ordered relationship was walked.
  package var isOrdered: Bool { relationships.count == 1 && relationships[0].isOrdered }

  /// Makes a path of checked parts.
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

/// Gives an evaluation in memory the objects related to the one it looks at.
///
/// The evaluation asks for objects in the order in which it meets them, which in a sweep is that of
/// ascending keys, so a reader can go along with the sweep instead of searching again for every
/// object. No more than one object at a time is handed out, so memory does not grow with their
/// number.
package protocol RelatedObjectReader: AnyObject {
  /// Hands out the objects related to one object.
  ///
  /// - Parameters:
  ///   - collection: the position that the compilation was given for the ``RelatedObjects``.
  ///   - key: the primary key of the object the path starts from.
  ///   - once: whether it does not matter how many ways lead to an object: it may then be handed out
  ///     once.
  ///   - body: takes each object, with the cells of ``RelatedObjects/keyPaths``: in the
  ///     relationship's order where ``RelatedObjects/isOrdered``, otherwise in any order that is
  ///     always the same. It gives `false` to have no more of them. While it runs, other
  ///     collections are read, but never this one.
  /// - Throws: what reading throws, and what `body` throws.
  func forEachObject(
    of collection: Int, relatedTo key: Int64, once: Bool,
    _ body: (SourceObject) throws -> Bool) throws
}
