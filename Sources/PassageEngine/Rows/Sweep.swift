internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// What one entity mapping writes in its sweep over the source table: each column of the
/// destination table and where its cell comes from.
struct Sweep {
  enum Cell {
    /// The same in every row.
    case constant(Value)
    /// An attribute's value, by position in ``BoundEntityMapping/attributes``.
    case attribute(Int)
    /// SQL over the source row.
    case sql(String)
  }

  struct Column {
    var name: String
    var cell: Cell
    /// The destination attribute; `nil` for the columns of a relationship.
    var attribute: Attribute?

    /// Whether the finished object must have a value here.
    var isRequired: Bool {
      attribute.map { !$0.isOptional && $0.derivation == nil } ?? false
    }
  }

  let job: MappingPlan
  /// The columns after `Z_PK`, `Z_ENT` and `Z_OPT`. Columns of other entities of the hierarchy are
  /// left out and hold NULL.
  let columns: [Column]

  /// - Parameter foreignKeys: the job's relationships that are arithmetic.
  init(job: MappingPlan, source: Model, destination: Model, foreignKeys: [ForeignKeyRule]) {
    self.job = job
    var columns: [Column] = []
    if let entity = job.bound.destination, let layout = job.destination {
      let mapped = Dictionary(
        job.bound.attributes.enumerated().map { ($1.attribute.name, $0) },
        uniquingKeysWith: { first, _ in first })
      for attribute in destination.attributes(of: entity) {
        guard let name = layout.columnName(ofAttribute: attribute.name) else { continue }
        if let position = mapped[attribute.name] {
          columns.append(Column(name: name, cell: .attribute(position), attribute: attribute))
        } else if let column = Self.derivedColumn(attribute, of: job, in: source) {
          columns.append(
            Column(name: name, cell: .sql("s.\(column.quotedIdentifier)"), attribute: nil))
        } else {
          // What is derived is computed when the step is sealed.
          let isDerived = attribute.derivation != nil
          columns.append(
            Column(
              name: name, cell: .constant(isDerived ? .null : attribute.storedDefault),
              attribute: attribute))
        }
      }
    }
    for rule in foreignKeys {
      for column in rule.columns {
        columns.append(Column(name: column.name, cell: .sql(column.sql), attribute: nil))
      }
    }
    self.columns = columns
  }

  /// The source column of a derived attribute that is derived in the same way there: Core Data
  /// computes it anew only when the object changes, so until then the value must come along.
  private static func derivedColumn(
    _ attribute: Attribute, of job: MappingPlan, in source: Model
  ) -> String? {
    guard attribute.derivation != nil, let entity = job.bound.source,
      let same = source.attribute(attribute.name, of: entity),
      same.derivation == attribute.derivation, same.type == attribute.type
    else { return nil }
    return job.source?.columnName(ofAttribute: attribute.name)
  }

  /// Every destination column that is written, `Z_PK`, `Z_ENT` and `Z_OPT` first.
  var allColumns: [String] { ["Z_PK", "Z_ENT", "Z_OPT"] + columns.map(\.name) }
}
