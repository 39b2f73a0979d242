internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassagePages
internal import PassageStores
internal import PassageValues

/// A ``ColumnProgram`` over the pages of two tables. What the pages' own program cannot compute, the
/// engine computes row by row.
struct PageProgram {
  /// A cell that the engine computes.
  struct Computed {
    /// Whether the engine computes it only in rows that the pages' own program leaves undecided.
    var isRare: Bool
    /// Its position among the program's cells.
    var cell: Int
    /// The mapped attribute, by position in ``BoundEntityMapping/attributes``.
    var position: Int
    /// The attribute's name when the object must have a value here.
    var requiredName: String?
  }

  /// A cell of the program whose NULLs are counted.
  struct Counted {
    var cell: Int
    var attribute: String
    var isRequired: Bool
  }

  private(set) var copy: CopyProgram
  private(set) var computed: [Computed] = []
  private(set) var counted: [Counted] = []
  /// The keys of found objects, whose NULLs are counted where the source has a key.
  private(set) var found: [(cell: Int, column: String)] = []
  /// Moved keys, whose NULLs are counted where the source has a key.
  private(set) var moved: [(cell: Int, column: String)] = []
  /// The copied columns that must have a value, where every row is checked.
  private(set) var required: [(column: Int, attribute: String)] = []
  /// Whether the pages' own program decides the whole filter.
  private(set) var decidesFilter = true

  /// The tables that a program stands between, and the moment of the run.
  private struct Ends {
    /// The entity whose objects are read.
    var entity: EntityLayout
    var source: PageTable
    var destination: PageTable
    var now: Double

    /// The position of a cell of a source object in its table.
    func position(_ path: ResolvedKeyPath) -> Int { source.position(of: path, in: entity) }
  }

  /// - Parameters:
  ///   - isChecked: whether every row is checked for required values, so that its object can be
  ///     quarantined.
  ///   - filter: the mapping's filter; `nil` when every object passes.
  init(
    _ program: ColumnProgram, entity: EntityLayout, from source: PageTable, to table: PageTable,
    now: Double, isChecked: Bool, filter: BoundPredicate?
  ) throws {
    let bound = program.mapping.bound
    let ends = Ends(entity: entity, source: source, destination: table, now: now)
    copy = CopyProgram(
      entityNumber: Int64(entity.number), keyOffset: program.mapping.keyOffset, cells: [])
    for (column, value) in program.constants {
      try append(.constant(value), to: column, of: table)
    }
    for column in program.variables {
      switch column.cell {
      case .constant: break
      case .copy(let path): try appendCopy(of: path, to: column, ends, isChecked: isChecked)
      case .key(let offset): try append(.key(offset: offset), to: column.name, of: table)
      case .link(let link): try appendLink(link, to: column.name, ends)
      case .compute(let position):
        try appendValue(
          of: bound.attributes[position], at: position, to: column, ends, isChecked: isChecked)
      }
    }
    try appendDerived(program, ends)
    copy.required = required.map(\.column)
    setCondition(filter, ends)
    copy.isDecidedByCaller = !decidesFilter || computed.contains { !$0.isRare }
    copy.callerColumns =
      RowMapper.keyPaths(of: bound, positions: positions, filter: filter).map(ends.position)
  }

  /// The program of a mapping whose policy makes the objects. It makes the cells that the policy
  /// leaves as the mapping says; the others are replaced.
  ///
  /// - Parameters:
  ///   - attributes: by position in the objects' values, the attribute's column in the program.
  ///   - read: the source columns that the policy may read.
  init(
    objectsOf program: ColumnProgram, attributes: [ColumnProgram.Column], entity: EntityLayout,
    from source: PageTable, to table: PageTable, now: Double, read: [Int], filter: BoundPredicate?
  ) throws {
    let mapping = program.mapping
    let ends = Ends(entity: entity, source: source, destination: table, now: now)
    copy = CopyProgram(
      entityNumber: Int64(entity.number), keyOffset: mapping.keyOffset, cells: [],
      isDecidedByCaller: true, callerColumns: read)
    for column in attributes {
      let cell = copy.cells.count
      var isCounted = column.isRequired
      switch column.cell {
      case .constant(let value):
        isCounted = false
        try append(.constant(value), to: column.name, of: table)
      case .copy(let path):
        try append(.copy(ends.position(path)), to: column.name, of: table)
      case .compute(let position):
        let attribute = mapping.bound.attributes[position]
        let operations = Self.operations(attribute, now: now, place: ends.position)
        let watched = attribute.cellsThatMayBeNilled.map(ends.position)
        isCounted = operations != nil
        try append(
          operations.map { .arithmetic($0) } ?? .set, to: column.name, of: table,
          watched: operations == nil ? [] : watched)
      case .key, .link:
        throw PagesUnsuitable("an attribute of \(table.name) is made of a relationship")
      }
      copy.cells[cell].isReplaceable = true
      if isCounted {
        counted.append(
          Counted(
            cell: cell, attribute: column.attribute?.name ?? "", isRequired: column.isRequired))
      }
    }
    for (column, value) in program.constants.prefix(2) {
      try append(.constant(value), to: column, of: table)
    }
    setCondition(filter, ends)
  }

