extension StoreLayout {
  /// The layout with one more entity, whose objects are in a table of another database.
  ///
  /// - Parameters:
  ///   - name: a name that no entity of the layout has.
  ///   - schema: the schema of the table in the connections that read it.
  ///   - table: the table. It has the columns `Z_PK` and `Z_ENT` too.
  ///   - columns: the column of each attribute, by name.
  ///   - references: the column of each to-one relationship, by name.
  /// - Returns: the layout and the new entity, whose number is above all others.
  package func adding(
    entity name: String, schema: String, table: String, columns: [String: String],
    references: [String: String]
  ) -> (layout: StoreLayout, entity: EntityLayout) {
    let number = entities.count + 1
    let added = EntityLayout(
      name: name, number: number, parentNumber: 0, isAbstract: false, rootName: name,
      tableName: table, schemaName: schema, familyNumbers: number...number, columns: columns,
      storages: references.mapValues {
        .foreignKey(column: $0, entityColumn: nil, orderColumn: nil)
      })
    var layout = self
    layout.entities.append(added)
    layout.entityIndexes[name] = number - 1
    return (layout, added)
  }
}
