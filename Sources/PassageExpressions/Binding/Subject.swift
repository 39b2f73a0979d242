import PassageModels
import PassageValues

/// An object whose properties an expression reads: the object under test, the current element of a
/// collection, or an object that to-one relationships lead to from one of them.
///
/// It is a class because values of it are on the stack at every level of a tree.
final class Subject: Sendable {
  /// The frame of the element and the number of its ``RelatedObjects``; `nil` for the object under
  /// test.
  let element: (frame: Int, number: Int)?
  /// The entity at which the path starts.
  let start: Entity
  /// The to-one relationships of the path.
  let relationships: [Relationship]
  /// The entity of the object.
  let entity: Entity

  init(
    element: (frame: Int, number: Int)? = nil, start: Entity, relationships: [Relationship] = [],
    entity: Entity
  ) {
    self.element = element
    self.start = start
    self.relationships = relationships
    self.entity = entity
  }

  /// The object that to-one relationships lead to.
  ///
  /// - Parameter relationships: all relationships of the path, from the start.
  func stepped(by relationships: [Relationship], to entity: Entity) -> Subject {
    Subject(element: element, start: start, relationships: relationships, entity: entity)
  }

  /// The same path from another element.
  func moved(to element: (frame: Int, number: Int)?) -> Subject {
    Subject(element: element, start: start, relationships: relationships, entity: entity)
  }
}

/// A bound collection, with its type and other properties.
struct CollectionOperand {
  var collection: BoundCollection
  /// The type of each element.
  var type: ValueType
  var position: SourcePosition
  /// The text of the expression, for messages.
  var text: String
  /// The current element, if the elements are objects whose properties can be read.
  var subject: Subject?
  /// Whether no element occurs twice.
  var isDistinct = false
  /// Whether the elements are ordered.
  var isOrdered = false
  /// Whether each element is a value of a Float attribute.
  var isSingle = false

  /// The current element as a value.
  var element: Operand {
    Operand(
      node: collection.value, type: type, position: position, text: text, subject: subject,
      isSingle: isSingle)
  }
}

extension BindingPass {
  /// The object as a value: its key.
  mutating func operand(
    _ subject: Subject, at position: SourcePosition, text: String
  ) -> Operand {
    let node: BoundNode
    if let last = subject.relationships.last {
      let owner = Subject(
        element: subject.element, start: subject.start,
        relationships: Array(subject.relationships.dropLast()), entity: subject.entity)
      node = cell(.relationship(last), of: owner)
    } else if let element = subject.element {
      node = .element(element.frame, .key)
    } else {
      node = .key
    }
    return Operand(
      node: node, type: .object(entityName: subject.entity.name), position: position, text: text,
      subject: subject)
  }

  /// The cell of an object. It is added to the cells that are read.
  mutating func cell(_ leaf: ResolvedKeyPath.Leaf, of subject: Subject) -> BoundNode {
    let name: [String] =
      switch leaf {
      case .attribute(let attribute): [attribute.name]
      case .relationship(let relationship): [relationship.name]
      case .object: []
      }
    let path = ResolvedKeyPath(
      entityName: subject.start.name, components: subject.relationships.map(\.name) + name,
      relationships: subject.relationships, leaf: leaf)
    guard let element = subject.element else {
      read(path)
      return .cell(path)
    }
    var paths = relatedObjects[element.number].keyPaths
    if let known = paths.firstIndex(of: path) { return .element(element.frame, .cell(known, path)) }
    paths.append(path)
    relatedObjects[element.number].keyPaths = paths
    return .element(element.frame, .cell(paths.count - 1, path))
  }

  /// The objects that relationships lead to, as a collection of their keys.
  mutating func related(
    to start: Subject, by relationships: [Relationship], _ entity: Entity,
    at position: SourcePosition, text: String
  ) -> CollectionOperand {
    let key = operand(start, at: position, text: text).node
    let number = relatedObjects.count
    relatedObjects.append(
      RelatedObjects(
        number: number, startEntityName: start.entity.name, relationships: relationships,
        entityName: entity.name, keyPaths: []))
    let frame = newFrame()
    return CollectionOperand(
      collection: BoundCollection(
        base: .related(start: key, number), frame: frame, value: .element(frame, .key)),
      type: .object(entityName: entity.name), position: position, text: text,
      subject: Subject(element: (frame, number), start: entity, entity: entity),
      isDistinct: relationships.count == 1, isOrdered: relatedObjects[number].isOrdered)
  }

  mutating func newFrame() -> Int {
    defer { frameCount += 1 }
    return frameCount
  }
}
