internal import PassageMappings
internal import PassagePages
internal import PassageSQLite
internal import PassageStores

/// The entity mappings that fill a destination table from one source table in one sweep: their
/// objects lie between each other and keep their order.
final class PageFeed {
  let mappings: [PageMapping]
  private let copier: RowCopier
  private let sweep: TableSweep

  /// A slow policy must not delay a run that is to stop.
  private let rowsBetweenQuestions: Int
  private let source: PageTable
  private let destination: PageTable
  private let writer: TableTreeWriter
  private let jobs: Int
  /// What threads need to make objects beside each other; `nil` when they cannot.
  private let job: RangeCopier.Job?
  /// Where threads begin: the rows up to this key are done.
  private var firstOfThreads: Int64?
  private var ranges: SharedRanges?
  /// The sweep after this one, whose ranges threads may begin when this one needs them no more.
  var next: EarlyRanges?

  /// - Parameters:
  ///   - works: mappings of different entities of one source table, with the same key offset.
  ///   - programs: their programs.
  ///   - writer: of the destination table.
  ///   - links: the tables in which the programs find related objects.
  ///   - takenKeys: by mapping, the set that gets the keys of the objects it takes.
  /// - Throws: ``PagesUnsuitable``.
  init(
    _ works: [(MappingRun, ColumnProgram)], step: StepRun, source: PageTable, reader: PageReader,
    destination: PageTable, writer: TableTreeWriter, links: [LinkTable] = [],
    takenKeys: [KeySet?] = []
  ) throws {
    guard source.holdsObjects else {
      throw PagesUnsuitable("a source table is not an ordinary one")
    }
    self.source = source
    self.destination = destination
    self.writer = writer
    jobs = step.jobs
    mappings = try works.compactMap { work, program in
      guard let entity = work.mappingPlan.source else { return nil }
      return try PageMapping(
        work, program, entity: entity, from: source, to: destination, step: step)
    }
    rowsBetweenQuestions = works.contains { $0.0.policy != nil } ? 16 : 256
    let isAlone = mappings.first?.work.mappingPlan.source?.isAlone ?? false
    sweep = TableSweep(reader, root: source.root, columnCount: source.names.count)
    do {
      copier = try RowCopier(
        sweep, writer, source: source.columns, entityColumn: source.position("Z_ENT"),
        isAlone: isAlone, destination: destination.columns, programs: mappings.map(\.program.copy),
        links: links,
        copiedKeys: takenKeys)
    } catch {
      throw Self.unsuitable(error, destination)
    }
    job =
      step.jobs > 1 && links.isEmpty
      ? RangeCopier.Job(
        mappings.map(\.making), reader, from: source, isAlone: isAlone, to: destination,
        longestPayload: writer.longestPayload) : nil
  }

  /// The feed of mappings that share a sweep, with their programs and links.
  ///
  /// - Parameter source: a connection to the source, for its schema.
  /// - Throws: ``PagesUnsuitable``.
  convenience init(
    _ group: [MappingRun], _ links: PageLinks, step: StepRun, source: Connection,
    _ reader: PageReader, destination: PageTable, _ writer: TableTreeWriter,
    _ missing: MissingValues
  ) throws {
    var found: [LinkTable] = []
    links.beginSweep()
    let works = try group.map { work in
      let lookedUp = try links.columns(of: work, &found)
      return (work, step.links.program(of: work.mappingPlan, lookedUp: lookedUp))
    }
    for (_, program) in works { missing.note(constantsOf: program) }
    let table = try PageTable(
      ofSource: group.first?.mappingPlan.source?.tableName ?? "", source)
    try self.init(
      works, step: step, source: table, reader: reader, destination: destination, writer: writer,
      links: found, takenKeys: group.map { links.takenKeys(of: $0.mappingPlan) })
  }

  /// Ends the sweep.
  func stop() {
    ranges?.stop()
    for mapping in mappings { mapping.end() }
  }

  /// Starts after a source key.
  ///
  /// - Parameters:
  ///   - limits: of the batches.
  ///   - early: ranges of this sweep that threads have begun.
  func start(after key: Int64, _ limits: BatchLimits, early: SharedRanges? = nil) throws {
    ranges = early
    try named { try sweep.seek(after: key) }
    if job != nil, early == nil, limits.allowThreads { firstOfThreads = key }
  }

  private func beginThreads(_ limits: BatchLimits, _ control: RunControl) {
    guard let job, let key = firstOfThreads.take() else { return }
    let shared = SharedMaking(
      job, mappings.map(\.making), rowsOfBatch: limits.rows, control)
    ranges = SharedRanges(sweep.reader, after: key, shared, threadCount: jobs)
  }

  private func beginNext() {
    if ranges?.isAllBegun ?? true { next?.begin() }
  }

  /// Makes objects until a limit of the batch is reached or the run should stop, and tells the
  /// progress.
  ///
  /// - Returns: whether the source is at its end.
  func run(_ limits: BatchLimits, _ control: RunControl) throws -> Bool {
    var isAtEnd = false
    let clock = BatchClock()
    beginThreads(limits, control)
    beginNext()
    for mapping in mappings { try mapping.beginBatch() }
    try named {
      var (rowsLeft, bytesLeft) = (limits.rows, limits.bytes)
      repeat {
        if let rows = try ranges?.next(copier, sweep, mappings) {
          try writer.append(rows)
          rowsLeft -= rows.rowCount
          bytesLeft -= rows.byteCount
          beginNext()
          continue
        }
        let rows = min(rowsLeft, rowsBetweenQuestions)
        rowsLeft -= rows
        var stop = try copier.run(rows: rows, bytes: bytesLeft)
        while case .row(let index) = stop {
          stop = try mappings[index].decideRows(ofProgram: index, copier)
        }
        isAtEnd = stop == .end && (ranges?.noteCopied(copier) ?? true)
        bytesLeft = copier.bytesLeft
      } while !isAtEnd && rowsLeft > 0 && bytesLeft > 0 && !clock.isOver && !control.shouldStop
    }
    var count: Int64 = 0
    for (index, mapping) in mappings.enumerated() {
      count += mapping.count(copier, program: index)
      // A sweep that has read nothing has no key of its own.
      mapping.work.progress.cursor = max(
        mapping.work.progress.cursor, ranges?.key(copier) ?? copier.key)
    }
    control.update {
      $0.passCompleted += count
      $0.completed += count
    }
    return isAtEnd
  }

  /// Makes all objects, in one go.
  ///
  /// - Throws: `Cancellation` when the run should stop.
  func runToEnd(_ limits: BatchLimits, _ control: RunControl) throws {
    try start(after: .min, limits)
    repeat { try control.checkCancellation() } while try !run(limits, control)
  }

  /// Names the table in an error of its pages, and the column of a value that is left to SQLite.
  private func named<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let damage as PageDamage {
      throw DamagedTable(table: source.name, damage: damage)
    } catch let converted as ConvertedValue {
      throw Self.unsuitable(converted, destination)
    } catch let order as KeyOutOfOrder {
      throw PagesUnsuitable("the keys of \(destination.name) are not in order at \(order.key)")
    }
  }

  private static func unsuitable(
    _ converted: ConvertedValue, _ table: PageTable
  ) -> PagesUnsuitable {
    PagesUnsuitable(
      "a value of \(table.name).\(table.names[converted.column]) would be converted between text "
        + "and number")
  }
}
