internal import PassageExpressions
internal import PassageModels
internal import PassageQueries
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Reads objects of the source for a policy, one at a time.
struct PolicySourceReader {
  let step: StepBasis
  let passes: PassLookup

  func object(ofEntity name: String, key: Int64) throws -> SourceObject? {
    guard let entity = step.plan.source.entity(named: name),
      let layout = step.plan.sourceLayout.entity(named: name)
    else { throw PolicyMistake("the source model has no entity “\(name)”") }
    var columns: [(name: String, sql: String)] = []
    for attribute in step.plan.source.attributes(of: entity) where attribute.isStored {
      if let column = layout.columnName(ofAttribute: attribute.name) {
        columns.append((attribute.name, column.quotedIdentifier))
      }
    }
    for relationship in step.plan.source.relationships(of: entity) {
      if case .foreignKey(let column, _, _)? = layout.storage(ofRelationship: relationship.name) {
        columns.append((relationship.name, LinkNumber.value(of: column.quotedIdentifier)))
      }
    }
    let list = (["Z_PK"] + columns.map(\.sql)).joined(separator: ", ")
    let row = try passes.source().rows(
      "SELECT \(list) FROM \(layout.tableName.quotedIdentifier) "
        + "WHERE Z_PK = ? AND \(layout.isKind(nil))", [.integer(key)]
    ).first
    return row.map {
      SourceObject(
        shape: ObjectShape(entityName: name, names: columns.map(\.name)), key: key,
        values: Array($0.dropFirst()))
    }
  }

  func keys(of source: SourceObject, relationship name: String) throws -> [Int64] {
    guard let entity = step.plan.sourceLayout.entity(named: source.shape.entityName),
      let stored = LinkRows(ofRelationship: name, of: entity)
    else {
      throw PolicyMistake("“\(source.shape.entityName)” has no stored relationship “\(name)”")
    }
    let related = stored.related.quotedIdentifier
    let order = [stored.place, stored.related].compactMap(\.self)
      .map { LinkNumber.value(of: $0.quotedIdentifier) }.joined(separator: ", ")
    return try passes.source().rows(
      "SELECT \(LinkNumber.value(of: related)) FROM \(stored.table.quotedIdentifier) "
        + "WHERE \(stored.owner.quotedIdentifier) = \(LinkNumber.parameter) "
        + "AND \(related) IS NOT NULL ORDER BY \(order)",
      [.integer(source.key)]
    ).compactMap { $0[0].integer }
  }
}
