internal import PassageExpressions
internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Reads objects of the source for a policy, one at a time.
struct PolicySourceReader {
  let step: StepRun
  let passes: PassLookup

  func object(ofEntity name: String, key: Int64) throws -> SourceObject? {
    guard let entity = step.plan.source.entity(named: name),
      let layout = step.plan.sourceLayout.entity(named: name)
    else { throw PolicyMistake("the source model has no entity “\(name)”") }
    var columns: [(name: String, column: String)] = []
    for attribute in step.plan.source.attributes(of: entity) where attribute.isStored {
      if let column = layout.columnName(ofAttribute: attribute.name) {
        columns.append((attribute.name, column))
      }
    }
    for relationship in step.plan.source.relationships(of: entity) {
      if case .foreignKey(let column, _, _)? = layout.storage(ofRelationship: relationship.name) {
        columns.append((relationship.name, column))
      }
    }
    let list = (["Z_PK"] + columns.map(\.column)).map(\.quotedIdentifier).joined(separator: ", ")
    let numbers = layout.familyNumbers
    let row = try passes.source().rows(
      "SELECT \(list) FROM \(layout.tableName.quotedIdentifier) "
        + "WHERE Z_PK = ? AND Z_ENT BETWEEN ? AND ?",
      [
        .integer(key), .integer(Int64(numbers.lowerBound)), .integer(Int64(numbers.upperBound)),
      ]
    ).first
    return row.map {
      SourceObject(
        shape: ObjectShape(entityName: name, names: columns.map(\.name)), key: key,
        values: Array($0.dropFirst()))
    }
  }

  func keys(of source: SourceObject, relationship name: String) throws -> [Int64] {
    guard let entity = step.plan.source.entity(named: source.shape.entityName),
      let storage = step.plan.sourceLayout.entity(named: entity.name)?.storage(ofRelationship: name)
    else {
      throw PolicyMistake("“\(source.shape.entityName)” has no stored relationship “\(name)”")
    }
    let sql: String
    switch storage {
    case .foreignKey(let column, _, _):
      let table = step.plan.sourceLayout.entity(named: entity.name)?.tableName ?? ""
      sql =
        "SELECT \(column.quotedIdentifier) FROM \(table.quotedIdentifier) WHERE Z_PK = ? "
        + "AND \(column.quotedIdentifier) IS NOT NULL"
    case .inverseForeignKey(let table, let column, _, let order):
      sql =
        "SELECT Z_PK FROM \(table.quotedIdentifier) WHERE \(column.quotedIdentifier) = ? "
        + "ORDER BY \((order ?? "Z_PK").quotedIdentifier), Z_PK"
    case .joinTable(let table, let this, let other, let order):
      sql =
        "SELECT \(other.quotedIdentifier) FROM \(table.name.quotedIdentifier) "
        + "WHERE \(this.quotedIdentifier) = ? "
        + "ORDER BY \((order ?? other).quotedIdentifier), \(other.quotedIdentifier)"
    }
    return try passes.source().rows(sql, [.integer(source.key)]).compactMap { $0[0].integer }
  }
}
