import PassageValues

/// The attributes whose values a filter, an expression or a list uses for more than a comparison
/// with nil.
///
/// Attributes of related objects count too. Whether a collection has elements, and how many, does
/// not depend on their values.
package struct UsedValues {
  /// An attribute that a table of objects is made of.
  package struct LookedUp: Hashable {
    /// The entity of the objects.
    package let entityName: String
    /// The attribute.
    package let attribute: String
  }

  /// The cells of the object itself and of related objects. One may be there several times.
  package private(set) var cells: [ResolvedKeyPath] = []
  /// The attributes by which objects are looked up, and those whose values are the result.
  package private(set) var lookedUp: [LookedUp] = []

  private var nodes: [BoundNode] = []
  private var conditions: [BoundCondition] = []

  /// - Complexity: O(n) for n parts of the expression.
  package init(of expression: BoundExpression) {
    nodes = [expression.node]
    visitAll()
  }

  /// - Complexity: O(n) for n parts of the predicate.
  package init(of predicate: BoundPredicate) {
    conditions = [predicate.condition]
    visitAll()
  }

  /// - Complexity: O(n) for n parts of the list.
  package init(of list: BoundList) {
    nodes = list.sortKeys
    add(list.collection, usesValue: true)
    visitAll()
  }

  private mutating func visitAll() {
    while !nodes.isEmpty || !conditions.isEmpty {
      if let node = nodes.popLast() {
        visit(node)
      } else if let condition = conditions.popLast() {
        visit(condition)
      }
    }
  }

  private mutating func visit(_ node: BoundNode) {
    switch node {
    case .cell(let path), .element(_, .cell(_, let path)): cells.append(path)
    case .lookup(let lookup, let key):
      add(lookup, usesResult: true)
      nodes.append(key)
    case .count(let collection, _): add(collection, usesValue: false)
    case .aggregate(_, let collection): add(collection, usesValue: true)
    case .item(let collection, let position): add(collection, at: position, usesValue: true)
    default: node.addParts(to: &nodes, &conditions)
    }
  }

  private mutating func visit(_ condition: BoundCondition) {
    switch condition {
    case .equal(let node, .constant(.null)), .equal(.constant(.null), let node): visitTested(node)
    case .exists(let collection): add(collection, usesValue: false)
    default: condition.addParts(to: &nodes, &conditions)
    }
  }

  /// Visits what is compared with nil.
  private mutating func visitTested(_ node: BoundNode) {
    switch node {
    case .cell, .element: break
    case .lookup(let lookup, let key):
      add(lookup, usesResult: false)
      nodes.append(key)
    case .item(let collection, let position): add(collection, at: position, usesValue: false)
    default: nodes.append(node)
    }
  }

  // MARK: Parts

  private mutating func add(_ collection: BoundCollection, usesValue: Bool) {
    switch collection.base {
    case .related(let start, _): nodes.append(start)
    case .list(let elements), .function(_, let elements): nodes += elements
    // Values without duplicates are compared with each other.
    case .union(let left, let right):
      add(left, usesValue: true)
      add(right, usesValue: true)
    case .distinct(let inner): add(inner, usesValue: true)
    }
    if usesValue { nodes.append(collection.value) }
    if let condition = collection.condition { conditions.append(condition) }
  }

  private mutating func add(
    _ collection: BoundCollection, at position: ItemPosition, usesValue: Bool
  ) {
    add(collection, usesValue: usesValue)
    if case .at(let node) = position { nodes.append(node) }
  }

  private mutating func add(_ lookup: ObjectLookup, usesResult: Bool) {
    func note(_ attribute: String) {
      lookedUp.append(LookedUp(entityName: lookup.entityName, attribute: attribute))
    }
    switch lookup.content {
    case .value(let key, let result):
      note(key)
      if usesResult { note(result) }
    case .object(let key): note(key)
    case .path(_, let attribute, _): note(attribute)
    case .depth, .place, .named, .members, .store: break
    }
  }
}
