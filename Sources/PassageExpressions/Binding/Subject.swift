import PassageModels
import PassageValues

/// An object whose properties an expression reads: the one under test, or the element at which a
/// collection is looked at, or one that to-one relationships lead to from there.
///
/// Shared rather than copied: values of it lie on the stack at every level of a tree.
final class Subject: Sendable {
  /// Where an element is, and the number of its ``RelatedObjects``; `nil` for the object under
  /// test.
  let element: (frame: Int, number: Int)?
  /// The entity the path starts from.
  let start: Entity
  /// The to-one relationships walked.
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
  /// - Parameter relationships: all of them, from the start.
  func stepped(by relationships: [Relationship], to entity: Entity) -> Subject {
    Subject(element: element, start: start, relationships: relationships, entity: entity)
  }

  /// The same path from another place.
  func moved(to element: (frame: Int, number: Int)?) -> Subject {
    Subject(element: element, start: start, relationships: relationships, entity: entity)
  }
}

/// A collection with what is known of it.
struct CollectionOperand {
  var collection: BoundCollection
  /// The type of each element.
  var type: ValueType
  var position: SourcePosition
  /// As it was written, for messages.
  var text: String
  /// Each element, where elements are objects whose properties can be read.
  var subject: Subject?
  /// Whether no element is met twice.
  var isDistinct = false
  /// Whether the elements have an order.
  var isOrdered = false
  /// Whether each element is a value of a Float attribute.
  var isSingle = false

  /// The element, as a value.
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

  /// The cell of an object, which is read from now on.
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

  /// The objects that relationships lead to from an object, as a collection of their keys.
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
