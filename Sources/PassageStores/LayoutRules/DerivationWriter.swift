internal import PassageModels

/// Translates derivations to SQL.
struct DerivationWriter {
  let model: Model
  let layouts: [String: EntityLayout]

  /// The layout of the attribute: its column and its value, without triggers.
  func layout(
    of attribute: Attribute, in entity: Entity
  ) throws(DerivationMistake) -> DerivedAttributeLayout {
    let derivation = try model.derivation(of: attribute, in: entity)
    guard let place = layouts[entity.name],
      let column = place.columnName(ofAttribute: attribute.name)
    else { throw DerivationMistake("it is not stored") }
    let value =
      derivation.function == .now
      ? "?1"
      : try value(
        derivation, path: derivation.path, from: place,
        row: DerivedAttributeLayout.row)
    let root = layouts[place.rootName]
    return DerivedAttributeLayout(
      entityName: entity.name, attributeName: attribute.name, derivation: derivation,
      tableName: place.tableName, columnName: column,
      familyNumbers: root?.familyNumbers == place.familyNumbers ? nil : place.familyNumbers,
      value: value, triggers: [])
  }

  // MARK: Values

  /// The SQL of a derivation's value for the row with the alias `row`.
  ///
  /// A key path of several relationships is one subquery, because SQLite's parser has room for few that are
  /// nested. Their number is that of tables that SQLite joins, less some: see ``Derivation/maximumSteps``.
  func value(
    _ derivation: Derivation, path: [String], from entity: EntityLayout, row: String
  ) throws(DerivationMistake) -> String {
    var here = entity
    var reached = row
    var joins = ""
    var condition = ""
    for (position, name) in path.enumerated() {
      let step = try step(name, from: here)
      let next = "o\(position + 1)"
      let isThere = "\(next).Z_PK = \(reached).\(step.column.layoutIdentifier)"
      let table = "\(step.destination.tableName.layoutIdentifier) AS \(next)"
      if position == 0 {
        joins = " FROM \(table)"
        condition = " WHERE \(isThere)"
      } else {
        joins += " CROSS JOIN \(table) ON \(isThere)"
      }
      (here, reached) = (step.destination, next)
    }
    let value = try end(derivation, at: here, row: reached)
    return path.isEmpty ? value : "(SELECT \(value)\(joins)\(condition))"
  }

  /// The column of a to-one relationship and its destination.
  func step(
    _ name: String, from entity: EntityLayout
  ) throws(DerivationMistake) -> (column: String, destination: EntityLayout) {
    guard case .foreignKey(let column, _, _)? = entity.storage(ofRelationship: name),
      let destination = destination(of: name, from: entity)
    else { throw DerivationMistake("“\(entity.name).\(name)” is not stored") }
    return (column, destination)
  }

  func destination(of relationship: String, from entity: EntityLayout) -> EntityLayout? {
    model.entity(named: entity.name)
      .flatMap { model.relationship(relationship, of: $0) }
      .flatMap { layouts[$0.destinationEntityName] }
  }

  private func end(
    _ derivation: Derivation, at entity: EntityLayout, row: String
  ) throws(DerivationMistake) -> String {
    guard let collection = derivation.collection else {
      guard let name = derivation.attribute, let column = entity.columnName(ofAttribute: name)
      else { throw DerivationMistake("it does not lead to an attribute") }
      let cell = "\(row).\(column.layoutIdentifier)"
      switch derivation.function {
      case .uppercase: return "passage_uppercase(\(cell))"
      case .lowercase: return "passage_lowercase(\(cell))"
      case .canonical: return "passage_fold(\(cell))"
      default: return cell
      }
    }
    guard let storage = entity.storage(ofRelationship: collection),
      let destination = destination(of: collection, from: entity)
    else { throw DerivationMistake("“\(entity.name).\(collection)” is not stored") }
    let column = derivation.attribute.flatMap { destination.columnName(ofAttribute: $0) }
    switch storage {
    case .foreignKey: throw DerivationMistake("“\(collection)” is a to-one relationship")
    case .inverseForeignKey(let table, let key, _, _):
      let aggregate = try aggregate(derivation.function, of: column ?? key)
      return "(SELECT \(aggregate) FROM \(table.layoutIdentifier) AS c "
        + "WHERE c.\(key.layoutIdentifier) = \(row).Z_PK)"
    case .joinTable(let table, let this, let other, _):
      let condition = "j.\(this.layoutIdentifier) = \(row).Z_PK"
      guard let column else {
        return "(SELECT IFNULL(COUNT(j.\(this.layoutIdentifier)), 0) "
          + "FROM \(table.name.layoutIdentifier) AS j WHERE \(condition))"
      }
      let aggregate = try aggregate(derivation.function, of: column)
      return "(SELECT \(aggregate) FROM \(table.name.layoutIdentifier) AS j "
        + "JOIN \(destination.tableName.layoutIdentifier) AS c "
        + "ON c.Z_PK = j.\(other.layoutIdentifier) WHERE \(condition))"
    }
  }

  private func aggregate(
    _ function: Derivation.Function, of column: String
  ) throws(DerivationMistake) -> String {
    let cell = "c.\(column.layoutIdentifier)"
    return switch function {
    case .count: "IFNULL(COUNT(\(cell)), 0)"
    case .sum: "IFNULL(SUM(\(cell)), 0)"
    case .minimum: "MIN(\(cell))"
    case .maximum: "MAX(\(cell))"
    case .average: "AVG(\(cell))"
    case .value, .uppercase, .lowercase, .canonical, .now:
      throw DerivationMistake("it is not an aggregate")
    }
  }
}
