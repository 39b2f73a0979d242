internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassageStores
internal import PassageValues

/// What one entity mapping writes for each source object it migrates: each column of the
/// destination table, and where its cell comes from.
///
/// It has two back ends that tests compare with each other: SQL for whole ranges of objects
/// (``SQLProgram``), and code for one object at a time (``RowProgram``).
struct ColumnProgram: Sendable {
  /// Where a cell comes from.
  enum Cell: Sendable {
    /// The same in every row.
    case constant(Value)
    /// A cell of the source, unchanged.
    case copy(ResolvedKeyPath)
    /// A mapped attribute whose value needs more than a copy, by its position in
    /// ``BoundEntityMapping/attributes``.
    case compute(Int)
    /// The source object's key plus an offset.
    case key(offset: Int64)
    /// A part of a link that the source row determines.
    case link(LinkCell<String>)
  }

  /// One column.
  struct Column: Sendable {
    var name: String
    var cell: Cell
    /// The destination attribute whose values the column holds; `nil` for the columns of a
    /// relationship and for an attribute that is derived in the same way in source and destination.
    var attribute: Attribute?

    /// Whether the cell is the same in every row.
    var isConstant: Bool { if case .constant = cell { true } else { false } }

    /// Whether the finished object must have a value here.
    var isRequired: Bool {
      attribute.map { !$0.isOptional && $0.derivation == nil } ?? false
    }
  }

  let mapping: MappingPlan
  /// The columns after `Z_PK`, `Z_ENT` and `Z_OPT`. Columns that belong only to other entities of
  /// the hierarchy are omitted and hold NULL.
  let columns: [Column]
  /// Attributes that a function of a mapped one derives. In ``columns`` they are NULL: they are computed when
  /// the step is sealed, unless they have their value then.
  let derived: [(column: String, function: Derivation.Function, position: Int)]

  /// - Parameters:
  ///   - links: the columns of the mapping's relationships that the sweep writes.
  init(
    of mapping: MappingPlan, source: Model, destination: Model, links: [LinkColumn]
  ) {
    self.mapping = mapping
    var columns: [Column] = []
    var derived: [(column: String, function: Derivation.Function, position: Int)] = []
    if let entity = mapping.bound.destination, let layout = mapping.destination {
      let mapped = Dictionary(
        mapping.bound.attributes.enumerated().map { ($1.attribute.name, $0) },
        uniquingKeysWith: { first, _ in first })
      for attribute in destination.attributes(of: entity) {
        guard let name = layout.columnName(ofAttribute: attribute.name) else { continue }
        if let position = mapped[attribute.name] {
          columns.append(
            Column(
              name: name, cell: Self.cell(mapping.bound.attributes[position], at: position),
              attribute: attribute))
        } else if let derived = Self.derivedCell(attribute, of: mapping, in: source) {
          columns.append(Column(name: name, cell: derived, attribute: nil))
        } else {
          let isDerived = attribute.derivation != nil
          if isDerived, let derivation = try? destination.derivation(of: attribute, in: entity),
            derivation.path.isEmpty, derivation.collection == nil,
            let position = derivation.attribute.flatMap({ mapped[$0] })
          {
            derived.append((name, derivation.function, position))
          }
          columns.append(
            Column(
              name: name, cell: .constant(isDerived ? .null : attribute.storedDefault),
              attribute: attribute))
        }
      }
    }
    self.derived = derived
    self.columns = columns + links.map { Column(name: $0.name, cell: $0.cell, attribute: nil) }
  }

  private static func cell(_ mapped: BoundAttribute, at position: Int) -> Cell {
    guard let path = mapped.value.copiedCell, path.leaf != .object, mapped.fallback == nil,
      ExternalConversion(of: mapped.value, to: mapped.attribute) == nil
    else { return .compute(position) }
    return .copy(path)
  }

  /// The source cell of an attribute that is derived in the same way in the source. Core Data
  /// recomputes it only when the object changes, so the current value must be copied.
  private static func derivedCell(
    _ attribute: Attribute, of mapping: MappingPlan, in source: Model
  ) -> Cell? {
    guard attribute.derivation != nil, let entity = mapping.bound.source,
      let same = source.attribute(attribute.name, of: entity),
      same.derivation == attribute.derivation, same.type == attribute.type,
      mapping.source?.columnName(ofAttribute: same.name) != nil
    else { return nil }
    return .copy(
      ResolvedKeyPath(
        entityName: entity.name, components: [same.name], relationships: [],
        leaf: .attribute(same)))
  }

  /// The columns with the same value in every row, `Z_ENT` and `Z_OPT` first.
  var constants: [(column: String, value: Value)] {
    [
      ("Z_ENT", .integer(Int64(mapping.destination?.number ?? 0))), ("Z_OPT", .integer(1)),
    ]
      + columns.compactMap { column in
        if case .constant(let value) = column.cell { (column.name, value) } else { nil }
      }
  }

  /// Every destination column that is written, in the order in which SQL returns the cells.
  var allColumns: [String] { ["Z_PK", "Z_ENT", "Z_OPT"] + columns.map(\.name) }

  /// The columns whose values differ between rows.
  var variables: [Column] {
    columns.filter { !$0.isConstant }
  }

  /// The positions of the mapped attributes that need more than a copy.
  var computed: Set<Int> {
    Set(columns.compactMap { if case .compute(let position) = $0.cell { position } else { nil } })
  }

  /// The cells of the source that are copied unchanged.
  var copied: [ResolvedKeyPath] {
    columns.compactMap { if case .copy(let path) = $0.cell { path } else { nil } }
  }

  /// The columns of the source row from which links are made.
  var linkColumns: [String] {
    var known: Set<String> = []
    return columns.flatMap { column -> [String] in
      if case .link(let link) = column.cell { link.columns } else { [] }
    }.filter { known.insert($0).inserted }
  }
}

/// A column of a relationship and where its cell comes from.
struct LinkColumn: Sendable {
  var name: String
  var cell: ColumnProgram.Cell
}
