package import PassageModels

/// An attribute whose large values may be stored in files, and the place of its column.
package struct ExternalAttribute: Sendable, Hashable {
  /// The entity that declares it.
  package var entityName: String
  package var name: String
  package var table: String
  package var column: String
  /// The layout of the entity.
  package var entity: EntityLayout

  /// Whether a model has an attribute that allows external storage.
  package static func isIn(_ model: Model) -> Bool {
    model.entities.contains { entity in
      entity.attributes.contains { $0.allowsExternalBinaryDataStorage && $0.isStored }
    }
  }

  /// Every stored attribute of a model that allows external storage, in the order of the entities'
  /// numbers.
  ///
  /// - Parameters:
  ///   - model: the store's model.
  ///   - layout: of the store, fitted to it.
  package static func all(of model: Model, in layout: StoreLayout) -> [ExternalAttribute] {
    layout.entities.flatMap { entity in
      (model.entity(named: entity.name)?.attributes ?? []).compactMap { attribute in
        guard attribute.allowsExternalBinaryDataStorage, attribute.isStored,
          let column = entity.columnName(ofAttribute: attribute.name)
        else { return nil }
        return ExternalAttribute(
          entityName: entity.name, name: attribute.name, table: entity.tableName, column: column,
          entity: entity)
      }
    }
  }
}
