package import PassageModels
internal import PassageValues

/// The stored attributes of a destination entity, resolved once; rows refer to them by position.
package final class DestinationShape: Sendable {
  package let entity: Entity
  /// The stored attributes, including inherited ones, sorted by name. Derived attributes are left
  /// out, because Core Data computes them.
  package let attributes: [Attribute]
  /// The types of the attributes.
  let types: [AttributeType]
  let defaults: [Value]
  private let positions: NamePositions

  init(entity: Entity, model: Model) {
    self.entity = entity
    self.attributes = model.attributes(of: entity).filter { $0.isStored && $0.derivation == nil }
    types = attributes.map(\.type)
    self.defaults = attributes.map(\.storedDefault)
    positions = NamePositions(attributes.map(\.name))
  }

  /// Whether the objects of another shape have the cells that those of this one have. Threads of one
  /// step may have shapes of their own, those of other steps may have other attributes.
  func isLike(_ other: DestinationShape) -> Bool {
    self === other || entity.name == other.entity.name && attributes == other.attributes
  }

  /// The position of an attribute in ``DestinationObject/values``.
  ///
  /// - Complexity: O(1).
  package func position(of name: String) -> Int? { positions.position(of: name) }
}
