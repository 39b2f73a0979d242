/// A collection of values: ``value`` for each element of ``base`` that satisfies ``condition``.
struct BoundCollection: Sendable {
  /// The source of the elements.
  indirect enum Base: Sendable {
    /// Objects related to the one with the key `start`; the number is that of their
    /// ``RelatedObjects``.
    case related(start: BoundNode, Int)
    /// Single values, in this order.
    case list([BoundNode])
    /// The values of both, without duplicates.
    case union(BoundCollection, BoundCollection)
    /// The values without duplicates.
    case distinct(BoundCollection)
    /// The values that a function gives.
    case function(ListFunction, [BoundNode])
  }

  var base: Base
  /// The frame of the current element: unique in its tree.
  var frame: Int
  /// `nil` if every element is included.
  var condition: BoundCondition?
  var value: BoundNode

  /// The elements that also satisfy another condition.
  func filtered(_ condition: BoundCondition) -> BoundCollection {
    var result = self
    result.condition = self.condition.map { .and([$0, condition]) } ?? condition
    return result
  }

  var callsPolicy: Bool {
    let base =
      switch base {
      case .related(let start, _): start.callsPolicy
      case .list(let nodes), .function(_, let nodes): nodes.contains(where: \.callsPolicy)
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
  /// The element itself, if it is not an object.
  case value
}

/// The position of an element.
indirect enum ItemPosition: Sendable {
  case first
  case last
  /// A position from 0.
  case at(BoundNode)

  var callsPolicy: Bool {
    if case .at(let node) = self { node.callsPolicy } else { false }
  }
}
