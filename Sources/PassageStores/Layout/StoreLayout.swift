package import PassageDiagnostics

/// How Core Data lays out a store of a model: entity numbers, tables, columns, join tables,
/// indexes.
///
/// The layout depends only on the model. Names and order are those of a newly created store. A
/// store that was migrated in place may have its columns in another order, so columns are always
/// found by name. Some names and orders have other results in stores seen (the order of several order
/// columns, names after a migration in place). The layout uses one of them, and
/// ``fitted(to:path:)`` adapts it to a store that has another.
package struct StoreLayout: Sendable, Hashable {
  /// In the order of their numbers, from 1, without gaps.
  package internal(set) var entities: [EntityLayout]
  /// One table for each root entity, in the order of the roots' numbers.
  package internal(set) var tables: [TableLayout]
  /// In the order in which they are created: by their owners' numbers, then as Core Data makes those
  /// of one entity.
  package internal(set) var joinTables: [JoinTable]
  /// In the order in which they are created.
  package internal(set) var indexes: [IndexLayout]
  /// The R-tree indexes, entity by entity.
  package internal(set) var spatialIndexes: [SpatialIndexLayout]
  /// The derived attributes that can be computed. An attribute comes after those it is derived
  /// from.
  package internal(set) var derivedAttributes: [DerivedAttributeLayout]
  /// What the model asks for and the layout leaves out or changes. Warnings `STO-201` to `STO-204`:
  /// triggers of derived attributes, R-tree indexes, conditions of partial indexes, names that do
  /// not exist. Warning `STO-206`: a name that no store has proved. Errors `STO-205` (composite
  /// attributes) and `STO-207` (tables with too many columns): no store can be written. Stores that
  /// are there are judged by ``Model/unreadableAttributes``.
  package internal(set) var unsupported: Diagnostics

  var entityIndexes: [String: Int]
  var tableIndexes: [String: Int]

  init(
    entities: [EntityLayout], tables: [TableLayout], joinTables: [JoinTable],
    indexes: [IndexLayout], spatialIndexes: [SpatialIndexLayout],
    derivedAttributes: [DerivedAttributeLayout], unsupported: Diagnostics
  ) {
    self.spatialIndexes = spatialIndexes
    self.derivedAttributes = derivedAttributes
    self.entities = entities
    self.tables = tables
    self.joinTables = joinTables
    self.indexes = indexes
    self.unsupported = unsupported
    self.entityIndexes = Dictionary(
      entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.tableIndexes = Dictionary(
      tables.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The entity with this name.
  ///
  /// - Complexity: O(1).
  package func entity(named name: String) -> EntityLayout? {
    entityIndexes[name].map { entities[$0] }
  }

  /// The entity with this number in `Z_ENT`.
  ///
  /// - Complexity: O(1).
  package func entity(numbered number: Int64) -> EntityLayout? {
    guard number >= 1, number <= Int64(entities.count) else { return nil }
    return entities[Int(number) - 1]
  }

  /// The entity table with this name.
  ///
  /// - Complexity: O(1).
  package func table(named name: String) -> TableLayout? {
    tableIndexes[name].map { tables[$0] }
  }

  /// The statements that create every entity table and join table, in Core Data's order: each
  /// entity table is followed by the join tables that its entities own.
  package var tableStatements: [String] {
    var owned: [String: [JoinTable]] = [:]
    for joinTable in joinTables {
      owned[entity(named: joinTable.owner.entityName)?.tableName ?? "", default: []]
        .append(joinTable)
    }
    return tables.flatMap { table in
      [table.createStatement] + (owned[table.name] ?? []).map(\.createStatement)
    }
  }

  /// The statements that create every index, in order. Each does nothing if its index exists.
  package var indexStatements: [String] { indexes.map(\.createIfMissingStatement) }

  /// Every trigger: those of derived attributes, then those of R-tree indexes. They call functions
  /// that only Core Data has, so they are created last, after all rows are written.
  package var triggers: [TriggerLayout] {
    derivedAttributes.flatMap(\.triggers) + spatialIndexes.flatMap(\.triggers)
  }
}
