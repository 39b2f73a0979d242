internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassageStores

/// The elements of the lists of one entity mapping: rows of a table of the journal, from which its
/// objects are made as others are made from source objects. The key of a row is that of the object
/// that is made of it.
struct ElementsPlan: Sendable {
  static let sourceColumn = "ZSOURCE"
  static let elementColumn = "ZELEMENT"
  static let indexColumn = "ZINDEX"

  let bound: BoundElements
  /// The mapping's filter; it decides about source objects.
  let filter: BoundPredicate?
  /// The layout of the source with ``entity``.
  let layout: StoreLayout
  let entity: EntityLayout

  /// - Parameters:
  ///   - mapping: the mapping's index in the step.
  ///   - source: the layout of the source.
  init(
    _ bound: BoundElements, filter: BoundPredicate?, mapping: Int, source: StoreLayout
  ) {
    self.bound = bound
    self.filter = filter
    var columns = [BoundElements.index: Self.indexColumn]
    var references = [BoundElements.source: Self.sourceColumn]
    if bound.list.entityName == nil {
      columns[BoundElements.element] = Self.elementColumn
    } else {
      references[BoundElements.element] = Self.elementColumn
    }
    (layout, entity) = source.adding(
      entity: bound.entity.name, schema: Journal.schema, table: "elements_\(mapping)",
      columns: columns, references: references)
  }
}
