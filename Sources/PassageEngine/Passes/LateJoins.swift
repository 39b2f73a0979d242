internal import PassageFiles
internal import PassagePages
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Makes the pairs of join tables page by page after all objects of a pass: of both ends it is known
/// then what they have become.
///
/// SQLite does not see the pages until all of them are in the file, as in ``LatePages``. A run that
/// is interrupted before leaves the table to the assembly, and so does everything else that stands
/// in the way.
struct LateJoins {
  private static let rowsBetweenQuestions = 100_000
  /// Fewer pairs are looked up in less time than the pages are opened.
  private static let fewestRows = 500

  private let step: StepRun
  private let pass: Int
  private let store: PassStore
  private let source: Connection
  private let control: RunControl

  /// - Parameter source: a connection to the source, for its schema.
  init(step: StepRun, pass: Int, store: PassStore, source: Connection, control: RunControl) {
    self.step = step
    self.pass = pass
    self.store = store
    self.source = source
    self.control = control
  }

  /// - Throws: ``PagesUnsuitable`` when the pages are not what was written.
  func run() throws {
    guard !step.quarantine.isOpen, !MemoryDatabase.isPath(store.path),
      case .success(let reader)? = step.pages, try reader.isCurrent()
    else { return }
    for link in step.links.joined where link.mappingPlan.passIndex == pass {
      guard try !store.journal.isBegun(link) else { continue }
      try make(link, reader)
    }
  }

  private func make(_ link: JoinedLink, _ reader: PageReader) throws {
    guard let from = try PageTable(link.source.name, source), try isWorthIt(from),
      let table = try PageTable(link.destination.name, store.connection),
      let index = try table.keyIndexRoot(store.connection),
      Array(table.names.prefix(2)) == Array(link.destination.columns.prefix(2)),
      try store.connection.value("SELECT 1 FROM main.\(table.name.quotedIdentifier) LIMIT 1") == nil
    else { return }
    control.update(isMilestone: true) {
      $0.phase = .relate
      $0.mappingName = link.destination.name
    }
    try store.journal.setBegun(link)
    guard let pairs = try pairs(link, from, to: table, reader) else { return }
    try store.releaseLocks()
    defer { try? store.takeLocks() }
    guard try write(pairs, of: link, from, reader, to: table, index: index) else { return }
    try PagePass.check([table], of: store, threadCount: step.jobs, control: control)
    try store.connection.transaction {
      try store.journal.setAssociationCount(
        try step.facts.associationCount(of: link.candidates, store.connection), of: link)
      try store.journal.setJoinCount(
        JoinCount(
          lostAtFirst: pairs.lost.ofFirst, lostAtSecond: pairs.lost.ofSecond,
          dangling: pairs.lost.dangling), of: link)
      try LatePages.leaveMoment(store.journal)
    }
  }

  private func isWorthIt(_ table: PageTable) throws -> Bool {
    try step.plan.lanes.isForcedToPages
      || source.value(
        "SELECT 1 FROM \(table.name.quotedIdentifier) LIMIT 1 OFFSET ?",
        [.integer(Int64(Self.fewestRows))]) != nil
  }

  /// - Returns: the pairs, which have not been read yet; `nil` when SQL must make them.
  private func pairs(
    _ link: JoinedLink, _ from: PageTable, to table: PageTable, _ reader: PageReader
  ) throws -> LinkedPairs? {
    let objects = LinkedObjects(step: step, store: store, source: source, reader)
    var freeBytes = StepMemory.allowed.tableBytes
    guard from.names.indices.allSatisfy({ from.holdsNumbers($0) }),
      table.names.indices.allSatisfy({ table.holdsNumbers($0) }),
      let first = try objects.table(of: link.ends[0], freeBytes: &freeBytes),
      let second = try objects.table(of: link.ends[1], freeBytes: &freeBytes)
    else { return nil }
    let cells: [PairCopier.Cell] = table.names.map { name in
      guard let place = link.destination.columns.firstIndex(of: name) else { return .null }
      return switch link.cells[place] {
      case .end(let end): .end(end)
      case .copied(let column): .copy(from.position(column))
      case .empty: .null
      }
    }
    let path = store.path + "-sort"
    return LinkedPairs(
      TableSweep(reader, root: from.root, columnCount: from.names.count),
      ends: (
        LinkedPairs.End(column: from.position(link.ends[0].column), links: first),
        LinkedPairs.End(column: from.position(link.ends[1].column), links: second)
      ), cells: cells,
      memory: SortMemory(
        byteCount: StepMemory.allowed.latePairBytes, meter: StepMemory.allowed.meter
      ) {
        try FileSystem().makeFile(path)
        return try PositionalFile(path, mode: .updating)
      })
  }

  /// Whether an index of the source's table has the pairs that were read.
  private func isAgreed(
    _ read: PairCounts, _ link: JoinedLink, _ from: PageTable, _ reader: PageReader
  ) throws -> Bool {
    let counts = try PairIndex.counts(
      of: from.name, link.ends.map(\.column), source, reader, control: control)
    if let counts { return counts == read }
    // Very old stores have no index over both ends.
    let first = (from.names.first ?? "").quotedIdentifier
    return try read.readCount
      == source.integer(
        "SELECT count(*) FROM \(from.name.quotedIdentifier) WHERE \(first) >= ?",
        [.integer(.min)])
  }

  /// - Returns: false when SQL must make the pairs.
  private func write(
    _ pairs: LinkedPairs, of link: JoinedLink, _ from: PageTable, _ reader: PageReader,
    to table: PageTable, index: UInt32
  ) throws -> Bool {
    defer { try? FileSystem().remove(store.path + "-sort") }
    do {
      while try pairs.run(rows: Self.rowsBetweenQuestions) { try control.checkCancellation() }
    } catch is ConvertedValue {
      return false
    } catch let damage as PageDamage {
      throw StoreError(DamagedTable(table: from.name, damage: damage), path: step.source.path)
    }
    // SQLite reads pairs from the table's index. Where the two differ, its answer counts.
    guard try isAgreed(pairs.read, link, from, reader) else { return false }
    try control.checkCancellation()
    let file = try PageFileWriter(path: store.path, keepsPages: true)
    let digest: PageDigest
    do {
      digest = try pairs.write(to: file, table: table.root, index: index)
    } catch {
      try file.discard()
      guard error is AmbiguousPair else { throw error }
      return false
    }
    try store.journal.setWrittenByPages()
    try LatePages.enterMoment(store.journal)
    try store.journal.setDigest(digest, ofTable: table.name)
    try file.finish()
    return true
  }
}
