internal import PassageModels

/// The triggers are named as Core Data names them, `Z_DA_<table watched>_<entity>_<attribute>_…`,
/// and notify Core Data of each change by calling functions that only Core Data has. The text of
/// the trigger for `now()` on an update is Core Data's own, as published. The others follow its
/// form: set the column, then notify.
extension DerivationWriter {
  /// The triggers that keep an attribute up to date when an app saves.
  ///
  /// - Throws: ``DerivationMistake`` for the forms whose triggers are not known.
  func triggers(of attribute: DerivedAttributeLayout) throws(DerivationMistake) -> [TriggerLayout] {
    let derivation = attribute.derivation
    guard let entity = layouts[attribute.entityName] else {
      throw DerivationMistake("its entity has no table")
    }
    switch derivation.function {
    case .now:
      let keeper = TriggerWriter(attribute: attribute, value: "NSCoreDataNow()")
      var first = keeper.own("INSERT", .insert, isInsert: true)
      // As in stores of framework 1044.
      first.condition = "NEW.Z_OPT NOT NULL"
      return [first, keeper.own("UPDATE", .update(["Z_OPT"]))]
    case .uppercase, .lowercase, .canonical:
      throw DerivationMistake(
        "the function with which Core Data computes \(derivation.function.rawValue): is not known")
    case .average: throw DerivationMistake("Core Data does not document averages")
    case .value: return try copyTriggers(attribute, entity)
    case .count, .sum, .minimum, .maximum:
      guard derivation.path.isEmpty, let collection = derivation.collection else {
        throw DerivationMistake("its key path has several steps")
      }
      return try aggregateTriggers(attribute, entity, collection)
    }
  }

  private func copyTriggers(
    _ attribute: DerivedAttributeLayout, _ entity: EntityLayout
  ) throws(DerivationMistake) -> [TriggerLayout] {
    let derivation = attribute.derivation
    let value = try value(
      derivation, path: derivation.path, from: entity,
      row: attribute.tableName.layoutIdentifier)
    let keeper = TriggerWriter(attribute: attribute, value: value)
    guard let name = derivation.attribute else { throw DerivationMistake("it has no attribute") }
    guard let first = derivation.path.first else {
      guard let column = entity.columnName(ofAttribute: name) else {
        throw DerivationMistake("“\(name)” is not stored")
      }
      return [
        keeper.own("INSERT", .insert, isInsert: true), keeper.own("UPDATE", .update([column])),
      ]
    }
    guard derivation.path.count == 1 else {
      throw DerivationMistake("its key path has several steps")
    }
    let step = try step(first, from: entity)
    guard let column = step.destination.columnName(ofAttribute: name) else {
      throw DerivationMistake("“\(name)” is not stored")
    }
    let related = "\(step.column.layoutIdentifier) = NEW.Z_PK"
    let table = step.destination.tableName
    return [
      keeper.own("SOURCE_INSERT", .insert, isInsert: true),
      keeper.own("SOURCE_UPDATE", .update([step.column])),
      keeper.other("PARAMETER_INSERT", .insert, table: table, rows: [related]),
      keeper.other("PARAMETER_UPDATE", .update([column]), table: table, rows: [related]),
    ]
  }

