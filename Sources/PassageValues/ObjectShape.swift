/// The names of an object's cells, resolved once per entity mapping, so that rows have only
/// positions.
public final class ObjectShape: Sendable {
  /// The entity the object belongs to.
  public let entityName: String

  /// The name of each cell, in the order of ``SourceObject/values``. A name is an attribute, a
  /// to-one relationship (its cell is the key of the related object), or a dotted key path that an
  /// expression reads.
  public let names: [String]

  @usableFromInline let positions: NamePositions

  /// - Complexity: O(`names.count`).
  public init(entityName: String, names: [String]) {
    self.entityName = entityName
    self.names = names
    positions = NamePositions(names)
  }

  /// The position of a cell by name; `nil` if the shape has no such cell.
  ///
  /// - Complexity: O(1).
  @inlinable
  public func position(of name: String) -> Int? { positions.position(of: name) }
}
