package import PassageExpressions
package import PassageModels
internal import PassageValues

/// The elements of `forEach`, as objects of an entity of their own: it is added to the source model,
/// so that expressions over elements are bound and evaluated like those over source objects.
package struct BoundElements: Sendable {
  /// The relationship that leads to the source object.
  package static let source = "$source"
  /// The attribute that holds the element, or the relationship that leads to it if it is an object.
  package static let element = "$element"
  /// The attribute that holds the element's place in its list, from 0.
  package static let index = "$index"
  /// What the variables of expressions stand for.
  static let paths = ["source": [source], "element": [element], "index": [index]]

  /// The list, over a source object.
  package var list: BoundList
  /// The source model with ``entity``.
  package var model: Model
  package var entity: Entity

  /// - Parameters:
  ///   - name: the entity mapping's name.
  ///   - source: the entity of the source objects.
  /// - Returns: `nil` when elements of the list's type cannot be kept.
  init?(_ list: BoundList, of source: Entity, mapping name: String, in model: Model) {
    var attributes = [Attribute(name: Self.index, type: .integer64)]
    var relationships = [Relationship(name: Self.source, destinationEntityName: source.name)]
    if let entityName = list.entityName {
      relationships.append(Relationship(name: Self.element, destinationEntityName: entityName))
    } else if let type = AttributeType(ofElements: list.type) {
      attributes.append(Attribute(name: Self.element, type: type))
    } else {
      return nil
    }
    self.list = list
    // No entity of a model has such a name.
    entity = Entity(
      name: "elements of “\(name)”", attributes: attributes, relationships: relationships)
    self.model = Model(name: model.name, entities: model.entities + [entity])
  }
}

extension AttributeType {
  fileprivate init?(ofElements type: ValueType) {
    switch type {
    case .string: self = .string
    case .integer: self = .integer64
    case .real: self = .double
    case .boolean: self = .boolean
    case .date: self = .date
    case .uuid: self = .uuid
    case .uri: self = .uri
    case .binary: self = .binary
    case .null, .any, .opaque, .object: return nil
    }
  }
}
