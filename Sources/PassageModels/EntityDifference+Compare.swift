import PassagePlatform
import PassageValues

extension EntityDifference {
  init(from old: Entity, to new: Entity) {
    var changes: [ModelChange] = []
    if old.name != new.name { changes.append(.entityRenamed(from: old.name, to: new.name)) }
    changes += Self.traits(old, new).map { .entityTrait($0) }
    changes += Self.changes(
      .attribute, old.attributes, new.attributes, name: \.name,
      renamingIdentifier: \.renamingIdentifier, hashes: { !$0.isTransient }, traits: Self.traits)
    changes += Self.changes(
      .relationship, old.relationships, new.relationships, name: \.name,
      renamingIdentifier: \.renamingIdentifier, hashes: { !$0.isTransient }, traits: Self.traits)
    changes += Self.changes(
      .fetchedProperty, old.fetchedProperties, new.fetchedProperties, name: \.name,
      renamingIdentifier: { _ in nil }, hashes: { _ in false }, traits: Self.traits)
    changes += Self.changes(
      .index, old.indexes, new.indexes, name: \.name, renamingIdentifier: { _ in nil },
      hashes: { _ in false }, traits: Self.traits)
    self.init(name: new.name, changes: changes)
  }

  private static func changes<Property>(
    _ kind: ModelChange.PropertyKind, _ old: [Property], _ new: [Property],
    name: (Property) -> String, renamingIdentifier: (Property) -> String?,
    hashes: (Property) -> Bool, traits: (Property, Property) -> [ModelTrait]
  ) -> [ModelChange] {
    let oldByName = Dictionary(old.map { (name($0), $0) }, uniquingKeysWith: { first, _ in first })
    let newByName = Dictionary(new.map { (name($0), $0) }, uniquingKeysWith: { first, _ in first })
    let pairs = NamePairs(
      old: old.map { (name($0), renamingIdentifier($0)) },
      new: new.map { (name($0), renamingIdentifier($0)) })
    var changes: [ModelChange] = []
    for name in pairs.onlyOld {
      let entersHash = oldByName[name].map(hashes) ?? false
      changes.append(.removed(kind, name, changesVersionHash: entersHash))
    }
    for name in pairs.onlyNew {
      let entersHash = newByName[name].map(hashes) ?? false
      changes.append(.added(kind, name, changesVersionHash: entersHash))
    }
    for pair in pairs.both {
      guard let before = oldByName[pair.old], let after = newByName[pair.new] else { continue }
      if pair.old != pair.new { changes.append(.renamed(kind, from: pair.old, to: pair.new)) }
      changes += traits(before, after).map { .trait(kind, pair.new, $0) }
    }
    return changes
  }

  private static func traits(_ old: Entity, _ new: Entity) -> [ModelTrait] {
    var traits = TraitList()
    traits.compare("parent", old.parentName, new.parentName, hash: true)
    traits.compare("abstract", old.isAbstract, new.isAbstract, hash: true)
    traits.compare(
      "versionHashModifier", old.versionHashModifier, new.versionHashModifier, hash: true)
    traits.compare(
      "uniquenessConstraints", old.uniquenessConstraints.map { $0.joined(separator: ", ") },
      new.uniquenessConstraints.map { $0.joined(separator: ", ") }, hash: true)
    traits.compare("className", old.className, new.className)
    traits.compare("renamingIdentifier", old.renamingIdentifier, new.renamingIdentifier)
    traits.compare("userInfo", old.userInfo, new.userInfo)
    return traits.all
  }

  private static func traits(_ old: Attribute, _ new: Attribute) -> [ModelTrait] {
    var traits = TraitList()
    traits.compare("type", old.type.name, new.type.name, hash: true)
    traits.compare("optional", old.isOptional, new.isOptional, hash: true)
    traits.compare("transient", old.isTransient, new.isTransient, hash: true)
    traits.compare("derivation", old.derivation, new.derivation, hash: true)
    traits.compare("derivationFilter", old.derivationFilter, new.derivationFilter, hash: true)
    traits.compare(
      "allowsExternalBinaryDataStorage", old.allowsExternalBinaryDataStorage,
      new.allowsExternalBinaryDataStorage, hash: true)
    traits.compare(
      "preservesValueOnDeletion", old.preservesValueOnDeletion, new.preservesValueOnDeletion,
      hash: true)
    traits.compare(
      "versionHashModifier", old.versionHashModifier, new.versionHashModifier, hash: true)
    traits.compare("elements", old.elements.map(\.name), new.elements.map(\.name), hash: true)
    if old.elements != new.elements && old.elements.map(\.name) == new.elements.map(\.name) {
      traits.note("elements", hash: true)
    }
    traits.compare(
      "default", DefaultValue.encode(old.defaultValue, as: old.type)?.rendered(),
      DefaultValue.encode(new.defaultValue, as: new.type)?.rendered())
    traits.compare("minimum", old.minimum, new.minimum)
    traits.compare("maximum", old.maximum, new.maximum)
    traits.compare("regularExpression", old.regularExpression, new.regularExpression)
    traits.compare("valueTransformerName", old.valueTransformerName, new.valueTransformerName)
    traits.compare("valueClassName", old.valueClassName, new.valueClassName)
    traits.compare("indexed", old.isIndexed, new.isIndexed)
    traits.compare("renamingIdentifier", old.renamingIdentifier, new.renamingIdentifier)
    traits.compare("userInfo", old.userInfo, new.userInfo)
    return traits.all
  }

