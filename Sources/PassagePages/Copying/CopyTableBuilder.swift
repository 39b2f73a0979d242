internal import PassageValues

/// Prepares the programs of a ``CopyTable``.
struct CopyTableBuilder {
  private let source: TableColumns
  private let destination: TableColumns
  private let linkTables: [LinkTable]

  private(set) var programs: [CopyTable.Program] = []
  private(set) var steps: [CopyStep] = []
  private(set) var numbers: [NumberStep] = []
  private(set) var plainNumbers: [PlainStep] = []
  private(set) var shifts: [CopyProgram.EntityShift] = []
  private(set) var entityNumbers: [CopyProgram.EntityNumber] = []
  private(set) var links: [LinkTable.Part] = []
  private(set) var runs: [LinkRun] = []
  /// The cells that count links that dangle.
  private(set) var danglingCount = 0
  private(set) var watched: [Int] = []
  private(set) var required: [Int] = []
  private(set) var computed: [CopyTable.Computed] = []
  private(set) var cellPrograms = CellMachineBuilder()
  private(set) var literals: [UInt8] = []
  /// The steps of the cells of all programs, one program after the other; -1 for constants.
  private(set) var stepsOfCells: [Int] = []
  /// The deepest stack of a calculation.
  private(set) var depth = 1

  init(source: TableColumns, destination: TableColumns, links: [LinkTable]) {
    linkTables = links
    self.source = source
    self.destination = destination
  }

  mutating func append(
    _ program: CopyProgram, images: UnsafeMutablePointer<CellImage>, _ arena: inout ValueArena
  ) throws(ConvertedValue) {
    let firstStep = steps.count
    var places = Array(repeating: -1, count: program.cells.count)
    let cells = Dictionary(
      program.cells.enumerated().map { ($1.column, $0) }, uniquingKeysWith: { _, last in last })
    var literal: Range<Int>?
    for column in destination.affinities.indices {
      if let index = cells[column] {
        let before = steps.count
        if let constant = try append(program.cells[index]) {
          images[column] = try image(of: constant, in: column, &arena)
          if program.cells[index].isReplaceable { append(.set, 0, program.cells[index]) }
        }
        if steps.count > before {
          places[index] = before
          if let columns = literal { insertLiteral(columns, images, before: before) }
          if literal != nil { places[index] = before + 1 }
          literal = nil
          continue
        }
      }
      literal = (literal?.lowerBound ?? column)..<column + 1
    }
    if let columns = literal { insertLiteral(columns, images, before: steps.count) }
    let (firstRequired, firstComputed) = (required.count, computed.count)
    // The row's key is never NULL.
    required += program.required.filter { $0 != source.keyColumn }
    for (cell, step) in zip(program.cells, places) {
      guard step >= 0 else { continue }
      switch cell.origin {
      case .computed(let program, let isRequired):
        computed.append(
          CopyTable.Computed(
            place: cellPrograms.append(program), step: step, isRequired: isRequired,
            isDerived: false))
      case .derived(let program):
        computed.append(
          CopyTable.Computed(
            place: cellPrograms.append(program), step: step, isRequired: false, isDerived: true))
      default: break
      }
    }
    let condition = program.condition.map { cellPrograms.append($0) }
    let (requiredCount, computedCount) = (
      required.count - firstRequired, computed.count - firstComputed
    )
    programs.append(
      CopyTable.Program(
        entityNumber: program.entityNumber ?? 0,
        keyOffset: program.keyOffset, isDecidedByCaller: program.isDecidedByCaller,
        isPrepared: condition != nil || requiredCount > 0 || computedCount > 0,
        condition: condition, firstRequired: firstRequired, requiredCount: requiredCount,
        firstComputed: firstComputed, computedCount: computedCount, firstStep: firstStep,
        stepCount: steps.count - firstStep, firstCell: stepsOfCells.count,
        cellCount: places.count,
        lastColumn: program.columns.max() ?? -1, images: images))
    stepsOfCells += places
  }

  /// Inserts a step for columns that are the same in every row.
  private mutating func insertLiteral(
    _ columns: Range<Int>, _ images: UnsafeMutablePointer<CellImage>, before index: Int
  ) {
    var step = CopyStep(code: .literal, column: 0, target: 0, affinity: .blob, unchanged: 0)
    let scratch = RawMemory(byteCount: 16)
    step.first = literals.count
    for column in columns {
      let count = Varint.write(images[column].type, to: scratch.bytes)
      literals += UnsafeRawBufferPointer(start: scratch.bytes, count: count)
    }
    step.count = literals.count - step.first
    step.firstByte = literals.count
    for column in columns {
      let count = images[column].byteCount
      let value = RawMemory(byteCount: max(8, count))
      images[column].write(to: value.bytes, byteCount: count)
      literals += UnsafeRawBufferPointer(start: value.bytes, count: count)
    }
    step.byteCount = literals.count - step.firstByte
    steps.insert(step, at: index)
  }

  private func image(
    of value: Value, in column: Int, _ arena: inout ValueArena
  ) throws(ConvertedValue) -> CellImage {
    let image = destination.affinities[column].image(of: arena.kept(value))
    guard let image else { throw ConvertedValue(column: column) }
    return image
  }

