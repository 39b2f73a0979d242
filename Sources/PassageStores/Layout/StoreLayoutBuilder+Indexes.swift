internal import PassageDiagnostics
internal import PassageModels

extension StoreLayoutBuilder {
  /// The indexes in the order in which Core Data makes them, table by table: old indexed attributes,
  /// foreign keys, entity numbers, the model's own indexes, uniqueness constraints, join tables.
  mutating func makeIndexes(tables: [TableLayout]) -> [IndexLayout] {
    var names = UniqueNames()
    var indexes: [IndexLayout] = []
    func add(_ index: IndexLayout, to indexes: inout [IndexLayout]) {
      var index = index
      index.name = names.unique(index.name)
      indexes.append(index)
    }
    for table in tables {
      let family = family(ofRoot: table.rootEntityName)
      for index in automaticIndexes(of: table) { add(index, to: &indexes) }
      for entity in family {
        for index in namedIndexes(of: entity, table: table) { add(index, to: &indexes) }
      }
      for entity in family {
        for index in uniqueIndexes(of: entity, table: table) { add(index, to: &indexes) }
      }
      let members = Set(family.map(\.name))
      for joinTable in joinTables where members.contains(joinTable.owner.entityName) {
        add(joinTable.index, to: &indexes)
      }
    }
    return indexes
  }

  /// Indexes that Core Data makes without being asked, and those of the old check box.
  private func automaticIndexes(of table: TableLayout) -> [IndexLayout] {
    var indexed: [IndexLayout] = []
    var foreign: [IndexLayout] = []
    for column in table.columns {
      let index = IndexLayout(
        name: "\(table.name)_\(column.name)_INDEX", tableName: table.name,
        elements: [IndexLayout.Element(column: column.name)])
      switch column.role {
      case .attribute(let entityName, let name):
        let attribute = model.entity(named: entityName)?.attributes.first { $0.name == name }
        if attribute?.isIndexed == true { indexed.append(index) }
      case .foreignKey: foreign.append(index)
      default: break
      }
    }
    let byName: (IndexLayout, IndexLayout) -> Bool = { isOrderedByCodeUnits($0.name, $1.name) }
    var indexes = indexed.sorted(by: byName) + foreign.sorted(by: byName)
    if table.hasSubentities {
      indexes.append(
        IndexLayout(
          name: "\(table.name)_Z_ENT_INDEX", tableName: table.name,
          elements: [IndexLayout.Element(column: "Z_ENT")]))
    }
    return indexes
  }

  private mutating func namedIndexes(of entity: Entity, table: TableLayout) -> [IndexLayout] {
    entity.indexes.compactMap { index in
      let name = "\(entity.name).\(index.name)"
      if index.elements.contains(where: { $0.kind == .rtree }) {
        unsupported.append(
          Diagnostic(
            "STO-202", "the R-tree index \(name) is not made", severity: .warning,
            reason: "only binary indexes are written"))
        return nil
      }
      if index.partialPredicate != nil {
        unsupported.append(
          Diagnostic(
            "STO-203", "the partial index \(name) is made over all objects", severity: .warning,
            reason: "the predicate of a partial index is not written"))
      }
      let elements = index.elements.compactMap { element in
        column(of: element.propertyName, in: entity).map {
          IndexLayout.Element(column: $0, isAscending: element.isAscending)
        }
      }
      guard !elements.isEmpty, elements.count == index.elements.count else {
        noteLostIndex("the index \(name)")
        return nil
      }
      return IndexLayout(
        name: "Z_\(entity.name)_\(index.name)", tableName: table.name, elements: elements)
    }
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
        name: "Z_\(entity.name)_UNIQUE_\(constraint.joined(separator: "_"))",
        tableName: table.name, isUnique: true, elements: elements)
    }
  }

  private mutating func noteLostIndex(_ what: String) {
    unsupported.append(
      Diagnostic(
        "STO-204", "\(what) is not made", severity: .warning,
        reason: "it names a property without a column"))
  }

  /// The column of a stored attribute or to-one relationship, inherited ones included.
  private func column(of property: String, in entity: Entity) -> String? {
    for ancestor in model.lineage(of: entity) {
      let id = PropertyID(entity: ancestor.name, name: property)
      if let column = columns[id] { return column }
      if let foreign = foreignKeys[id], relationship(id)?.isToMany == false { return foreign.key }
    }
    return nil
  }
}
