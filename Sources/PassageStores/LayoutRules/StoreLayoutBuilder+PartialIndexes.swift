internal import PassageDiagnostics
internal import PassageModels
internal import PassageSQLite

extension StoreLayoutBuilder {
  /// The condition of a partial index. Adds a warning if it has no translation to SQL.
  mutating func condition(of index: Entity.Index, in entity: Entity) -> String? {
    guard let predicate = index.partialPredicate else { return nil }
    let layout = self
    let condition = PartialIndexCondition { name in
      guard let column = layout.column(of: name, in: entity) else { return nil }
      return (column, layout.model.attribute(name, of: entity)?.type)
    }.sql(predicate)
    if condition == nil {
      unsupported.append(
        Diagnostic(
          "STO-203", "the partial index \(entity.name).\(index.name) covers all objects",
          severity: .warning,
          reason: "the predicate “\(predicate)” has no certain translation to SQL"))
    }
    return condition
  }

  /// Adds an R-tree index, or a warning if it cannot be created.
  mutating func addSpatialIndex(_ index: Entity.Index, of entity: Entity, table: TableLayout) {
    let numeric: Set<AttributeType> = [
      .integer16, .integer32, .integer64, .double, .float, .decimal, .date,
    ]
    let columns = index.elements.compactMap { element -> String? in
      guard element.kind == .rtree,
        let attribute = model.attribute(element.propertyName, of: entity),
        numeric.contains(attribute.type)
      else { return nil }
      return column(of: element.propertyName, in: entity)
    }
    let reason: String? =
      if columns.count != index.elements.count {
        "not all of its elements are numeric attributes"
      } else if columns.isEmpty || columns.count > SpatialIndexLayout.maximumDimensions {
        "an R-tree has 1 to \(SpatialIndexLayout.maximumDimensions) dimensions"
      } else if entity.name != table.rootEntityName {
        "no store with an R-tree index on a subentity is known"
      } else if index.partialPredicate != nil {
        "an R-tree cannot have a condition"
      } else {
        nil
      }
    guard let reason else {
      spatialIndexes.append(
        SpatialIndexLayout(
          name: "Z_RT_\(entity.name)_\(index.name)", tableName: table.name, columns: columns))
      return
    }
    unsupported.append(
      Diagnostic(
        "STO-202", "the R-tree index \(entity.name).\(index.name) is not created",
        severity: .warning, reason: reason))
  }

  /// Whether an index is on a single foreign key. Core Data creates that index by itself, and no
  /// second one.
  func isForeignKeyIndex(_ index: Entity.Index, of entity: Entity) -> Bool {
    guard index.elements.count == 1, let element = index.elements.first, element.isAscending,
      element.kind == .binary, index.partialPredicate == nil
    else { return false }
    return model.relationship(element.propertyName, of: entity) != nil
  }

  /// Composite attributes have several columns, but no store that was seen shows by which rule.
  mutating func noteCompositeAttributes() {
    for entity in ordered {
      for attribute in sorted(entity.attributes)
      where attribute.type == .composite && attribute.isStored {
        unsupported.append(
          Diagnostic(
            "STO-205",
            "\(entity.name).\(attribute.name) is a composite attribute: no store of its model can be "
              + "written",
            reason: "how Core Data names the columns of its elements is not documented, and no "
              + "such store is known",
            remedy: "write its elements as attributes of the entity"))
      }
    }
  }

  /// SQLite creates no table with more columns than its limit
  /// (https://www.sqlite.org/limits.html#max_column).
  mutating func noteWideTables(_ tables: [TableLayout]) {
    for table in tables where table.columns.count > ConnectionLimits.maximumColumns {
      let limit = NumberText.count(Int64(ConnectionLimits.maximumColumns))
      let family =
        table.hasSubentities
        ? "“\(table.rootEntityName)” and its subentities" : "“\(table.rootEntityName)”"
      unsupported.append(
        Diagnostic(
          "STO-207",
          "the table \(table.name) of \(family) would have "
            + "\(NumberText.count(Int64(table.columns.count), "column")): no store of the model can be "
            + "written",
          reason: "a table of SQLite has at most \(limit) columns",
          remedy: "divide the entity, or move some of its properties to a related one"))
    }
  }
}

extension Attribute {
  /// Whether the attribute has exactly one column.
  var hasColumn: Bool { isStored && type != .composite }
}