  /// Adds a cell that is copied unchanged.
  private mutating func appendCopy(
    of path: ResolvedKeyPath, to column: ColumnProgram.Column, _ ends: Ends, isChecked: Bool
  ) throws {
    let place = ends.position(path)
    let name = column.attribute?.name ?? ""
    if column.isRequired, isChecked {
      required.append((place, name))
    } else if column.isRequired {
      countNulls(of: name, isRequired: true)
    }
    try append(.copy(place), to: column.name, of: ends.destination)
  }

  /// Adds a part of a link. Where it can come to lead nowhere, its NULLs are counted.
  private mutating func appendLink(
    _ link: LinkCell<String>, to column: String, _ ends: Ends
  ) throws {
    var watched: [Int] = []
    switch link {
    case .found(let key, .key, _):
      watched = [ends.source.position(key)]
      found.append((copy.cells.count, column))
    case .shifted(let key, let shift) where shift.keys != nil:
      watched = [ends.source.position(key)]
      moved.append((copy.cells.count, column))
    case .byEntity(let key, _, _):
      watched = [ends.source.position(key)]
      moved.append((copy.cells.count, column))
    default: break
    }
    try append(
      link.map { ends.source.position($0) }.origin, to: column, of: ends.destination,
      watched: watched)
  }

  /// Adds a value that needs more than a copy: a calculation, steps, or what the engine computes.
  ///
  /// - Parameter position: the attribute's, in ``BoundEntityMapping/attributes``.
  private mutating func appendValue(
    of attribute: BoundAttribute, at position: Int, to column: ColumnProgram.Column, _ ends: Ends,
    isChecked: Bool
  ) throws {
    let name = attribute.attribute.name
    let isRequired = column.isRequired
    let watched = attribute.cellsThatMayBeNilled.map(ends.position)
    if !(isRequired && isChecked), !(isChecked && !watched.isEmpty),
      let operations = Self.operations(attribute, now: ends.now, place: ends.position)
    {
      countNulls(of: name, isRequired: isRequired)
      return try append(
        .arithmetic(operations), to: column.name, of: ends.destination, watched: watched)
    }
    let steps = Self.steps(attribute, ends)
    computed.append(
      Computed(
        isRare: steps != nil, cell: copy.cells.count, position: position,
        requiredName: isRequired ? name : nil))
    guard let steps else { return try append(.set, to: column.name, of: ends.destination) }
    countNulls(of: name, isRequired: isRequired)
    try append(
      .computed(steps, isRequired: isRequired && isChecked), to: column.name,
      of: ends.destination, watched: watched)
  }

  /// Adds the attributes that a function of a mapped one derives, where steps compute it.
  private mutating func appendDerived(_ program: ColumnProgram, _ ends: Ends) throws {
    for column in program.derived {
      let attribute = program.mapping.bound.attributes[column.position]
      guard attribute.fallback == nil,
        let steps = attribute.value.cellProgram(
          of: column.function, now: ends.now, column: ends.position)
      else { continue }
      try append(.derived(steps), to: column.column, of: ends.destination)
    }
  }

  /// Counts the NULLs of the cell that is added next.
  private mutating func countNulls(of attribute: String, isRequired: Bool) {
    counted.append(
      Counted(cell: copy.cells.count, attribute: attribute, isRequired: isRequired))
  }

  /// Sets the condition for rows to be made: the first parts of the filter that steps decide. They
  /// are evaluated before the other parts anyway.
  private mutating func setCondition(_ filter: BoundPredicate?, _ ends: Ends) {
    guard let filter else { return }
    let parts = filter.conjuncts
    for count in stride(from: parts.count, to: 0, by: -1) {
      let first = count == parts.count ? filter : filter.joining(Array(parts.prefix(count)))
      guard let condition = first.cellProgram(now: ends.now, column: ends.position) else {
        continue
      }
      copy.condition = condition
      decidesFilter = count == parts.count
      return
    }
    decidesFilter = false
  }

