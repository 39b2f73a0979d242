internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassagePages
package import PassagePlanning
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Numbers that a step makes and that the type of their attribute may not hold: those that it
/// computes, that elements of lists have, or that objects which become one keep. A policy's code cannot set
/// them (``DestinationObject/set(_:to:)``), but what its mapping copies may be such.
///
/// They are counted where they are written, in the objects of the finished step. What a mapping merely copies
/// is counted in the source, before anything is written: ``NarrowedNumber``.
package struct ComputedNumbers: Sendable {
  private struct Item {
    /// The first entity mapping that makes such numbers, by its position in the step.
    let mappingPlan: Int
    let attribute: String
    let limits: NumberLimits
  }

  /// By the name of the entity and of the attribute.
  private let items: [String: [String: Item]]

  package init(of step: PlannedStep) {
    var items: [String: [String: Item]] = [:]
    for (position, mapping) in step.passes.flatMap(\.entityMappings).enumerated() {
      guard let entity = mapping.destination else { continue }
      for attribute in step.destination.attributes(of: entity)
      where attribute.isStored && attribute.derivation == nil {
        guard let limits = NumberLimits(of: attribute.type),
          Self.mayExceed(limits, attribute, of: mapping),
          items[entity.name]?[attribute.name] == nil
        else { continue }
        items[entity.name, default: [:]][attribute.name] = Item(
          mappingPlan: position, attribute: attribute.name, limits: limits)
      }
    }
    self.items = items
  }

  /// Whether the numbers of an attribute are counted here.
  func contains(_ attribute: Attribute, of entity: Entity) -> Bool {
    items[entity.name]?[attribute.name] != nil
  }

  private static func mayExceed(
    _ limits: NumberLimits, _ attribute: Attribute, of mapping: BoundEntityMapping
  ) -> Bool {
    let combined = mapping.combinations.first { $0.attribute.name == attribute.name }
    if let combined { return mayExceed(limits, combined) }
    guard let bound = mapping.attributes.first(where: { $0.attribute.name == attribute.name }),
      !NarrowedNumber.isCountedInSource(bound, of: mapping)
    else { return false }
    return [bound.value, bound.fallback].compactMap(\.self).contains { !limits.holdAll(of: $0) }
  }

  /// Whether the values of objects that become one may give a number that does not fit.
  private static func mayExceed(
    _ limits: NumberLimits, _ combination: BoundCombination
  ) -> Bool {
    guard case .magnitudes = limits else { return true }
    // All whole numbers of a store together fit, and so does each of the values but their sum.
    return combination.value.wholeNumbers == nil
      && (combination.function == .sum || !limits.holdAll(of: combination.value))
  }

  /// Counts the numbers that do not fit.
  ///
  /// - Parameters:
  ///   - accounts: of every entity mapping of the step.
  ///   - store: has all objects of the step.
  ///   - threadCount: the threads that may count, this one included.
  /// - Returns: the accounts with these counts.
  /// - Complexity: one walk over each table that has such an attribute.
  func counted(
    in accounts: [MappingAccount], of step: StepPlan, _ store: PassStore, threadCount: Int
  ) throws -> [MappingAccount] {
    guard !items.isEmpty else { return accounts }
    var accounts = accounts
    var tables: [String: [(entity: EntityLayout, items: [Item])]] = [:]
    for entity in step.destinationLayout.entities {
      guard let found = items[entity.name] else { continue }
      tables[entity.tableName, default: []].append((entity, Array(found.values)))
    }
    for (table, parts) in tables {
      let counts =
        try store.inPages(
          of: table, isForced: step.lanes.isForcedToPages, threadCount: threadCount
        ) {
          try Self.counts(parts, in: $0, $1)
        } ?? parts.map { try Self.counts($0.items, of: $0.entity, in: store) }
      for (part, counts) in zip(parts, counts) {
        for (item, count) in zip(part.items, counts)
        where count > 0 && accounts.indices.contains(item.mappingPlan) {
          accounts[item.mappingPlan].narrowed[item.attribute] = count
        }
      }
    }
    return accounts
  }

  /// - Returns: by position of the entity and of its item; `nil` when SQLite must count.
  private static func counts(
    _ parts: [(entity: EntityLayout, items: [Item])], in table: PageTable, _ totals: LeafTotals
  ) throws -> [[Int64]]? {
    let wanted = parts.map { entity, items -> CountedColumns in
      CountedColumns(
        entityNumber: entity.isAlone ? nil : Int64(entity.number),
        columns: items.map { item in
          (
            position: entity.columnName(ofAttribute: item.attribute).map(table.position) ?? -1,
            test: item.limits.test
          )
        })
    }
    return try totals.valueCounts(
      root: table.root, wanted, entityColumn: table.position("Z_ENT"), of: table.columns
    ).counts
  }

  /// - Returns: by position of the item.
  private static func counts(
    _ items: [Item], of entity: EntityLayout, in store: PassStore
  ) throws -> [Int64] {
    let sums = items.map { item in
      entity.columnName(ofAttribute: item.attribute).map {
        item.limits.count(of: $0.quotedIdentifier)
      } ?? "0"
    }
    let condition = entity.isAlone ? "" : " WHERE \"Z_ENT\" = \(entity.number)"
    // SQLite gives a row at most 2,000 columns.
    return try stride(from: 0, to: sums.count, by: 500).flatMap { start in
      let some = sums[start..<min(start + 500, sums.count)]
      let row = try store.connection.rows(
        "SELECT \(some.joined(separator: ", ")) FROM main.\(entity.tableName.quotedIdentifier)"
          + condition
      ).first
      return some.indices.map { row?[$0 - start].integer ?? 0 }
    }
  }
}
