internal import PassageDiagnostics
internal import PassageModels

extension StoreLayoutBuilder {
  /// The indexes in the order in which Core Data creates them: those it creates by itself, table by
  /// table, then those of the model, entity by entity.
  mutating func makeIndexes(tables: [TableLayout]) -> [IndexLayout] {
    var indexes: [IndexLayout] = []
    for table in tables {
      indexes += automaticIndexes(of: table)
      let members = Set(family(ofRoot: table.rootEntityName).map(\.name))
      indexes += joinTables.filter { members.contains($0.owner.entityName) }.map(\.index)
    }
    for table in tables {
      for entity in family(ofRoot: table.rootEntityName) {
        indexes += namedIndexes(of: entity, table: table).sorted {
          isOrderedByCodeUnits($0.name, $1.name)
        }
        indexes += uniqueIndexes(of: entity, table: table)
      }
    }
    // In SQLite, tables and indexes share one set of names.
    var names = UniqueNames(
      taken: tables.map(\.name) + joinTables.map(\.name)
        + BookkeepingTable.allCases.map(\.rawValue))
    for position in spatialIndexes.indices {
      spatialIndexes[position].name = names.unique(spatialIndexes[position].name)
    }
    for position in indexes.indices {
      indexes[position].name = names.unique(indexes[position].name)
    }
    return indexes
  }

  /// The indexes on foreign keys and entity numbers.
  private func automaticIndexes(of table: TableLayout) -> [IndexLayout] {
    var indexes: [IndexLayout] = []
    for column in table.columns {
      guard case .foreignKey = column.role else { continue }
      indexes.append(
        IndexLayout(
          name: "\(table.name)_\(column.name)_INDEX", tableName: table.name,
          elements: [IndexLayout.Element(column: column.name)]))
    }
    if table.hasSubentities {
      indexes.append(
        IndexLayout(
          name: "\(table.name)_Z_ENT_INDEX", tableName: table.name,
          elements: [IndexLayout.Element(column: "Z_ENT")]))
    }
    return indexes
  }

  /// The model's fetch indexes, and one for each attribute with the old "Indexed" check box, named
  /// after the attribute.
  private mutating func namedIndexes(of entity: Entity, table: TableLayout) -> [IndexLayout] {
    let named = entity.indexes.compactMap { index -> IndexLayout? in
      if index.elements.contains(where: { $0.kind == .rtree }) {
        addSpatialIndex(index, of: entity, table: table)
        return nil
      }
      if isForeignKeyIndex(index, of: entity) { return nil }
      let elements = index.elements.compactMap { element in
        column(of: element, in: entity).map {
          IndexLayout.Element(column: $0, isAscending: element.isAscending)
        }
      }
      guard !elements.isEmpty, elements.count == index.elements.count else {
        let isExpression = index.elements.contains { $0.expression != nil }
        noteLostIndex(
          "the index \(entity.name).\(index.name)",
          isExpression ? "Core Data's SQL for its expression is not known" : nil)
        return nil
      }
      return IndexLayout(
        name: "Z_\(entity.name)_\(index.name)", tableName: table.name, elements: elements,
        condition: condition(of: index, in: entity))
    }
    let taken = Set(entity.indexes.map(\.name))
    let checked = entity.attributes.compactMap { attribute -> IndexLayout? in
      guard attribute.isIndexed, attribute.hasColumn, !taken.contains(attribute.name),
        let column = column(of: attribute.name, in: entity)
      else { return nil }
      return IndexLayout(
        name: "Z_\(entity.name)_\(attribute.name)", tableName: table.name,
        elements: [IndexLayout.Element(column: column, isAscending: true)])
    }
    return named + checked
  }

  private mutating func uniqueIndexes(of entity: Entity, table: TableLayout) -> [IndexLayout] {
    entity.uniquenessConstraints.compactMap { constraint in
      let elements = constraint.compactMap { property in
        column(of: property, in: entity).map {
          IndexLayout.Element(column: $0, isAscending: true)
        }
      }
      guard !elements.isEmpty, elements.count == constraint.count else {
        noteLostIndex(
          "the uniqueness constraint \(constraint.joined(separator: ", ")) of \(entity.name)")
        return nil
      }
      return IndexLayout(
        name: IndexLayout.uniqueName(of: entity.name, constraint), tableName: table.name,
        isUnique: true, elements: elements)
    }
  }

  private mutating func noteLostIndex(_ what: String, _ reason: String? = nil) {
    unsupported.append(
      Diagnostic(
        "STO-204", "\(what) is not created", severity: .warning,
        reason: reason ?? "it names a property without a column"))
  }

  /// The column of an index's element: of its property, or of an expression that names a column of
  /// Core Data's own.
  private func column(of element: Entity.Index.Element, in entity: Entity) -> String? {
    switch element.expression {
    case nil: column(of: element.propertyName, in: entity)
    case "SELF": "Z_PK"
    case "entity": "Z_ENT"
    default: nil
    }
  }

  /// The column of a stored attribute or to-one relationship, inherited ones included.
  func column(of property: String, in entity: Entity) -> String? {
    for ancestor in model.lineage(of: entity) {
      let id = PropertyID(entity: ancestor.name, name: property)
      if let column = columns[id] { return column }
      if let foreign = foreignKeys[id], relationship(id)?.isToMany == false { return foreign.key }
    }
    return nil
  }
}
