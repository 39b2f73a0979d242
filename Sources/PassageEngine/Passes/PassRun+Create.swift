internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassagePages
internal import PassageQueries
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// The sweeps that make the objects of an entity mapping.
extension PassRun {
  private func program(of mappingPlan: MappingPlan, lookedUp: [LinkColumn] = []) -> ColumnProgram {
    let program = step.links.program(of: mappingPlan, lookedUp: lookedUp)
    missing.note(constantsOf: program)
    return program
  }

  /// The links that the sweep of a mapping can look up because the related objects already exist.
  /// The journal records this, so that the assembly skips them.
  private func lookedUpColumns(_ work: MappingRun) throws -> [LinkColumn] {
    var lookedUp: [LinkColumn] = []
    for link in step.links.swept[work.mappingPlan.index] {
      let areMade = try link.candidates.allSatisfy {
        try (store.journal.progress(of: $0.index)?.phase ?? .begin) > .create
      }
      let name = SweptLink.stateName(mappingPlan: link.mappingPlan, relationship: link.relationship)
      // A sweep that began without the links continues without them.
      let isBegun = work.progress.cursor != .min
      guard areMade, try !isBegun || store.journal.state(name) != nil,
        let columns = try link.columns(
          of: step.plan, isSound: step.links.isSound(link.relationship, of: link.mappingPlan),
          on: store.connection)
      else { continue }
      try store.journal.setState(
        name, .integer(try step.facts.associationCount(of: link.candidates, store.connection)))
      lookedUp += columns
    }
    return lookedUp
  }

  /// The row lane leaves links to the assembly, so what the sweep looked up so far is discarded.
  private func forgetLookedUp(_ work: MappingRun) throws {
    for link in step.links.swept[work.mappingPlan.index] {
      try store.journal.removeState(
        SweptLink.stateName(mappingPlan: link.mappingPlan, relationship: link.relationship))
    }
  }

  func createInSQL(_ work: MappingRun) throws {
    let program = program(of: work.mappingPlan, lookedUp: try lookedUpColumns(work))
    guard let read = readInSQL(work.mappingPlan),
      let lane = try SetLane(
        program, reading: read, order: columns(of: work.mappingPlan.destination),
        now: step.plan.now, missing: missing, nilled: nilled, foreign: foreign)
    else {
      work.context.account.abandonSQL("a part of it cannot be translated to SQL for this store")
      return try createRows(work)
    }
    let isFromFirst = work.progress.cursor == .min
    var ranges = try read.ranges(after: work.progress.cursor)
    var appends = ranges.isDense
    // The first batch is small and shows how large the rows are.
    var rows = min(limits.rows, 1_000)
    while let range = try ranges.range(rows: rows) {
      let before = try store.byteCount
      var isDone = try run(lane, range, appends: appends, work)
      if !isDone, appends {
        appends = false
        isDone = try run(lane, range, appends: appends, work)
      }
      guard isDone else {
        work.context.account.abandonSQL(Self.fallbackReason(after: work.context.account.read))
        return try createRows(work)
      }
      let bytesPerRow = max(1, try store.byteCount - before) / Int64(rows)
      rows = min(limits.rows, max(1, Int(Int64(limits.bytes) / max(1, bytesPerRow))))
    }
    if isFromFirst, lane.countsForeignNumbers {
      step.facts.countedForeignNumbers.insert(work.mappingPlan.index)
    }
  }

  /// Migrates one range of keys.
  ///
  /// - Returns: false when a function of the expression language failed: SQL does not say for which
  ///   object, and the row lane does. Then nothing was written.
  private func run(
    _ lane: SetLane, _ range: ClosedRange<Int64>, appends: Bool, _ work: MappingRun
  ) throws -> Bool {
    let account = work.context.account
    do {
      try batch(work, cursor: range.upperBound) {
        try counting(work) {
          try lane.run(range, appends: appends, account: &work.context.account)
        }
      }
      return true
    } catch let error as SQLiteError where error.isStatementError {
      work.context.account = account
      _ = nilled.take()
      _ = foreign.take()
      return false
    }
  }

  /// The columns of an entity's table in the new store, in their order.
  private func columns(of entity: EntityLayout?) -> [String] {
    let table = entity.flatMap { step.plan.destinationLayout.table(named: $0.tableName) }
    return table?.columns.map(\.name) ?? []
  }

