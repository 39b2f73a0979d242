/// Any number of values: ``value`` for each element of ``base`` for which ``condition`` holds.
struct BoundCollection: Sendable {
  /// Where the elements come from.
  indirect enum Base: Sendable {
    /// Objects, from the one with the key `start`; the number of their ``RelatedObjects``.
    case related(start: BoundNode, Int)
    /// Values one by one, in this order.
    case list([BoundNode])
    /// What is in either, each value once.
    case union(BoundCollection, BoundCollection)
    /// Each value once.
    case distinct(BoundCollection)
  }

  var base: Base
  /// The place of the element while it is examined: unique in its tree.
  var frame: Int
  /// `nil` for every element.
  var condition: BoundCondition?
  var value: BoundNode

  /// The elements for which another condition holds as well.
  func filtered(_ condition: BoundCondition) -> BoundCollection {
    var result = self
    result.condition = self.condition.map { .and([$0, condition]) } ?? condition
    return result
  }

  var callsPolicy: Bool {
    let base =
      switch base {
      case .related(let start, _): start.callsPolicy
      case .list(let nodes): nodes.contains(where: \.callsPolicy)
      case .union(let left, let right): left.callsPolicy || right.callsPolicy
      case .distinct(let collection): collection.callsPolicy
      }
    return base || value.callsPolicy || (condition?.callsPolicy ?? false)
  }
}

/// A part of an element.
enum ElementPart: Sendable {
  /// The object's key.
  case key
  /// A cell of the object, by its position in ``RelatedObjects/keyPaths``.
  case cell(Int, ResolvedKeyPath)
  /// The element, which is not an object.
  case value
}

/// Which element is taken.
indirect enum ItemPosition: Sendable {
  case first
  case last
  /// Counted from 0.
  case at(BoundNode)

  var callsPolicy: Bool {
    if case .at(let node) = self { node.callsPolicy } else { false }
  }
}
