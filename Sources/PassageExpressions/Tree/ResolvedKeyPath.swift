package import PassageModels

/// A key path with the properties it names: what one cell of a row means.
package struct ResolvedKeyPath: Sendable, Hashable {
  /// What the path ends in.
  package enum Leaf: Sendable, Hashable {
    /// A stored attribute.
    case attribute(Attribute)
    /// A to-one relationship: its cell is the key of the related object.
    case relationship(Relationship)
    /// The object itself: its primary key. Such a path has no components, is in no `keyPaths` list
    /// and needs no cell in memory; in SQL it is the key column.
    case object
  }

  /// The entity the path starts from.
  package let entityName: String
  /// The names of the path, the leaf's last.
  package let components: [String]
  /// The to-one relationships walked before the leaf, in order: one join each.
  package let relationships: [Relationship]
  /// What the path ends in.
  package let leaf: Leaf

  /// Makes a path of checked parts: one component for each relationship, and one for the leaf
  /// unless it is the object.
  package init(
    entityName: String, components: [String], relationships: [Relationship], leaf: Leaf
  ) {
    self.entityName = entityName
    self.components = components
    self.relationships = relationships
    self.leaf = leaf
  }

  /// The components joined by points, as the name of a cell is written.
  package var name: String { components.joined(separator: ".") }
}

extension ResolvedKeyPath: CustomStringConvertible {
  package var description: String { components.isEmpty ? "SELF" : name }
}
