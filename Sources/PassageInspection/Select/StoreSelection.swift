package import PassageDiagnostics
internal import PassageEngine
package import PassageExpressions
package import PassageModels
internal import PassageQueries
internal import PassageSQLite
package import PassageStores
internal import PassageValues

/// Finds the objects of a store that match a filter, for instance to try a filter before a run.
///
/// ```swift
/// let store = try StoreFile.open(path: "Notes.sqlite")
/// let selection = try StoreSelection(
///   of: store, model: model, entity: "Note", filter: "title BEGINSWITH[c] 'a'")
/// print(try selection.count())
/// ```
/// Conditions joined by `AND` that translate to SQL are evaluated in SQL. The others are evaluated
/// in memory, for the objects that match the conditions in SQL. The result is the same as in a
/// migration. The store is read inside the read transaction it was opened with; the memory used
/// does not depend on the number of objects.
package struct StoreSelection {
  /// How a selection is made.
  package struct Options: Sendable {
    /// Whether objects of subentities are included. A filter of a mapping model never includes
    /// them.
    package var includesSubentities = false
    /// Whether the whole filter is evaluated in memory, as for an entity mapping with a policy.
    package var isInMemory = false
    /// The functions that the filter may call.
    package var functions = FunctionLibrary.standard

    /// The default options.
    package init() {}
  }

  /// The filter as a tree; `nil` for no filter.
  package let predicate: ObjectPredicate?
  /// Warnings about the filter.
  package let warnings: Diagnostics

  let store: OpenStore
  let options: Options
  var query: SourceQuery
  /// The bound filter; `nil` for no filter.
  let filter: BoundPredicate?
  /// The parts of the filter, and where each is evaluated; `nil` for no filter.
  var parts: FilterParts?

  /// The value of `now()` for this selection: seconds since 2001-01-01 UTC.
  let now: Double

  /// Prepares a selection; no object is read yet.
  ///
  /// - Parameters:
  ///   - store: an open store.
  ///   - model: the store's model, or one that fits its tables.
  ///   - entityName: the entity whose objects are examined.
  ///   - filter: a predicate in NSPredicate's format, about the object itself; `nil` for every
  ///     object.
  ///   - now: the value of `now()`, in seconds since 2001-01-01 UTC.
  ///   - options: how the selection is made.
  ///   - location: the place of the filter's text, for messages: the position before its first
  ///     character.
  /// - Throws: `Diagnostics` with `SEL-001` for an entity that the model does not have, `PRE-` for a
  ///   wrong filter, or `STO-318` for one that uses values which may be in files; `StoreError` for a
  ///   store that does not fit the model.
  package init(
    of store: OpenStore, model: Model, entity entityName: String, filter: String?, now: Double,
    options: Options = Options(), at location: SourceLocation? = nil
  ) throws {
    self.store = store
    self.now = now
    self.options = options
    guard let entity = model.entity(named: entityName) else {
      let names = model.entities.map(\.name)
      throw Diagnostics([
        Diagnostic(
          "SEL-001", "the model has no entity “\(entityName)”",
          reason: names.isEmpty ? "it has no entities at all" : nil,
          remedy: nearest(to: entityName, in: names).map { "did you mean “\($0)”?" }
            ?? (names.isEmpty ? nil : "it has \(names.sorted().prefix(20).joined(separator: ", "))")
        )
      ])
    }
    let layout = try store.layout(of: model)
    guard let entityLayout = layout.entity(named: entityName) else {
      throw StoreError(.layoutMismatch, path: store.unit.path, detail: entityName)
    }
    try store.checkRowCounts(layout, ofTables: [entityLayout.tableName])
    var query = SourceQuery(
      model: model, layout: layout, entity: entity, entityLayout: entityLayout, schema: "")
    var parts: FilterParts?
    var warnings = Diagnostics()
    var lookups: [ObjectLookup] = []
    var boundFilter: BoundPredicate?
    predicate = try filter.map { text throws(Diagnostics) in
      try FormatParser.predicate(text, at: location)
    }
    if let predicate {
      var scope = BindingScope.filter(model: model, entity: entity)
      scope.functions = options.functions
      let bound = try Binder.predicate(predicate, in: scope, at: location)
      if let refusal = ExternalUse.refusal(of: bound, in: model, at: location?.advanced(by: 1)) {
        throw Diagnostics([refusal])
      }
      boundFilter = bound
      warnings = bound.warnings
      lookups = bound.lookups
      let connection = try store.connection
      query.links = try Self.reading(store) {
        try LinkTables(
          for: bound.relatedObjects, layout: layout, schema: "", connection: connection)
      }
      let lanes = LaneChoice(
        isForcedToRows: options.isInMemory,
        comparisonObstacle: store.comparisonObstacle(layout))
      parts = FilterParts(
        bound, for: .selection, obstacle: lanes.filterObstacle, query: &query, now: now)
    }
    try store.connection.registerExpressionFunctions(options.functions)
    self.warnings = warnings
    self.query = query
    self.filter = boundFilter
    self.parts = parts
    try reading { try lookupTables.make(lookups) }
  }
}