  /// Appends the step of a cell.
  ///
  /// - Returns: the cell's value, when it is the same in every row and needs no step.
  private mutating func append(_ cell: CopyProgram.Cell) throws(ConvertedValue) -> Value? {
    // What is made of a column that the table does not have is NULL in every row.
    if cell.origin.columns.contains(where: { $0 < 0 }) { return .null }
    switch cell.origin {
    case .constant(let value): return value
    case .copy(let column) where column == source.keyColumn,
      .taken(let column, _) where column == source.keyColumn:
      append(.key, 0, cell)
    case .taken(let column, let types): append(.taken, column, cell) { $0.taken = types }
    case .copy(let column): append(.copy, column, cell)
    case .key(let offset): append(.key, 0, cell) { $0.number = offset }
    case .shifted(let column, let shift):
      guard let keys = shift.keys else {
        append(.copy, column, cell)
        break
      }
      append(.shifted, column, cell) { ($0.number, $0.keys) = (shift.offset, keys) }
    case .shiftedByEntity(let column, let number, let list):
      let first = shifts.count
      shifts += list
      append(.shiftedByEntity, column, cell) {
        ($0.other, $0.first, $0.count) = (number, first, list.count)
      }
    case .entityNumber(let column, let number):
      append(.entityNumber, column, cell) { $0.number = number }
    case .entityNumberByEntity(let column, let list):
      let first = entityNumbers.count
      entityNumbers += list
      append(.entityNumberByEntity, column, cell) { ($0.first, $0.count) = (first, list.count) }
    case .keyBeside(let column): append(.keyBeside, column, cell)
    case .copyBeside(let column, let other):
      append(.copyBeside, column, cell) { $0.other = other }
    case .found(let column, let part, let table):
      guard linkTables.indices.contains(table), !linkTables[table].isEmpty else {
        return .null
      }
      append(found: part, linkTables[table], column, cell)
    case .arithmetic(let operations):
      guard let prepared = NumberStep.steps(operations) else { return .null }
      let (first, firstPlain) = (numbers.count, append(plain: prepared.steps, cell) ?? -1)
      numbers += prepared.steps
      depth = max(depth, prepared.depth)
      let single = firstPlain >= 0 && prepared.steps.count == 1 ? plainNumbers[firstPlain] : nil
      append(.arithmetic, 0, cell) {
        ($0.first, $0.count) = (first, prepared.steps.count)
        $0.isChain = NumberStep.isChain(prepared.steps)
        $0.firstPlain = firstPlain
        if let single { $0.setReal(single) }
      }
    case .set, .computed, .derived: append(.set, 0, cell)
    }
    return nil
  }

  /// Appends a calculation of a column and constants.
  ///
  /// - Returns: where it begins; `nil` when it is another one, or the column does not store numbers.
  private mutating func append(plain steps: [NumberStep], _ cell: CopyProgram.Cell) -> Int? {
    let affinity = destination.affinities[cell.column]
    guard affinity == .numeric || affinity == .real, NumberStep.isChain(steps),
      let column = steps.first?.column, column != source.keyColumn,
      source.affinities.indices.contains(column)
    else { return nil }
    var list = steps.compactMap { PlainStep($0) }
    guard list.count == steps.count else { return nil }
    list[0].isRealColumn = source.affinities[column] == .real
    defer { plainNumbers += list }
    return plainNumbers.count
  }

  private mutating func append(
    found part: CopyProgram.FoundPart, _ table: LinkTable, _ column: Int, _ cell: CopyProgram.Cell
  ) {
    let (first, dangling) = (links.count, danglingCount)
    danglingCount += 1
    if let run = table.run, !runs.contains(where: { $0 === run }) { runs.append(run) }
    let run = runs.firstIndex { $0 === table.run } ?? -1
    links += (0..<table.partCount).map { table.parts[$0] }
    if let existing = table.existing { links.append(LinkTable.Part(existing)) }
    let code: CopyStep.Code =
      switch part {
      case .key: .found
      case .entityNumber: .foundEntityNumber
      case .ownKey: .keyBesideFound
      case .copy: .copyBesideFound
      }
    append(code, column, cell) { step in
      (step.first, step.count) = (first, table.partCount)
      (step.dangling, step.run) = (dangling, run)
      step.knowsExisting = table.existing != nil
      if case .copy(let other) = part { step.other = other }
    }
  }

  private mutating func append(
    _ code: CopyStep.Code, _ column: Int, _ cell: CopyProgram.Cell,
    _ change: (inout CopyStep) -> Void = { _ in }
  ) {
    let affinity = destination.affinities[cell.column]
    let from = source.affinities.indices.contains(column) ? source.affinities[column] : .blob
    // A key is never lost.
    let stored = cell.watched.filter { $0 >= 0 && $0 != source.keyColumn }
    var step = CopyStep(
      code: code, column: column, target: cell.column, affinity: affinity,
      unchanged: CopyStep.unchangedTypes(from: from, to: affinity), firstWatched: watched.count,
      watchedCount: stored.count)
    watched += stored
    change(&step)
    steps.append(step)
  }
}
