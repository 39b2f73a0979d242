internal import PassageModels

/// The differences between a known model and a store's tables, if the store's own model is derived
/// from them.
///
/// A derived model has every column of a family at its root entity, with lower-case names, and
/// contains neither what is optional nor the exact types. So columns are compared by name, and
/// types by their storage in SQL.
enum TableDifference {
  /// The difference from the known model to the derived one, in the families of entities whose hash
  /// differs.
  static func find(
    from model: Model, to guess: Model, _ compatibility: Compatibility
  ) -> ModelDifference {
    let concerned = Set(
      (compatibility.changed + compatibility.onlyInModel).compactMap { name in
        model.entity(named: name).map { model.root(of: $0).name }
      })
    let changed = concerned.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      .compactMap { name -> EntityDifference? in
        guard let entity = model.entity(named: name), let twin = guess.entity(named: name) else {
          return nil
        }
        let changes = changes(columns(of: entity, in: model), columns(of: twin, in: guess))
        return changes.isEmpty ? nil : EntityDifference(name: name, changes: changes)
      }
    return ModelDifference(
      fromName: model.name, toName: guess.name, onlyInSource: compatibility.onlyInModel,
      onlyInDestination: compatibility.onlyInStore, changed: changed)
  }

  private struct Column {
    var name: String
    var kind: ModelChange.PropertyKind
    /// The storage type; `nil` for a relationship, which a derived model may have as an integer.
    var type: AttributeType?
  }

  /// The columns of a family of entities, by upper-case name.
  private static func columns(of root: Entity, in model: Model) -> [String: Column] {
    var columns: [String: Column] = [:]
    for entity in model.family(of: root) {
      for attribute in entity.attributes where attribute.isStored {
        columns[attribute.name.uppercased()] = Column(
          name: attribute.name, kind: .attribute, type: storageType(attribute.type))
      }
      for relationship in entity.relationships
      where !relationship.isTransient && !relationship.isToMany {
        columns[relationship.name.uppercased()] = Column(
          name: relationship.name, kind: .relationship)
      }
    }
    return columns
  }

  private static func changes(
    _ old: [String: Column], _ new: [String: Column]
  ) -> [ModelChange] {
    let keys = Set(old.keys).union(new.keys).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return keys.compactMap { key in
      switch (old[key], new[key]) {
      case (let old?, nil): return .removed(old.kind, old.name, changesVersionHash: true)
      case (nil, let new?): return .added(new.kind, new.name, changesVersionHash: true)
      case (let old?, let new?):
        guard let from = old.type, let to = new.type, from != to else { return nil }
        return .trait(
          old.kind, old.name,
          ModelTrait(name: "type", from: from.name, to: to.name, changesVersionHash: true))
      case (nil, nil): return nil
      }
    }
  }

  /// The type that a derived model has for all types with the same storage in SQL.
  private static func storageType(_ type: AttributeType) -> AttributeType {
    switch type {
    case .integer16, .integer32, .integer64, .boolean: .integer64
    case .float, .double: .double
    case .string, .uri: .string
    case .uuid, .transformable, .binary, .composite: .binary
    case .undefined, .objectID, .date, .decimal: type
    }
  }
}
