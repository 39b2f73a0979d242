import PassageModels
import PassageValues

/// Objects that are named by their URIs. Keys are unique in a table, and a table belongs to a root entity:
/// the object with a key may be of another entity than the named one, which only the store tells.
extension BindingPass {
  /// How many objects of a list are looked up one by one.
  private static let mostNamedObjects = 16
  /// A larger value is not written once more for each entity of a list.
  private static let mostRepeatedNodes = 8

  /// The key of an object of an entity or of a subentity; ``ObjectLookup/noKey`` if the store has none.
  mutating func key(_ key: Int64, of entity: Entity) -> BoundNode {
    guard scope.model.root(of: entity).name != entity.name else { return .constant(.integer(key)) }
    namesObjects = true
    return .lookup(
      ObjectLookup(entityName: entity.name, content: .named(key: key)), .constant(.integer(key)))
  }

  /// Leaves the key alone where all objects that are compared with it are of the named entity.
  ///
  /// - Parameter operands: the first is compared with each of the others.
  func simplifyNamedObjects(_ operands: inout [Operand]) {
    guard namesObjects else { return }
    for index in operands.indices {
      guard let (name, key) = operands[index].node.namedObject,
        let entity = scope.model.entity(named: name)
      else { continue }
      let others = index == 0 ? operands.dropFirst() : operands.prefix(1)
      let areOfEntity = others.allSatisfy { other in
        guard case .object(let name) = other.type else { return other.type == .null }
        return scope.model.entity(named: name).map { scope.model.isKind($0, of: entity) } ?? false
      }
      if areOfEntity { operands[index].node = key }
    }
  }

  /// Whether a value is one of many named objects: the value is looked up once for each of their entities,
  /// and not each of them for itself.
  ///
  /// - Returns: `nil` where there are few.
  func isNamed(_ value: Operand, _ elements: [Operand]) -> BoundCondition? {
    guard namesObjects, elements.count > Self.mostNamedObjects,
      value.node.size(limit: Self.mostRepeatedNodes) <= Self.mostRepeatedNodes
    else { return nil }
    var keys: [String: [BoundNode]] = [:]
    var others: [Operand] = []
    for element in elements {
      if let (name, key) = element.node.namedObject {
        keys[name, default: []].append(key)
      } else {
        others.append(element)
      }
    }
    guard elements.count - others.count > Self.mostNamedObjects else { return nil }
    let named = keys.sorted { $0.key < $1.key }.map { name, keys in
      BoundCondition.isIn(value.node.key(ofMemberOf: name), keys)
    }
    return .or(others.isEmpty ? named : [isIn(value, others)] + named)
  }

  /// The tables that a finished tree needs: those of named objects only where it still looks them up.
  func neededLookups(
    _ nodes: [BoundNode], _ conditions: [BoundCondition] = []
  ) -> [ObjectLookup] {
    guard namesObjects else { return lookups }
    var (nodes, conditions) = (nodes, conditions)
    var found = lookups
    var known = Set(lookups)
    while true {
      if let node = nodes.popLast() {
        if case .lookup(let lookup, _) = node, known.insert(lookup).inserted {
          found.append(lookup)
        }
        node.addParts(to: &nodes, &conditions)
      } else if let condition = conditions.popLast() {
        condition.addParts(to: &nodes, &conditions)
      } else {
        return found
      }
    }
  }
}

extension BoundNode {
  /// The entity and the key of a named object that is looked up.
  fileprivate var namedObject: (entityName: String, key: BoundNode)? {
    guard case .lookup(let lookup, let key) = self, case .named = lookup.content else { return nil }
    return (lookup.entityName, key)
  }

  /// An object's key if it is of an entity or of a subentity, ``ObjectLookup/noKey`` if it is of another,
  /// and nil if there is no object.
  fileprivate func key(ofMemberOf entityName: String) -> BoundNode {
    let nothing = BoundNode.constant(.null)
    let member = BoundNode.lookup(
      ObjectLookup(entityName: entityName, content: .members), self)
    return .conditional(
      .equal(member, nothing),
      .conditional(.equal(self, nothing), nothing, .constant(.integer(ObjectLookup.noKey))), self)
  }
}
