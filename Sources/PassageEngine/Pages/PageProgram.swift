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

  /// - Parameters:
  ///   - isChecked: whether every row is checked for required values, so that its object can be
  ///     quarantined.
  ///   - filter: the mapping's filter; `nil` when every object passes.
  init(
    _ program: ColumnProgram, entity: EntityLayout, from source: PageTable, to table: PageTable,
    now: Double, isChecked: Bool, filter: BoundPredicate?
  ) throws {
    let bound = program.mapping.bound
    copy = CopyProgram(
      entityNumber: Int64(entity.number), keyOffset: program.mapping.keyOffset, cells: [])
    for (column, value) in program.constants {
      try append(.constant(value), to: column, of: table)
    }
    for column in program.variables {
      let isRequired = column.isRequired
      switch column.cell {
      case .constant: break
      case .copy(let path):
        let place = source.position(of: path, in: entity)
        if isRequired, isChecked {
          required.append((place, column.attribute?.name ?? ""))
        } else if isRequired {
          counted.append(
            Counted(
              cell: copy.cells.count, attribute: column.attribute?.name ?? "", isRequired: true))
        }
        try append(.copy(place), to: column.name, of: table)
      case .key(let offset): try append(.key(offset: offset), to: column.name, of: table)
      case .link(let link):
        var watched: [Int] = []
        switch link {
        case .found(let key, .key, _):
          watched = [source.position(key)]
          found.append((copy.cells.count, column.name))
        case .shifted(let key, let shift) where shift.largest != nil:
          watched = [source.position(key)]
          moved.append((copy.cells.count, column.name))
        default: break
        }
        try append(
          link.map { source.position($0) }.origin, to: column.name, of: table, watched: watched)
      case .compute(let position):
        let attribute = bound.attributes[position]
        let watched = attribute.cellsThatMayBeNilled.map { source.position(of: $0, in: entity) }
        if !(isRequired && isChecked), !(isChecked && !watched.isEmpty),
          let operations = Self.operations(
            attribute, now: now, place: { source.position(of: $0, in: entity) })
        {
          counted.append(
            Counted(
              cell: copy.cells.count, attribute: attribute.attribute.name, isRequired: isRequired))
          try append(.arithmetic(operations), to: column.name, of: table, watched: watched)
        } else {
          let steps = Self.steps(attribute, entity, source, now: now)
          computed.append(
            Computed(
              isRare: steps != nil, cell: copy.cells.count, position: position,
              requiredName: isRequired ? attribute.attribute.name : nil))
          if let steps {
            counted.append(
              Counted(
                cell: copy.cells.count, attribute: attribute.attribute.name,
                isRequired: isRequired))
            try append(
              .computed(steps, isRequired: isRequired && isChecked), to: column.name, of: table,
              watched: watched)
          } else {
            try append(.set, to: column.name, of: table)
          }
        }
      }
    }
    for column in program.derived {
      let attribute = bound.attributes[column.position]
      guard attribute.fallback == nil,
        let steps = attribute.value.cellProgram(
          of: column.function, now: now, column: { source.position(of: $0, in: entity) })
      else { continue }
      try append(.derived(steps), to: column.column, of: table)
    }
    copy.required = required.map(\.column)
    setCondition(filter, entity, source, now: now)
    copy.isDecidedByCaller = !decidesFilter || computed.contains { !$0.isRare }
    copy.callerColumns =
      RowMapper.keyPaths(of: bound, positions: positions, filter: filter)
      .map { source.position(of: $0, in: entity) }
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
        try append(.copy(source.position(of: path, in: entity)), to: column.name, of: table)
      case .compute(let position):
        let attribute = mapping.bound.attributes[position]
        let operations = Self.operations(attribute, now: now) {
          source.position(of: $0, in: entity)
        }
        let watched = attribute.cellsThatMayBeNilled.map { source.position(of: $0, in: entity) }
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
    setCondition(filter, entity, source, now: now)
  }

  /// Sets the condition for rows to be made: the first parts of the filter that steps decide. They
  /// are evaluated before the other parts anyway.
  private mutating func setCondition(
    _ filter: BoundPredicate?, _ entity: EntityLayout, _ source: PageTable, now: Double
  ) {
    guard let filter else { return }
    let parts = filter.conjuncts
    for count in stride(from: parts.count, to: 0, by: -1) {
      let first = count == parts.count ? filter : filter.joining(Array(parts.prefix(count)))
      guard
        let condition = first.cellProgram(
          now: now, column: { source.position(of: $0, in: entity) })
      else { continue }
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
    _ attribute: BoundAttribute, _ entity: EntityLayout, _ source: PageTable, now: Double
  ) -> CellProgram? {
    guard attribute.fallback == nil,
      ExternalConversion(of: attribute.value, to: attribute.attribute) == nil
    else { return nil }
    return attribute.value.cellProgram(
      now: now, column: { source.position(of: $0, in: entity) })
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

extension KeyShift {
  fileprivate var ofPages: CopyProgram.Shift {
    CopyProgram.Shift(offset: offset, largest: largest)
  }
}
