package import PassageValues

/// Copies the rows of a source table into a destination table: one sweep, in which the entity of
/// each row chooses a program.
///
/// ```swift
/// let copier = try RowCopier(sweep, writer, source: columns, destination: others, programs: programs)
/// while case .limit = try copier.run(rows: 10_000, bytes: 1 << 20) { record(try file.mark([writer])) }
/// ```
///
/// Cells are copied as they are stored, without being decoded, wherever the destination column
/// stores them alike; simple values and conditions are computed from the stored bytes. What the
/// caller must decide is handed to it row by row: ``Stop/row(_:)``.
package final class RowCopier {
  /// Why ``run(rows:bytes:)`` came back.
  package enum Stop: Equatable {
    /// So many rows, or bytes, have been copied.
    case limit
    /// There are no more rows.
    case end
    /// The caller decides about the current row, which belongs to the program with this position:
    /// it calls ``append()`` or does not.
    case row(Int)
  }

  /// Where the rows go.
  enum Output {
    case table(TableTreeWriter)
    case memory(RowMemory)
  }

  let sweep: TableSweep
  private let output: Output
  /// The writer or the memory that the rows go to. ``output`` keeps it alive, so that no reference to it
  /// is counted for each row.
  private let writer: Unmanaged<TableTreeWriter>?
  private let memory: Unmanaged<RowMemory>?
  private let entityColumn: Int
  private let isAlone: Bool
  /// The column as far as which each row is parsed.
  private let firstParsed: Int
  let keyColumn: Int
  let sourceAffinities: UnsafeMutablePointer<Affinity>
  let table: CopyTable
  let programs: UnsafeMutablePointer<CopyTable.Program>
  let programCount: Int
  let steps: UnsafeMutablePointer<CopyStep>
  let numbers: UnsafeMutablePointer<NumberStep>
  let plainNumbers: UnsafeMutablePointer<PlainStep>
  let machine: CellMachine
  private let columnCount: Int
  /// Whether links are given by runs.
  private let hasRuns: Bool
  /// Where the records of short rows are put together: type codes, and values.
  let types: RawMemory
  let values: RawMemory
  /// By program.
  let readCounts: UnsafeMutableBufferPointer<Int64>
  let rejectedCounts: UnsafeMutableBufferPointer<Int64>
  let madeCounts: UnsafeMutableBufferPointer<Int64>
  /// The rows with the number of another entity, in a table of one.
  var foreignCount: Int64 = 0
  /// The program of the row before.
  var latest = 0
  /// The row that the caller decides about.
  var record: RecordView?
  // What another module may ask for is computed of a private property: an access to a stored one is
  // checked for exclusivity for every row.

  /// Whether the condition holds for that row and its computed cells are set, so that only cells
  /// with ``CopyProgram/Origin/set`` are missing.
  package var isPrepared: Bool { hasPrepared }
  private var hasPrepared = false
  /// Whether a cell of the row is replaced.
  var hasReplaced = false
  private let arena = ValueArena()
  /// The memory for the texts and blobs that were set of the row.
  var setBytes: Int { arena.byteCount }
  /// What is left of the rows of ``run(rows:bytes:)``.
  private var rowsLeft = 0
  /// Rows with larger keys are not copied: they are the end.
  package var lastKey: Int64 {
    get { endKey }
    set { endKey = newValue }
  }
  private var endKey = Int64.max
  /// What is left of its bytes; not positive when they were the limit.
  package var bytesLeft: Int { unusedBytes }
  private var unusedBytes = 0

  /// - Parameters:
  ///   - source: the columns of the sweep's table.
  ///   - entityColumn: the column with the number of a row's entity; `nil` when the rows of the
  ///     table have no entities, and there is one program.
  ///   - isAlone: whether all rows are of one entity, so that there is one program, and foreign
  ///     numbers are only counted.
  ///   - destination: the columns of the writer's table.
  ///   - links: the tables to which the cells of the programs refer.
  ///   - copiedKeys: by program, the set that gets the keys of the copied rows.
  /// - Throws: ``ConvertedValue`` when a constant would be converted by SQLite.
  package convenience init(
    _ sweep: TableSweep, _ writer: TableTreeWriter, source: TableColumns, entityColumn: Int?,
    isAlone: Bool = false, destination: TableColumns, programs: [CopyProgram],
    links: [LinkTable] = [], copiedKeys: [KeySet?] = []
  ) throws(ConvertedValue) {
    try self.init(
      sweep, output: .table(writer), source: source, entityColumn: entityColumn, isAlone: isAlone,
      destination: destination, programs: programs, links: links, copiedKeys: copiedKeys)
  }

  init(
    _ sweep: TableSweep, output: Output, source: TableColumns, entityColumn: Int?, isAlone: Bool,
    destination: TableColumns, programs list: [CopyProgram], links: [LinkTable] = [],
    copiedKeys: [KeySet?] = []
  ) throws(ConvertedValue) {
    let table = try CopyTable(
      list, source: source, destination: destination, links: links, copiedKeys: copiedKeys)
    self.sweep = sweep
    self.output = output
    writer = if case .table(let writer) = output { .passUnretained(writer) } else { nil }
    memory = if case .memory(let memory) = output { .passUnretained(memory) } else { nil }
    self.entityColumn = entityColumn ?? -1
    self.isAlone = isAlone
    // Every row of a table with one program is the program's.
    let last = isAlone && list.count == 1 ? list[0].columns.max() ?? -1 : -1
    firstParsed = max(self.entityColumn, last)
    self.table = table
    keyColumn = source.keyColumn ?? -1
    programs = table.programs
    programCount = list.count
    steps = table.steps
    numbers = table.numbers
    plainNumbers = table.plainNumbers
    machine = table.machine
    columnCount = destination.affinities.count
    hasRuns = !table.runs.isEmpty
    // The type code of a short value takes at most two bytes.
    types = RawMemory(
      byteCount: RecordParts.typesMargin + 2 * columnCount + table.literalBytes
        + RecordView.slack)
    values = RawMemory(
      byteCount: RecordParts.longestValue * columnCount + table.literalBytes + RecordView.slack)
    sourceAffinities = .allocate(capacity: max(1, source.affinities.count))
    for (column, affinity) in source.affinities.enumerated() {
      (sourceAffinities + column).initialize(to: affinity)
    }
    readCounts = .allocate(capacity: list.count)
    readCounts.initialize(repeating: 0)
    rejectedCounts = .allocate(capacity: list.count)
    rejectedCounts.initialize(repeating: 0)
    madeCounts = .allocate(capacity: list.count)
    madeCounts.initialize(repeating: 0)
  }

  deinit {
    sourceAffinities.deallocate()
    readCounts.deallocate()
    rejectedCounts.deallocate()
    madeCounts.deallocate()
  }

  // MARK: Rows

  /// The key of the current row: the last one that was read.
  package var key: Int64 { sweep.key }

  /// Goes on until a limit is reached, or a row comes about which the caller decides.
  ///
  /// - Parameters:
  ///   - rows: how many are read at most, those of other entities included.
  ///   - bytes: how many are copied, about.
  /// - Throws: ``PageDamage``, ``ConvertedValue``, ``KeyOutOfOrder``, or an error of a file.
  package func run(rows: Int, bytes: Int) throws -> Stop {
    (rowsLeft, unusedBytes) = (rows, bytes)
    return try resume()
  }

  /// Goes on after ``Stop/row(_:)`` within the limits of ``run(rows:bytes:)``. What was set of a row that
  /// was not appended is forgotten.
  package func resume() throws -> Stop {
    arena.removeAll()
    if hasReplaced { removeReplacements() }
    var (rowsLeft, bytesLeft) = (self.rowsLeft, unusedBytes)
    defer { (self.rowsLeft, unusedBytes) = (rowsLeft, bytesLeft) }
    while rowsLeft > 0, bytesLeft > 0 {
      guard try sweep.next(), sweep.key <= endKey else { return .end }
      rowsLeft -= 1
      guard let index = try program() else { continue }
      readCounts[index] &+= 1
      bytesLeft -= sweep.payloadBytes
      if hasRuns { try advanceRuns() }
      let program = UnsafePointer(programs + index)
      let record = try sweep.record(through: program.pointee.lastColumn)
      var preparation = Preparation.ready
      if program.pointee.isPrepared {
        preparation = prepare(program, record)
        if preparation == .rejected {
          rejectedCounts[index] &+= 1
          continue
        }
      }
      if program.pointee.isDecidedByCaller || preparation == .undecided {
        self.record = record
        hasPrepared = preparation == .ready
        latest = index
        return .row(index)
      }
      if program.pointee.computedCount > 0 { countComputed(program, record) }
      try write(program, record)
      madeCounts[index] &+= 1
    }
    return .limit
  }

  /// Goes to the links of the current row.
  private func advanceRuns() throws {
    for run in table.runs { try run.advance(to: sweep.key) }
  }

  /// The program for the current row; `nil` when its entity has none.
  @inline(__always)
  private func program() throws -> Int? {
    guard entityColumn >= 0 else { return 0 }
    let record = try sweep.record(through: firstParsed)
    if entityColumn < record.count {
      let place = record.columns[entityColumn]
      // Most rows have the entity of the row before.
      if place.isInteger, record.integer(place) == programs[latest].entityNumber { return latest }
    }
    return program(ofAny: record)
  }

  @inline(never)
  private func program(ofAny record: RecordView) -> Int? {
    let number: Int64
    switch record.cell(entityColumn) {
    case .integer(let value): number = value
    // The number is compared as SQL compares it.
    case .real(let value):
      guard let whole = Int64(exactly: value) else { return foreignProgram() }
      number = whole
    default: return foreignProgram()
    }
    for index in 0..<programCount where programs[index].entityNumber == number {
      latest = index
      return index
    }
    return foreignProgram()
  }

  /// The program for a row with the number of no program's entity.
  private func foreignProgram() -> Int? {
    guard isAlone, programCount == 1 else { return nil }
    foreignCount &+= 1
    return 0
  }

  // MARK: The caller's rows

  /// A column of the row about which the caller decides, as SQLite gives it.
  ///
  /// - Returns: a cell that is valid until the next row.
  package func cell(_ column: Int) -> RawCell {
    guard column >= 0, let record else { return .null }
    return cell(column, record)
  }

  /// Sets a cell of the row about which the caller decides.
  ///
  /// - Parameter cell: the position of a cell with ``CopyProgram/Origin/set``, or of a computed one
  ///   unless the row ``isPrepared``.
  /// - Throws: ``ConvertedValue``.
  package func set(_ cell: Int, to value: Value) throws(ConvertedValue) {
    guard let index = table.step(ofCell: cell, in: latest) else { return }
    programs[latest].images[steps[index].target] = try image(of: value, steps[index])
  }

  func image(of value: Value, _ step: CopyStep) throws(ConvertedValue) -> CellImage {
    let image: CellImage? =
      switch value {
      case .null: .null
      case .integer(let number): step.affinity.image(of: .integer(number))
      case .real(let number): step.affinity.image(of: .real(number))
      case .text, .malformedText, .blob:
        step.affinity.image(of: arena.kept(value))
      }
    guard let image else { throw ConvertedValue(column: step.target) }
    return image
  }

  /// Copies the row about which the caller decides. The columns of the rows that follow may be
  /// parsed into the memory of the copy, so that they need not be copied: a caller that will not copy
  /// the next row to the same memory calls ``leaveCopy()`` before it goes on.
  ///
  /// - Parameter row: of ``RowSnapshots`` of this table; nobody else may have it.
  package func copyRow(to row: StoredRow) {
    guard let record else { return }
    RowSnapshots.copy(record, key: sweep.key, to: row.content)
    if record.columns != UnsafePointer(row.content.pointee.columns) { parseColumns(into: row) }
  }

  @inline(never)
  private func parseColumns(into row: StoredRow) {
    // Where callers of several programs take turns, one of them has the columns.
    guard sweep.hasOwnColumns else { return }
    guard row.content.pointee.columnCapacity >= sweep.columnCapacity else { return }
    sweep.moveColumns(to: row.content.pointee.columns, of: row.memory)
    pointRecordToColumns()
  }

  /// Leaves the row that was copied last, to which nothing of the rows that follow is written.
  package func leaveCopy() {
    sweep.moveColumns(to: nil, of: nil)
    pointRecordToColumns()
  }

  private func pointRecordToColumns() {
    record = record.map { RecordView(base: $0.base, columns: sweep.columns, count: $0.count) }
  }

  /// Appends the row about which the caller has decided. Its cells have been set.
  package func append() throws {
    guard let record else { return }
    defer { arena.removeAll() }
    let program = UnsafePointer(programs + latest)
    if hasPrepared, program.pointee.computedCount > 0 { countComputed(program, record) }
    guard hasReplaced else { return try write(program, record) }
    defer { removeReplacements() }
    try writeReplaced(program, record)
  }

  /// Forgets what was set of the row about which the caller has not decided.
  func forgetRow() {
    arena.removeAll()
    if hasReplaced { removeReplacements() }
    record = nil
  }

  /// Makes a row and appends it.
  @inline(__always)
  private func write(_ program: UnsafePointer<CopyTable.Program>, _ record: RecordView) throws {
    let key = sweep.key &+ program.pointee.keyOffset
    var parts = RecordParts(types: types.bytes, values: values.bytes)
    if let firstLong = try assemble(program, record, &parts, hasReplaced: false) {
      try writeLong(program, record, key: key, firstLong: firstLong)
    } else {
      try append(parts, key: key)
    }
    noteCopied(program)
  }

  /// Appends a row that is put together.
  @inline(__always)
  func append(_ parts: RecordParts, key: Int64) throws {
    if let writer {
      return try writer._withUnsafeGuaranteedRef { try $0.append(key: key, parts) }
    }
    guard let memory,
      memory._withUnsafeGuaranteedRef({ $0.append(key: key, program: latest, parts) })
    else { throw RowTooLong() }
  }

  /// Notes the key of the current row, if that is asked for.
  @inline(__always)
  func noteCopied(_ program: UnsafePointer<CopyTable.Program>) { noteCopied(sweep.key, program) }

  @inline(__always)
  private func noteCopied(_ key: Int64, _ program: UnsafePointer<CopyTable.Program>) {
    if let words = program.pointee.copiedKeys {
      let index = UInt64(bitPattern: key &- program.pointee.firstCopiedKey)
      if index <= program.pointee.lastCopiedIndex {
        words[Int(truncatingIfNeeded: index >> 6)] |= 1 << (index & 63)
      }
    }
  }

  /// Notes the keys of rows that a copier of the same programs has copied, where that is asked for.
  package func noteCopied(_ rows: RowBuffer) {
    guard (0..<programCount).contains(where: { programs[$0].copiedKeys != nil }) else { return }
    rows.forEachKey { index, key in
      if index < programCount { noteCopied(key &- programs[index].keyOffset, programs + index) }
    }
  }

  /// Makes a row with long values, which are not copied an additional time.
  @inline(never)
  func writeLong(
    _ program: UnsafePointer<CopyTable.Program>, _ record: RecordView, key: Int64, firstLong: Int
  ) throws {
    guard case .table(let writer) = output else { throw RowTooLong() }
    try fill(program, record, firstLong: firstLong)
    try writer.append(
      key: key, UnsafeBufferPointer(start: program.pointee.images, count: columnCount))
  }
}