  private static func traits(_ old: Relationship, _ new: Relationship) -> [ModelTrait] {
    var traits = TraitList()
    traits.compare(
      "destination", old.destinationEntityName, new.destinationEntityName, hash: true)
    traits.compare("inverse", old.inverseName, new.inverseName, hash: true)
    traits.compare("optional", old.isOptional, new.isOptional, hash: true)
    traits.compare("transient", old.isTransient, new.isTransient, hash: true)
    traits.compare("minimumCount", "\(old.minimumCount)", "\(new.minimumCount)", hash: true)
    traits.compare("maximumCount", "\(old.maximumCount)", "\(new.maximumCount)", hash: true)
    traits.compare("ordered", old.isOrdered, new.isOrdered, hash: true)
    traits.compare(
      "versionHashModifier", old.versionHashModifier, new.versionHashModifier, hash: true)
    traits.compare("deleteRule", old.deleteRule.name, new.deleteRule.name)
    traits.compare("renamingIdentifier", old.renamingIdentifier, new.renamingIdentifier)
    traits.compare("userInfo", old.userInfo, new.userInfo)
    return traits.all
  }

  private static func traits(_ old: Entity.FetchedProperty, _ new: Entity.FetchedProperty)
    -> [ModelTrait]
  {
    var traits = TraitList()
    traits.compare(
      "entity", old.fetchRequest?.entityName, new.fetchRequest?.entityName)
    traits.compare("predicate", old.fetchRequest?.predicate, new.fetchRequest?.predicate)
    traits.compare(
      "settings", old.fetchRequest?.settings ?? [:], new.fetchRequest?.settings ?? [:])
    traits.compare("userInfo", old.userInfo, new.userInfo)
    return traits.all
  }

  private static func traits(_ old: Entity.Index, _ new: Entity.Index) -> [ModelTrait] {
    var traits = TraitList()
    func words(_ index: Entity.Index) -> [String] {
      index.elements.map { element in
        "\(element.expression ?? element.propertyName) \(element.kind.rawValue)"
          + (element.isAscending ? "" : " descending")
      }
    }
    traits.compare("elements", words(old), words(new))
    traits.compare("partialPredicate", old.partialPredicate, new.partialPredicate)
    return traits.all
  }
}

/// The traits that differ, in the order in which they were compared.
private struct TraitList {
  private(set) var all: [ModelTrait] = []

  mutating func compare(_ name: String, _ old: String?, _ new: String?, hash: Bool = false) {
    // A version hash is of bytes, and so are the values of a store.
    guard old.map(ExactText.init) != new.map(ExactText.init) else { return }
    all.append(.init(name: name, from: old, to: new, changesVersionHash: hash))
  }

  mutating func compare(_ name: String, _ old: Bool, _ new: Bool, hash: Bool = false) {
    compare(name, "\(old)", "\(new)", hash: hash)
  }

  mutating func compare(_ name: String, _ old: [String], _ new: [String], hash: Bool = false) {
    compare(
      name, old.isEmpty ? nil : old.joined(separator: "; "),
      new.isEmpty ? nil : new.joined(separator: "; "), hash: hash)
  }

  mutating func compare(_ name: String, _ old: [String: String], _ new: [String: String]) {
    func text(_ pairs: [String: String]) -> [String] {
      pairs.map { "\($0)=\($1)" }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
    compare(name, text(old), text(new))
  }

  /// Records a trait whose values are too large to show.
  mutating func note(_ name: String, hash: Bool) {
    all.append(.init(name: name, from: nil, to: nil, changesVersionHash: hash))
  }
}