  /// How the cells of ``init(objectsOf:attributes:entity:from:to:now:read:filter:)`` are made
  /// outside a copy; `nil` when there are too many.
  ///
  /// - Parameter slot: returns the position of a cell of the source object.
  static func deferred(
    _ attributes: [ColumnProgram.Column], of mapping: MappingPlan, now: Double,
    slot: (ResolvedKeyPath) -> Int
  ) -> DeferredDefaults? {
    guard attributes.count <= DeferredDefaults.mostCells else { return nil }
    return DeferredDefaults(
      attributes.map { column in
        switch column.cell {
        case .constant(let value): .constant(value)
        case .copy(let path): .copy(slot(path))
        case .compute(let position):
          operations(mapping.bound.attributes[position], now: now, place: slot)
            .map { .arithmetic($0) }
        case .key, .link: nil
        }
      })
  }

  /// The attributes that the engine computes.
  var positions: Set<Int> { Set(computed.map(\.position)) }

  private mutating func append(
    _ origin: CopyProgram.Origin, to column: String, of table: PageTable, watched: [Int] = []
  ) throws {
    let place = table.position(column)
    guard place >= 0 else { throw PagesUnsuitable("\(table.name) has no column \(column)") }
    copy.cells.append(CopyProgram.Cell(column: place, origin: origin, watched: watched))
  }

  /// An attribute's value as steps over the object's own cells; `nil` when it is more.
  private static func steps(
    _ attribute: BoundAttribute, _ ends: Ends
  ) -> CellProgram? {
    guard attribute.fallback == nil,
      ExternalConversion(of: attribute.value, to: attribute.attribute) == nil
    else { return nil }
    return attribute.value.cellProgram(now: ends.now, column: ends.position)
  }

  /// An attribute's value as a calculation on the object's own cells; `nil` when it is more.
  ///
  /// - Parameter place: returns the position of a cell.
  private static func operations(
    _ attribute: BoundAttribute, now: Double, place: (ResolvedKeyPath) -> Int
  ) -> [CopyProgram.Operation]? {
    guard attribute.fallback == nil,
      ExternalConversion(of: attribute.value, to: attribute.attribute) == nil
    else { return nil }
    return attribute.value.arithmeticSteps(now: now)?.map { step in
      switch step {
      case .cell(let path): .column(place(path))
      case .constant(let number): .constant(number)
      case .key: .key
      case .apply(let operation, let isReal): .apply(operation, isReal: isReal)
      case .function(let function): .function(function)
      }
    }
  }
}

extension LinkCell<Int> {
  /// The cell as the pages' own program computes it.
  fileprivate var origin: CopyProgram.Origin {
    switch self {
    case .shifted(let column, let shift): .shifted(column, shift.ofPages)
    case .byEntity(let column, let number, let shifts):
      .shiftedByEntity(
        column, number: number,
        shifts.map { CopyProgram.EntityShift(number: Int64($0.number), shift: $0.shift.ofPages) })
    case .entityNumber(let column, let number): .entityNumber(column, if: Int64(number))
    case .entityNumberByEntity(let number, let numbers):
      .entityNumberByEntity(
        number,
        numbers.map {
          CopyProgram.EntityNumber(source: Int64($0.source), destination: Int64($0.destination))
        })
    case .place(let column, .key): .keyBeside(column)
    case .place(let column, .column(let place)): .copyBeside(place, beside: column)
    case .found(let column, .key, let table): .found(column, .key, table: table)
    case .found(let column, .entityNumber, let table): .found(column, .entityNumber, table: table)
    case .found(let column, .place(.key), let table): .found(column, .ownKey, table: table)
    case .found(let column, .place(.column(let place)), let table):
      .found(column, .copy(place), table: table)
    // Look-ups exist only in SQL.
    case .lookedUp: .constant(.null)
    }
  }
}

extension Keyspace.Extent {
  /// The same for the pages' own programs.
  var ofPages: CopyProgram.KeyBounds {
    CopyProgram.KeyBounds(smallest: smallest, largest: largest)
  }
}

extension KeyShift {
  fileprivate var ofPages: CopyProgram.Shift {
    CopyProgram.Shift(offset: offset, keys: keys?.ofPages)
  }
}
