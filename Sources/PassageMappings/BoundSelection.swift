package import PassageExpressions
package import PassageModels
package import PassageValues

/// Which source objects, or added objects, a relationship refers to.
package final class BoundSelection: Sendable, Hashable {
  package enum Choice: Sendable {
    /// The objects of a list.
    case objects(BoundList)
    /// All objects of an add mapping, by their number.
    case added(count: Int)
    /// The objects of an add mapping whose attribute has the value.
    case addedBy(BoundExpression, values: [Value])
  }

  package let choice: Choice
  /// For each sort key of the list, whether it is ascending.
  package let isAscending: [Bool]
  /// The relationships from the source object, or from the element, to the objects of which it takes some;
  /// empty where these are not simply at the end of a path.
  package let path: [Relationship]
  /// Whether it takes all objects at the end of ``path``, and only sorts them.
  package let isWhole: Bool

  init(
    _ choice: Choice, isAscending: [Bool] = [], path: [Relationship] = [], isWhole: Bool = false
  ) {
    self.choice = choice
    self.isAscending = isAscending
    self.path = path
    self.isWhole = isWhole
  }

  /// Whether the objects are those of an add mapping.
  package var isOfAdded: Bool { if case .objects = choice { false } else { true } }

  package static func == (a: BoundSelection, b: BoundSelection) -> Bool { a === b }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
