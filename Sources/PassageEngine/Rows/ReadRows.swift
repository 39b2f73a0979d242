internal import PassageMappings
internal import PassageModels
internal import PassageQueries
internal import PassageSQLite
internal import PassageStores

/// The rows that an entity mapping reads, one for each object that it may make: source objects, or the
/// elements of lists.
struct ReadRows {
  let model: Model
  let layout: StoreLayout
  let entity: Entity
  let entityLayout: EntityLayout
  /// The connection that reads them. It has the functions of the expression language.
  let connection: Connection
  /// The schema under which the source is attached to it; empty on the source's own connection.
  let schema: String
  /// The most rows that there can be.
  let rowCount: Int64

  /// - Parameters:
  ///   - readsElements: whether the elements of a mapping that has lists are read, and not its source
  ///     objects.
  ///   - connection: has the source attached under `schema`; for elements, the journal too.
  /// - Returns: `nil` for a mapping that reads nothing.
  init?(
    of mappingPlan: MappingPlan, readsElements: Bool = true, step: StepPlan,
    connection: Connection, schema: String
  ) {
    if readsElements, let elements = mappingPlan.elements {
      model = elements.bound.model
      layout = elements.layout
      entity = elements.bound.entity
      entityLayout = elements.entity
      rowCount = .max
    } else if let entity = mappingPlan.bound.source, let entityLayout = mappingPlan.source {
      model = step.source
      layout = step.sourceLayout
      self.entity = entity
      self.entityLayout = entityLayout
      rowCount = step.extent.counts.total
    } else {
      return nil
    }
    self.connection = connection
    self.schema = schema
  }

  /// A query for them.
  func query(_ links: LinkTables = LinkTables()) -> SourceQuery {
    var query = SourceQuery(
      model: model, layout: layout, entity: entity, entityLayout: entityLayout, schema: schema)
    query.links = links
    return query
  }

  /// Ranges of their keys.
  ///
  /// - Parameter key: the last key that is already done.
  func ranges(after key: Int64) throws -> KeyRanges {
    try KeyRanges(
      connection: connection, schema: schema, entity: entityLayout, after: key,
      rowCount: min(rowCount, 1 << 62))
  }

  /// The tables in which expressions look up values.
  func lookupTables() -> LookupTables {
    LookupTables(connection: connection, model: model, layout: layout, schema: schema)
  }
}
