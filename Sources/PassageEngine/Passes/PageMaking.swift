internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassagePages
internal import PassageQueries
internal import PassageStores
internal import PassageValues

/// How the objects of an entity mapping are made page by page. Who makes them on a thread has it in
/// common, and it does not change.
final class PageMaking: Sendable {
  /// What a policy makes: the columns of its objects' attributes, by position, and their shape.
  typealias Made = (attributes: [ColumnProgram.Column], shape: DestinationShape)

  let step: StepBasis
  let mappingPlan: MappingPlan
  let program: PageProgram
  /// `nil` when the mapping makes the objects.
  let made: Made?
  /// How the cells of a policy's default objects are made that it does not ask for.
  let deferred: DeferredDefaults?
  /// Whether every object is checked for required values, so that it can be quarantined.
  let isChecked: Bool
  /// What is read of a source object.
  let shape: ObjectShape
  /// By position among its values, the column.
  let columns: [Int]
  /// The positions that are read of a row whose filter and whose rare cells are decided already.
  let usualPositions: [Int]
  /// The rows of which a policy reads.
  let snapshots: RowSnapshots
  let filter: BoundPredicate?
  /// The mapped attributes that the engine computes.
  private let positions: Set<Int>
  /// What this was made of.
  private let origin: Origin

  private struct Origin {
    var columns: ColumnProgram
    var entity: EntityLayout
    var source: PageTable
    var table: PageTable
  }

  /// - Parameters:
  ///   - isChecked: whether objects may be quarantined.
  /// - Throws: ``PagesUnsuitable`` when the columns of the tables are not those of the program.
  init(
    _ columns: ColumnProgram, entity: EntityLayout, from source: PageTable, to table: PageTable,
    step: StepBasis, isChecked: Bool
  ) throws {
    self.step = step
    self.isChecked = isChecked
    origin = Origin(columns: columns, entity: entity, source: source, table: table)
    mappingPlan = columns.mapping
    let bound = mappingPlan.bound
    let filter = bound.filter?.safestFirst
    self.filter = filter
    made = try Self.madeByPolicy(columns, step)
    let paths: [ResolvedKeyPath]
    if let made, let own = bound.source {
      // A policy may ask for the value of any attribute.
      positions = Set(bound.attributes.indices)
      paths = Self.distinct(
        SourceReader.everyCell(of: own, in: step.plan.source)
          + RowMapper.keyPaths(of: bound, positions: positions, filter: filter))
      program = try PageProgram(
        objectsOf: columns, attributes: made.attributes, entity: entity, from: source, to: table,
        now: step.plan.now, read: paths.map { source.position(of: $0, in: entity) },
        filter: filter)
    } else {
      program = try PageProgram(
        columns, entity: entity, from: source, to: table, now: step.plan.now,
        isChecked: isChecked, filter: filter)
      positions = program.positions
      paths = Self.distinct(RowMapper.keyPaths(of: bound, positions: positions, filter: filter))
    }
    self.columns = paths.map { source.position(of: $0, in: entity) }
    let usual = Set(Self.usualPaths(of: bound, program, filter: filter).map(\.name))
    usualPositions = paths.indices.filter { usual.contains(paths[$0].name) }
    let shape = ObjectShape(entityName: entity.name, names: paths.map(\.name))
    self.shape = shape
    snapshots = RowSnapshots(cells: self.columns, of: source.columns)
    deferred = made.flatMap {
      PageProgram.deferred($0.attributes, of: columns.mapping, now: step.plan.now) {
        shape.position(of: $0.name) ?? -1
      }
    }
  }

  /// Whether several threads may make the objects of rows that the pages' own program leaves to
  /// the engine: the policy, if there is one, makes one object from each source object at most, and
  /// does not depend on their order.
  var isForAnyThread: Bool {
    step.policies.needs(of: mappingPlan.bound.mapping)
      .isDisjoint(with: [.order, .furtherObjects])
  }

  /// The same, made anew for a thread of its own: threads that count the references to the same
  /// objects, row by row, hold each other up.
  func copyForThread() throws -> PageMaking {
    try PageMaking(
      origin.columns, entity: origin.entity, from: origin.source, to: origin.table,
      step: StepBasis(plan: step.plan, source: step.source, policies: step.policies),
      isChecked: isChecked)
  }

  /// Compiles the mapping for a thread.
  ///
  /// - Parameter functions: of the thread's policy.
  func makeMapper(
    functions: [String: PolicyFunction], nilled: NilledValues
  ) throws -> RowMapper {
    try RowMapper(
      bound: mappingPlan.bound, positions: positions, filter: filter,
      context: EvaluationContext(now: step.plan.now, functions: functions),
      externalFolder: step.source.externalFolder, nilled: nilled,
      shape: shape)
  }

  private static func madeByPolicy(_ program: ColumnProgram, _ step: StepBasis) throws -> Made? {
    guard program.mapping.isMadeByPolicy, program.mapping.bound.mapping.policy != nil,
      let shape = step.shape(ofEntity: program.mapping.destination?.name ?? "")
    else { return nil }
    let columns = Dictionary(
      program.columns.compactMap { column in column.attribute.map { ($0.name, column) } },
      uniquingKeysWith: { first, _ in first })
    let attributes = shape.attributes.compactMap { columns[$0.name] }
    guard attributes.count == shape.attributes.count else {
      throw PagesUnsuitable("an attribute of \(shape.entity.name) has no column")
    }
    return (attributes, shape)
  }

  /// The cells that the engine reads of a row that the pages' own program has decided as far as it
  /// can.
  private static func usualPaths(
    of bound: BoundEntityMapping, _ program: PageProgram, filter: BoundPredicate?
  ) -> [ResolvedKeyPath] {
    RowMapper.keyPaths(
      of: bound, positions: Set(program.computed.filter { !$0.isRare }.map(\.position)),
      filter: program.decidesFilter ? nil : filter)
  }

  private static func distinct(_ paths: [ResolvedKeyPath]) -> [ResolvedKeyPath] {
    var known: Set<String> = []
    return paths.filter { known.insert($0.name).inserted }
  }
}
