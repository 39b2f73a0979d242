package import PassageModels

/// A key path with its properties: the meaning of one cell of a row.
package struct ResolvedKeyPath: Sendable, Hashable {
  /// The end of the path.
  package enum Leaf: Sendable, Hashable {
    /// A stored attribute.
    case attribute(Attribute)
    /// A to-one relationship, whose cell is the key of the related object.
    case relationship(Relationship)
    /// The object itself: its primary key. Such a path has no components, is in no `keyPaths` list
    /// and needs no cell in memory; in SQL it is the key column.
    case object
  }

  /// The entity at which the path starts.
  package let entityName: String
  /// The names of the path, ending with that of the leaf.
  package let components: [String]
  /// The to-one relationships before the leaf, in order: one join each.
  package let relationships: [Relationship]
  /// The end of the path.
  package let leaf: Leaf

  /// Creates a path from checked parts: one component for each relationship, and one for the leaf
  /// unless that is the object.
  package init(
    entityName: String, components: [String], relationships: [Relationship], leaf: Leaf
  ) {
    self.entityName = entityName
    self.components = components
    self.relationships = relationships
    self.leaf = leaf
  }

  /// The components joined by points, as a cell is named.
  package var name: String { components.joined(separator: ".") }
}

extension ResolvedKeyPath: CustomStringConvertible {
  package var description: String { components.isEmpty ? "SELF" : name }
}