  private func aggregateTriggers(
    _ attribute: DerivedAttributeLayout, _ entity: EntityLayout, _ collection: String
  ) throws(DerivationMistake) -> [TriggerLayout] {
    let value = try value(
      attribute.derivation, path: [], from: entity, row: attribute.tableName.layoutIdentifier)
    let keeper = TriggerWriter(attribute: attribute, value: value)
    guard let storage = entity.storage(ofRelationship: collection),
      let destination = destination(of: collection, from: entity)
    else { throw DerivationMistake("“\(collection)” is not stored") }
    let column = attribute.derivation.attribute.flatMap { destination.columnName(ofAttribute: $0) }
    // For a new object, a count is written as in stores that Core Data wrote.
    let counted: (table: String, column: String)? =
      switch storage {
      case .inverseForeignKey(let table, let key, _, _): (table, key)
      case .joinTable(let table, let this, _, _): (table.name, this)
      case .foreignKey: nil
      }
    let first =
      if attribute.derivation.function == .count, let counted {
        TriggerWriter(
          attribute: attribute,
          value: "(SELECT IFNULL(COUNT(\(counted.column.layoutIdentifier)), 0) "
            + "FROM \(counted.table.layoutIdentifier) "
            + "WHERE \(counted.column.layoutIdentifier) = NEW.Z_PK)")
      } else {
        keeper
      }
    var triggers = [first.own("SOURCE_INSERT", .insert, isInsert: true)]
    switch storage {
    case .foreignKey: throw DerivationMistake("“\(collection)” is a to-one relationship")
    case .inverseForeignKey(let table, let key, _, _):
      let new = "Z_PK = NEW.\(key.layoutIdentifier)"
      let old = "Z_PK = OLD.\(key.layoutIdentifier)"
      let watched = [key] + [column].compactMap { $0 == key ? nil : $0 }
      triggers += [
        keeper.other("PARAMETER_INSERT", .insert, table: table, rows: [new]),
        keeper.other("PARAMETER_UPDATE", .update(watched), table: table, rows: [old, new]),
        keeper.other("PARAMETER_DELETE", .delete, table: table, rows: [old]),
      ]
    case .joinTable(let table, let this, let other, _):
      triggers += [
        keeper.other(
          "PARAMETER_INSERT", .insert, table: table.name,
          rows: ["Z_PK = NEW.\(this.layoutIdentifier)"]),
        keeper.other(
          "PARAMETER_DELETE", .delete, table: table.name,
          rows: ["Z_PK = OLD.\(this.layoutIdentifier)"]),
      ]
      if let column {
        let owners =
          "Z_PK IN (SELECT \(this.layoutIdentifier) FROM \(table.name.layoutIdentifier) "
          + "WHERE \(other.layoutIdentifier) = NEW.Z_PK)"
        triggers.append(
          keeper.other(
            "PARAMETER_UPDATE", .update([column]), table: destination.tableName, rows: [owners]))
      }
    }
    return triggers
  }
}

/// Creates the triggers of one attribute.
private struct TriggerWriter {
  let attribute: DerivedAttributeLayout
  /// The SQL of the attribute's value for the row that is updated.
  let value: String

  /// A trigger on the attribute's own table, for the row that changed.
  func own(
    _ suffix: String, _ event: TriggerLayout.Event, isInsert: Bool = false
  ) -> TriggerLayout {
    other(
      suffix, event, table: attribute.tableName, rows: ["Z_PK = NEW.Z_PK"], isInsert: isInsert)
  }

  /// A trigger on any table, for the rows that satisfy at least one of the conditions.
  func other(
    _ suffix: String, _ event: TriggerLayout.Event, table: String, rows: [String],
    isInsert: Bool = false
  ) -> TriggerLayout {
    let name = [
      "Z_DA", table, attribute.entityName, attribute.attributeName, suffix,
    ].joined(separator: "_")
    return TriggerLayout(
      name: name, tableName: table, event: event,
      statements: rows.flatMap { statements(rows: $0, isInsert: isInsert) })
  }

  private func statements(rows: String, isInsert: Bool) -> [String] {
    let table = attribute.tableName.layoutIdentifier
    let column = attribute.columnName.layoutIdentifier
    let family = attribute.familyNumbers.map {
      " AND \($0.lowerBound) <= Z_ENT AND Z_ENT <= \($0.upperBound)"
    }
    let condition = "WHERE \(rows)\(family ?? "")"
    let function =
      isInsert
      ? "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue"
      : "NSCoreDataDATriggerUpdatedAffectedObjectValue"
    return [
      "UPDATE \(table) SET \(column) = \(value) \(condition)",
      "SELECT \(function)(\(attribute.tableName.textLiteral), Z_ENT, Z_PK, "
        + "\(attribute.attributeName.textLiteral), \(column)) FROM \(table) \(condition)",
    ]
  }
}
