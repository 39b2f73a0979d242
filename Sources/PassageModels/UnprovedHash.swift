/// An entity whose version hash depends on a rule that no store written by Core Data has confirmed.
/// Compare it with a store's recorded hash before relying on it.
package struct UnprovedHash: Sendable, Hashable {
  /// Why the hash may differ from Core Data's.
  package enum Reason: Sendable, Hashable {
    case compositeAttribute(String)
    case objectIDAttribute(String)
    /// The expression is neither a key path nor a single function call.
    case unknownDerivation(attribute: String, expression: String)
    /// The form of the expression is inferred by analogy from a confirmed one.
    case unconfirmedDerivation(attribute: String, expression: String)
    case derivationWithModifier(attribute: String)
    case derivationWithFilter(attribute: String)
    /// External storage and preservation after deletion for the same attribute.
    case twoStorageFlags(attribute: String)
    case severalUniquenessConstraints(Int)
    case nameOutsideASCII(String)
    /// The parent's hash is part of this one.
    case parent(String)
  }

  /// The entity that has the hash.
  package var entityName: String
  /// Why the hash may differ from Core Data's.
  package var reason: Reason

  /// Creates a finding for an entity and a reason.
  package init(entityName: String, reason: Reason) {
    self.entityName = entityName
    self.reason = reason
  }
}

extension UnprovedHash: CustomStringConvertible {
  /// One sentence without a full stop.
  package var description: String { "the version hash of “\(entityName)” is unproved: \(reason)" }
}

extension UnprovedHash.Reason: CustomStringConvertible {
  /// The reason as a clause: the part of the entity that no store has confirmed.
  package var description: String {
    switch self {
    case .compositeAttribute(let name): "“\(name)” is a composite attribute"
    case .objectIDAttribute(let name): "“\(name)” is an object ID attribute"
    case .unknownDerivation(let name, let expression):
      "the derivation of “\(name)” is not understood: \(expression.prefix(200))"
    case .unconfirmedDerivation(let name, let expression):
      "no known store has a derivation like that of “\(name)”: \(expression.prefix(200))"
    case .derivationWithModifier(let name):
      "“\(name)” is derived and has a version hash modifier"
    case .derivationWithFilter(let name): "“\(name)” is derived from a part of the objects"
    case .twoStorageFlags(let name):
      "“\(name)” allows external storage and is preserved after deletion"
    case .severalUniquenessConstraints(let count): "it has \(count) uniqueness constraints"
    case .nameOutsideASCII(let name): "the name “\(name)” is not ASCII"
    case .parent(let name): "the version hash of its parent “\(name)” is unproved"
    }
  }
}

extension Model {
  /// The entities whose version hash must be compared with a store's before it is relied on, each
  /// with every reason, by entity name.
  package var unprovedHashes: [UnprovedHash] {
    var own: [String: [UnprovedHash.Reason]] = [:]
    for entity in entities { own[entity.name] = entity.unprovedReasons }
    return entities.flatMap { entity in
      lineage(of: entity).flatMap { ancestor in
        let reasons = own[ancestor.name] ?? []
        if ancestor.name == entity.name { return reasons }
        return reasons.isEmpty ? [] : [UnprovedHash.Reason.parent(ancestor.name)]
      }.map { UnprovedHash(entityName: entity.name, reason: $0) }
    }
  }
}

extension Entity {
  /// The unconfirmed parts of the entity itself.
  var unprovedReasons: [UnprovedHash.Reason] {
    var reasons: [UnprovedHash.Reason] = []
    if uniquenessConstraints.count > 1 {
      reasons.append(.severalUniquenessConstraints(uniquenessConstraints.count))
    }
    let properties =
      attributes.filter { !$0.isTransient }.map(\.name)
      + relationships.filter { !$0.isTransient }.map(\.name)
    for name in [name] + properties where !name.isASCII { reasons.append(.nameOutsideASCII(name)) }
    for attribute in attributes where !attribute.isTransient {
      reasons += attribute.unprovedReasons
    }
    return reasons
  }
}

extension Attribute {
  fileprivate var unprovedReasons: [UnprovedHash.Reason] {
    var reasons: [UnprovedHash.Reason] = []
    if type == .composite { reasons.append(.compositeAttribute(name)) }
    if type == .objectID { reasons.append(.objectIDAttribute(name)) }
    if allowsExternalBinaryDataStorage && preservesValueOnDeletion {
      reasons.append(.twoStorageFlags(attribute: name))
    }
    if let derivation {
      switch DerivationText(derivation) {
      case nil: reasons.append(.unknownDerivation(attribute: name, expression: derivation))
      case let text? where !text.isProved:
        reasons.append(.unconfirmedDerivation(attribute: name, expression: derivation))
      default: break
      }
      if derivationFilter != nil { reasons.append(.derivationWithFilter(attribute: name)) }
      if versionHashModifier != nil { reasons.append(.derivationWithModifier(attribute: name)) }
    }
    return reasons
  }
}