  /// Why a mapping of the set lane continues in the row lane.
  private static func fallbackReason(after objects: Int64) -> String {
    "SQL could not compute a value"
      + (objects == 0 ? "" : "; the first \(objects) objects were read in SQL")
  }

  /// What SQL on the connection that writes the pass store reads for a mapping.
  func readInSQL(_ mappingPlan: MappingPlan) -> ReadRows? {
    ReadRows(
      of: mappingPlan, step: step.plan, connection: store.connection, schema: "source")
  }

  /// What is read object by object: source objects on the connection of the pass that only reads; elements on
  /// the one that has the journal. A connection for each mapping would keep the whole schema for each.
  func readByRows(_ mappingPlan: MappingPlan) throws -> ReadRows? {
    if mappingPlan.elements != nil { return readInSQL(mappingPlan) }
    return ReadRows(
      of: mappingPlan, step: step.plan, connection: try lookup.source(), schema: "")
  }

  /// Counts what a sweep makes. Elements are not objects: only those that were made of them count.
  private func counting(_ work: MappingRun, _ body: () throws -> Int64) rethrows -> Int64 {
    let account = work.context.account
    let done = try body()
    guard work.mappingPlan.elements != nil else { return done }
    let made = work.context.account.made
    work.context.account = account
    work.context.account.made = made
    return 0
  }

  func createRows(_ work: MappingRun) throws {
    try forgetLookedUp(work)
    guard let read = try readByRows(work.mappingPlan) else {
      throw PolicyMistake("“\(work.mappingPlan.name)” reads nothing")
    }
    if let reader = try sweptReader(work) {
      let isFromFirst = work.progress.cursor == .min
      try createRows(work, read) { _, _ in
        reader
      } count: {
        work.context.account.foreignNumbers += reader.takeForeignCount()
      }
      if isFromFirst { step.facts.countedForeignNumbers.insert(work.mappingPlan.index) }
      return
    }
    try createRows(work, read) { [step, limits] links, cells in
      try FilteredReader(
        read, filter: work.mappingPlan.bound.filter, step: step.plan, rowsOfRange: limits.rows,
        links: links, cells: cells)
    } count: {
    }
  }

  /// The objects of which a policy makes others, read from pages; `nil` when SQLite reads them, as where the
  /// cells of links may be texts.
  private func sweptReader(_ work: MappingRun) throws -> SweptReader? {
    let mappingPlan = work.mappingPlan
    guard usesPages, step.plan.lanes.comparisonObstacle == nil, mappingPlan.isMadeByPolicy,
      mappingPlan.elements == nil, mappingPlan.bound.filter == nil, let entity = mappingPlan.source,
      let own = mappingPlan.bound.source, case .success(let reader)? = step.pages,
      try reader.isCurrent(), let table = try PageTable(entity.tableName, lookup.source())
    else { return nil }
    let paths = RowMapper.keyPaths(
      of: mappingPlan.bound, positions: Set(mappingPlan.bound.attributes.indices), filter: nil)
    return SweptReader(
      reader, table, entity, paths: SourceReader.everyCell(of: own, in: step.plan.source) + paths,
      path: step.source.path)
  }

  /// - Parameters:
  ///   - source: opens the source, as in ``RowLane/Doors``.
  ///   - count: called after the objects of each batch.
  private func createRows<Source: RowSource>(
    _ work: MappingRun, _ read: ReadRows,
    source: @escaping (LinkTables, (BoundPredicate?) -> SourceCells) throws -> Source,
    count: () -> Void
  ) throws {
    let program = program(of: work.mappingPlan)
    let doors = RowLane<Source, SQLRowSink>.Doors(source: source) { [store] columns in
      try SQLRowSink(
        connection: store.connection, table: work.mappingPlan.destination?.tableName ?? "",
        constants: program.constants, columns: columns)
    }
    let lane = try RowLane(
      program, step: step, context: work.context, policy: work.policy, reading: read,
      doors: doors)
    try lane.start(after: work.progress.cursor)
    defer { lane.stop() }
    var isAtEnd = false
    while !isAtEnd {
      try batch(work, cursor: nil) {
        try counting(work) {
          let clock = BatchClock()
          let batch = try lane.runBatch(
            rows: limits.rows, bytes: limits.bytes,
            shouldStop: { control.shouldStop || clock.isOver })
          count()
          isAtEnd = batch.isAtEnd
          if let key = batch.lastKey { work.progress.cursor = key }
          return Int64(batch.count)
        }
      }
    }
  }
}
