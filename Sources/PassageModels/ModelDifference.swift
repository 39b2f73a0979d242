/// The differences between two models, entity by entity and property by property.
///
/// Entities and properties are paired by name, and the remaining ones by renaming identifier, as
/// Core Data pairs them when it infers a mapping model.
package struct ModelDifference: Sendable, Hashable {
  /// The older model's name, for sentences.
  package let fromName: String
  /// The newer model's name, for sentences.
  package let toName: String
  /// Entities only the older model has, sorted by name in code-unit order.
  package let onlyInSource: [String]
  /// Entities only the newer model has, sorted by name in code-unit order.
  package let onlyInDestination: [String]
  /// Entities of both that differ, by the newer name.
  package let changed: [EntityDifference]

  /// - Complexity: O(p log p) for p properties of both models.
  package init(from: Model, to: Model) {
    self.fromName = from.name
    self.toName = to.name
    let pairs = NamePairs(
      old: from.entities.map { ($0.name, $0.renamingIdentifier) },
      new: to.entities.map { ($0.name, $0.renamingIdentifier) })
    self.onlyInSource = pairs.onlyOld
    self.onlyInDestination = pairs.onlyNew
    self.changed = pairs.both.compactMap { pair in
      guard let old = from.entity(named: pair.old), let new = to.entity(named: pair.new) else {
        return nil
      }
      let difference = EntityDifference(from: old, to: new)
      return difference.changes.isEmpty ? nil : difference
    }
  }

  /// The difference in some of the entities and some of the changes.
  ///
  /// - Parameters:
  ///   - isKept: whether to keep the differences of the entity with this (newer) name.
  ///   - isListed: whether to keep a change of such an entity.
  package func filtered(
    entities isKept: (String) -> Bool, changes isListed: (ModelChange) -> Bool
  ) -> ModelDifference {
    ModelDifference(
      fromName: fromName, toName: toName, onlyInSource: onlyInSource.filter(isKept),
      onlyInDestination: onlyInDestination.filter(isKept),
      changed: changed.compactMap { entity in
        let changes = isKept(entity.name) ? entity.changes.filter(isListed) : []
        return changes.isEmpty ? nil : EntityDifference(name: entity.name, changes: changes)
      })
  }

  /// Creates a difference.
  package init(
    fromName: String, toName: String, onlyInSource: [String], onlyInDestination: [String],
    changed: [EntityDifference]
  ) {
    self.fromName = fromName
    self.toName = toName
    self.onlyInSource = onlyInSource
    self.onlyInDestination = onlyInDestination
    self.changed = changed
  }

  /// Whether the models have the same shape, apart from their names.
  package var isEmpty: Bool { onlyInSource.isEmpty && onlyInDestination.isEmpty && changed.isEmpty }
}

/// The differences of one entity.
package struct EntityDifference: Sendable, Hashable {
  /// The entity's name in the newer model.
  package let name: String
  /// Changes of the entity first, then of attributes, relationships and the rest, each by name.
  package let changes: [ModelChange]

  /// Creates the differences of an entity.
  package init(name: String, changes: [ModelChange]) {
    self.name = name
    self.changes = changes
  }

  /// Whether the entity's own changes alter its version hash. A changed parent alters it too.
  package var changesVersionHash: Bool { changes.contains(where: \.changesVersionHash) }
}

/// One change of an entity or of one of its properties.
package enum ModelChange: Sendable, Hashable {
  /// The kind of property that a change concerns.
  package enum PropertyKind: String, Sendable, Hashable {
    case attribute
    case relationship
    case fetchedProperty = "fetched property"
    case index
  }

  case entityRenamed(from: String, to: String)
  /// A trait of the entity itself: `parent`, `abstract`, …
  case entityTrait(ModelTrait)
  case added(PropertyKind, String, changesVersionHash: Bool)
  case removed(PropertyKind, String, changesVersionHash: Bool)
  case renamed(PropertyKind, from: String, to: String)
  /// A trait of the property with this (newer) name.
  case trait(PropertyKind, String, ModelTrait)

  /// Whether the change alters the entity's version hash.
  package var changesVersionHash: Bool {
    switch self {
    case .entityRenamed: true
    case .entityTrait(let trait), .trait(_, _, let trait): trait.changesVersionHash
    case .added(_, _, let changes), .removed(_, _, let changes): changes
    case .renamed(let kind, _, _): kind == .attribute || kind == .relationship
    }
  }
}

/// A trait with a different value.
package struct ModelTrait: Sendable, Hashable {
  /// The trait's name in this project's JSON: `type`, `optional`, `maximumCount`.
  package let name: String
  /// The text of the older value; `nil` if there is none.
  package let from: String?
  /// The text of the newer value; `nil` if there is none.
  package let to: String?
  /// Whether the trait is part of Core Data's version hash.
  package let changesVersionHash: Bool

  /// Creates a trait.
  package init(name: String, from: String?, to: String?, changesVersionHash: Bool) {
    self.name = name
    self.from = from
    self.to = to
    self.changesVersionHash = changesVersionHash
  }
}
