internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
package import PassagePlanning
internal import PassageQueries
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// The values of a step's source of which a count of its rows tells that they are not kept: those of
/// properties that nothing in the step uses, and numbers that are copied to a type that cannot hold them.
package struct UnreadValues: Sendable {
  /// The properties of one source entity.
  private struct Part: Sendable {
    /// The first entity mapping that migrates the entity, or the one that copies numbers, by its position
    /// in the step.
    var mappingPlan: Int
    var mapping: BoundEntityMapping
    var entity: Entity
    /// The filters of the mappings that migrate the entity; empty when all objects are taken.
    var filters: [BoundPredicate]
    var attributes: [Attribute] = []
    var relationships: [Relationship] = []
    /// The numbers that the mapping copies to a narrower type.
    var narrowed: [NarrowedNumber] = []
  }

  /// One loss, and the entity mapping whose account reports it.
  struct Item {
    var mappingPlan: Int
    var loss: ValueLoss
  }

  private let step: PlannedStep
  private let number: Int
  private let policies: PolicyRegistry
  private var parts: [Part] = []

  /// - Parameter number: the step's number, from 1.
  package init(of step: PlannedStep, number: Int, policies: PolicyRegistry) {
    self.step = step
    self.number = number
    self.policies = policies
    let mappingPlans = step.passes.flatMap { pass in
      pass.entityMappings.map { (mapping: $0, isInferred: pass.model.isInferred) }
    }
    let use = PropertyUse(of: step, policies: policies)
    for entity in step.source.entities {
      let readers = mappingPlans.enumerated().filter { $1.mapping.source?.name == entity.name }
      let takers = readers.filter { $1.mapping.destination != nil }
      // An author's remove mapping states that its objects are dropped; an inferred one does not.
      guard
        let first = takers.first
          ?? readers.first(where: { $1.isInferred && $1.mapping.mapping.kind == .remove }),
        !takers.contains(where: { policies.isUseUnknown(of: $1.mapping) })
      else { continue }
      let filters = takers.map(\.element.mapping.filter)
      var part = Part(
        mappingPlan: first.offset, mapping: first.element.mapping, entity: entity,
        filters: filters.contains { $0 == nil } ? [] : filters.compactMap(\.self))
      part.attributes = step.source.attributes(of: entity).filter {
        $0.isStored && $0.derivation == nil && !use.contains($0.name, of: entity)
      }
      part.relationships = step.source.relationships(of: entity).filter {
        !$0.isTransient && !use.contains($0.name, of: entity)
      }
      if !part.attributes.isEmpty || !part.relationships.isEmpty { parts.append(part) }
    }
    for (position, plan) in mappingPlans.enumerated() {
      let narrowed = NarrowedNumber.all(of: plan.mapping)
      guard let entity = plan.mapping.source, !narrowed.isEmpty else { continue }
      parts.append(
        Part(
          mappingPlan: position, mapping: plan.mapping, entity: entity,
          filters: plan.mapping.filter.map { [$0] } ?? [], narrowed: narrowed))
    }
    parts.sort { $0.mappingPlan < $1.mappingPlan }
  }

  var isEmpty: Bool { parts.isEmpty }

  /// All of the properties, without counts.
  package var uncounted: [ValueLoss] {
    parts.flatMap { part in
      (part.attributes.map(\.name) + part.relationships.map(\.name)).map {
        item(part, $0, nil).loss
      }
    }
  }

  private func item(
    _ part: Part, _ property: String, _ count: Int64?, _ reason: ValueLoss.Reason = .unread
  ) -> Item {
    let entity = reason == .narrowed ? part.mapping.destination ?? part.entity : part.entity
    return Item(
      mappingPlan: part.mappingPlan,
      loss: ValueLoss(
        reason: reason, step: number, mapping: part.mapping.name, entity: entity.name,
        property: property, count: count))
  }

  // MARK: Counting

  /// Counts the values of the objects that are migrated, on a connection of the step's source.
  ///
  /// If a filter does not translate to SQL, or can fail, or if SQLite compares the store's values otherwise
  /// than the engine, the values of all the entity's objects are counted.
  ///
  /// - Returns: the properties that have values.
  /// - Complexity: one scan of each table that has an unread property.
  func counted(
    _ connection: Connection, layout: StoreLayout, lanes: LaneChoice, now: Double
  ) throws -> [Item] {
    var items: [Item] = []
    if parts.contains(where: { !$0.filters.isEmpty }) {
      try connection.registerExpressionFunctions(policies.functions)
    }
    for part in parts {
      guard let entityLayout = layout.entity(named: part.entity.name) else { continue }
      var query = SourceQuery(
        model: step.source, layout: layout, entity: part.entity, entityLayout: entityLayout,
        schema: "")
      query.links = try LinkTables(
        for: part.filters.flatMap(\.relatedObjects), layout: layout, schema: "",
        connection: connection)
      let filter = filter(part, &query, lanes, now)
      let condition = query.entityCondition + (filter.map { " AND (\($0.sql))" } ?? "")
      let from = query.fromClause
      var columns: [(name: String, sql: String, reason: ValueLoss.Reason)] =
        part.attributes.compactMap { attribute in
          entityLayout.columnName(ofAttribute: attribute.name).map {
            (attribute.name, Self.count("s.\($0.quotedIdentifier)", attribute.type), .unread)
          }
        }
      columns += part.narrowed.compactMap { number in
        entityLayout.columnName(ofAttribute: number.source).map {
          (number.destination, number.count(of: "s.\($0.quotedIdentifier)"), .narrowed)
        }
      }
      for relationship in part.relationships {
        guard let stored = LinkRows(ofRelationship: relationship.name, of: entityLayout) else {
          continue
        }
        if stored.row == .owner {
          columns.append(
            (relationship.name, "count(s.\(stored.related.quotedIdentifier))", .unread))
          continue
        }
        // The links of a join table are counted once, on the side that its first column belongs to.
        let isFirst = stored.row == .pair && isFirstSide(relationship, of: entityLayout)
        guard isFirst || !isToldFromOtherSide(relationship) else { continue }
        let count = try connection.integer(
          "SELECT count(*) \(from) JOIN \(stored.table.quotedIdentifier) AS l "
            + "ON l.\(stored.owner.quotedIdentifier) = s.\"Z_PK\" WHERE \(condition)",
          filter?.bindings ?? [])
        if count > 0 { items.append(item(part, relationship.name, count)) }
      }
      // SQLite gives a row at most 2,000 columns.
      for start in stride(from: 0, to: columns.count, by: 500) {
        let some = columns[start..<min(start + 500, columns.count)]
        let row = try connection.rows(
          "SELECT \(some.map(\.sql).joined(separator: ", ")) \(from) WHERE \(condition)",
          filter?.bindings ?? []
        ).first
        for (column, value) in zip(some, row ?? []) {
          if let count = value.integer, count > 0 {
            items.append(item(part, column.name, count, column.reason))
          }
        }
      }
    }
    return items
  }

  private func isFirstSide(_ relationship: Relationship, of entity: EntityLayout) -> Bool {
    guard
      case .joinTable(let table, let this, _, _)? =
        entity.storage(ofRelationship: relationship.name)
    else { return false }
    return table.owner.column == this
  }

  /// Whether the links are also those of an inverse that is not read either, and are counted there.
  private func isToldFromOtherSide(_ relationship: Relationship) -> Bool {
    guard let inverse = step.source.inverse(of: relationship) else { return false }
    return parts.contains { part in
      part.relationships.contains { $0.name == inverse.name }
        && step.source.entity(named: relationship.destinationEntityName).map {
          step.source.isKind(part.entity, of: $0)
        } == true
    }
  }

  /// `typeof` does not read a long value, which is stored on overflow pages.
  private static func count(_ column: String, _ type: AttributeType) -> String {
    switch type {
    case .string, .binary, .transformable, .composite: "sum(typeof(\(column)) <> 'null')"
    default: "count(\(column))"
    }
  }

  /// The condition for the objects that are migrated; `nil` for all.
  private func filter(
    _ part: Part, _ query: inout SourceQuery, _ lanes: LaneChoice, _ now: Double
  ) -> SQLFragment? {
    guard !part.filters.isEmpty, lanes.comparisonObstacle == nil else { return nil }
    var fragments: [SQLFragment] = []
    for filter in part.filters {
      let tables = query
      guard !filter.canFail, filter.lookups.isEmpty,
        case .sql(let fragment) = SQLTranslator.predicate(
          filter, form: .filter, now: now, column: { query.column($0) },
          related: { tables.related($0, alias: $1) })
      else { return nil }
      fragments.append(fragment)
    }
    return SQLFragment(
      fragments.map { "(\($0.sql))" }.joined(separator: " OR "), fragments.flatMap(\.bindings))
  }
}
