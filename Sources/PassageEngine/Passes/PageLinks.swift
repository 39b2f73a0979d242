internal import PassagePages
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// The links that sweeps by pages write although they are not arithmetic: what became of the
/// related objects is kept in memory, a bit for each key of their source table, and for policies'
/// objects a number.
///
/// Where that takes too much memory, the links are sorted and merged with what became of the related
/// objects (``MergedLinks``). A link to an object that became several is left to the assembly, and
/// so are links to objects of the same sweeps by pages for which a bit each is too much.
final class PageLinks {
  private let step: StepRun
  private let store: PassStore
  private let source: Connection
  private let reader: PageReader
  private let control: RunControl
  private let related: LinkedObjects
  /// Mappings whose objects are in the store, which SQLite may read.
  private let made: Set<Int>
  /// The links that can be written, by mapping.
  private var writable: [Int: [SweptLink]] = [:]
  /// The links that are moved, of mappings whose sweeps count them from their beginning.
  private var moved: [Int: [MovedLink]] = [:]
  /// By mapping, the source objects that were taken.
  private var taken: [Int: KeySet] = [:]
  /// By mapping, the last table whose links ask for its objects, by position.
  private var lastUses: [Int: Int] = [:]
  private var freeBytes = StepMemory.allowed.tableBytes
  /// What is left of them for the tables of the sweep.
  private var freeBytesOfSweep = 0
  /// What is left for sorting the links of the sweep.
  private var freeRunBytes = 0

  /// - Parameters:
  ///   - tables: the mappings of each destination table, in the order in which the tables are filled.
  ///   - made: mappings whose objects are in the store, which SQLite may read.
  ///   - source: a connection to the source, for its schema.
  init(
    _ tables: [[MappingPlan]], after made: Set<Int> = [], step: StepRun, store: PassStore,
    source: Connection, _ reader: PageReader, control: RunControl
  ) throws {
    self.step = step
    self.store = store
    self.source = source
    self.reader = reader
    self.control = control
    related = LinkedObjects(step: step, store: store, source: source, reader)
    self.made = made
    var known = made
    for (place, mappingPlans) in tables.enumerated() {
      for mappingPlan in mappingPlans {
        for link in step.links.swept[mappingPlan.index]
        where link.candidates.allSatisfy({ known.contains($0.index) }) && reserve(link) {
          writable[mappingPlan.index, default: []].append(link)
          for candidate in link.candidates { lastUses[candidate.index] = place }
        }
      }
      known.formUnion(mappingPlans.map(\.index))
    }
    let own = Set(tables.joined().map(\.index))
    var read: [MappingPlan] = []
    for candidate in writable.values.joined().flatMap(\.candidates)
    where !own.contains(candidate.index) {
      guard let set = taken[candidate.index] else { continue }
      if let other = read.first(where: { $0.sharesKeys(with: candidate) }) {
        taken[candidate.index] = taken[other.index]
      } else {
        if set.isEmpty { try related.read(takenBy: candidate, into: set) }
        read.append(candidate)
      }
    }
  }

  /// Makes the sets for the objects to which a link may lead.
  ///
  /// - Returns: whether there is enough memory, or SQLite can be asked instead.
  private func reserve(_ link: SweptLink) -> Bool {
    let keys = related.keys(of: link.table)
    guard link.candidates.allSatisfy({ !sharesObjects($0, link) }) else { return false }
    let missing = link.candidates.filter { taken[$0.index] == nil }
    guard let each = KeySet.byteCount(of: keys), each <= freeBytes / max(1, missing.count) else {
      return missing.allSatisfy { made.contains($0.index) }
    }
    for candidate in missing { taken[candidate.index] = KeySet(keys, limit: each) }
    freeBytes -= each * missing.count
    return true
  }

  /// Whether an object of the destination at a key of a mapping's objects can be another mapping's
  /// that is no candidate of the link.
  private func sharesObjects(_ mappingPlan: MappingPlan, _ link: SweptLink) -> Bool {
    step.plan.mappingPlans.contains { other in
      other.index != mappingPlan.index && other.passIndex == mappingPlan.passIndex
        && other.keyOffset == mappingPlan.keyOffset
        && other.source?.tableName == mappingPlan.source?.tableName
        && other.destination?.number == mappingPlan.destination?.number
        && !link.candidates.contains { $0.index == other.index }
    }
  }

  // MARK: Sweeps

  /// The set of the objects that a mapping takes; `nil` when no link asks for it.
  func takenKeys(of mappingPlan: MappingPlan) -> KeySet? { taken[mappingPlan.index] }

  /// Called before the first mapping of a sweep, when the tables of the one before are gone.
  func beginSweep() {
    freeBytesOfSweep = freeBytes
    freeRunBytes = StepMemory.allowed.runBytes
  }

  /// Whether the sweep of a mapping may write links to objects of earlier sweeps.
  func mayWriteLinks(of mappingPlan: MappingPlan) -> Bool {
    !writable[mappingPlan.index, default: []].isEmpty
  }

  /// The links that the sweep of a mapping writes, and appends their tables.
  ///
  /// The journal records each, so that the assembly skips it.
  func columns(of work: MappingRun, _ tables: inout [LinkTable]) throws -> [LinkColumn] {
    var columns: [LinkColumn] = []
    for link in writable[work.mappingPlan.index, default: []] {
      let name = SweptLink.stateName(mappingPlan: link.mappingPlan, relationship: link.relationship)
      // A sweep that began without the links continues without them.
      guard try work.progress.cursor == .min || store.journal.state(name) != nil,
        let table = try table(of: link) ?? merged(link)
      else {
        try store.journal.removeState(name)
        continue
      }
      // A sweep that continues keeps the count of its beginning: objects that were associated since
      // are missing in the rows that it has written.
      if work.progress.cursor == .min {
        try store.journal.setState(
          name, .integer(try step.facts.associationCount(of: link.candidates, store.connection)))
      }
      columns += link.columns(table: tables.count)
      tables.append(table)
      work.foundLinks[link.column] =
        try store.journal.linkCount(of: link.relationship, in: work.mappingPlan) ?? LinkCount()
    }
    try beginCounting(of: work)
    return columns
  }

  /// Has the sweep of a mapping count the links that it moves.
  private func beginCounting(of work: MappingRun) throws {
    moved[work.mappingPlan.index] = try MovedLink.all(of: work.mappingPlan, step: step.plan)
      .filter { link in
        let known = try store.journal.linkCount(of: link.relationship, in: work.mappingPlan)
        // An earlier version may have begun the sweep without counting.
        guard known != nil || work.progress.cursor == .min else { return false }
        work.foundLinks[link.column] = known ?? LinkCount()
        return true
      }
  }

  /// Has the links of the sweep sorted and merged.
  ///
  /// - Returns: `nil` when they are left to the assembly.
  private func merged(_ link: SweptLink) throws -> LinkTable? {
    let byteCount = freeRunBytes / 2
    guard byteCount >= LinkRun.leastBytes,
      link.candidates.allSatisfy({ taken[$0.index] != nil || made.contains($0.index) }),
      let run = try MergedLinks(
        of: link, store: store, source: source, reader, control: control
      ).run(byteCount: byteCount, taken: { [taken] in taken[$0.index] })
    else { return nil }
    freeRunBytes -= byteCount
    return LinkTable(run)
  }

  /// - Returns: `nil` when it takes too much memory, or an object may have become several.
  private func table(of link: SweptLink) throws -> LinkTable? {
    let table = LinkTable()
    let keys = related.keys(of: link.table)
    let before = freeBytesOfSweep
    var isUsed = false
    defer { if !isUsed { freeBytesOfSweep = before } }
    // The objects of which it is known what they have become.
    var known = 0
    var sets: [KeySet] = []
    for candidate in link.candidates {
      guard let destination = candidate.destination else { continue }
      var own: KeySet?
      if link.expected.familyNumbers.contains(destination.number) {
        guard let set = taken[candidate.index] else { return nil }
        own = set
        if !sets.contains(where: { $0 === set }) {
          table.append(set, offset: candidate.keyOffset, entityNumber: destination.number)
          sets.append(set)
          known += set.count
        }
      }
      guard candidate.hasAssociations else { continue }
      let associations = AssociationMap(
        of: candidate, leadingTo: link.expected, step: step, store: store)
      switch try associations.read(keys: keys, except: own, limit: freeBytesOfSweep) {
      case .none: break
      case .map(let map, let count, let number):
        table.append(map, entityNumber: number)
        freeBytesOfSweep -= map.byteCount
        known += count
      case .unsuitable: return nil
      }
    }
    guard !table.isEmpty else { return nil }
    if !link.isOfSameObject, known < related.rowCount(of: link.table) {
      guard let byteCount = KeySet.byteCount(of: keys),
        let existing = KeySet(keys, limit: freeBytesOfSweep)
      else { return nil }
      freeBytesOfSweep -= byteCount
      try related.read(keysOf: link.table, into: existing)
      table.existing = existing
    }
    isUsed = true
    return table
  }

  // MARK: Progress

  private static func setName(_ mapping: Int) -> String { "pages:taken:\(mapping)" }

  /// Records what the links of later sweeps need of the mappings that have begun.
  func record(_ works: [MappingRun]) throws {
    for work in works {
      let index = work.mappingPlan.index
      if let set = taken[index] {
        try store.journal.setState(Self.setName(index), .blob(set.bytes))
      }
    }
    try recordCounts(works)
  }

  /// Records what was counted of the links that the mappings write.
  func recordCounts(_ works: [MappingRun]) throws {
    for work in works {
      let index = work.mappingPlan.index
      let links =
        writable[index, default: []].map { ($0.column, $0.relationship) }
        + moved[index, default: []].map { ($0.column, $0.relationship) }
      for (column, relationship) in links {
        guard let count = work.foundLinks[column] else { continue }
        try store.journal.setLinkCount(count, of: relationship, in: work.mappingPlan)
      }
    }
  }

  /// Continues where an interrupted run has recorded its progress.
  ///
  /// - Parameter finishedTables: the number of tables that are complete.
  /// - Throws: ``PagesUnsuitable`` when that is not possible.
  func restore(_ works: [MappingRun], finishedTables: Int) throws {
    for (mapping, last) in lastUses where last < finishedTables { taken[mapping] = nil }
    for work in works where work.progress.cursor != .min {
      guard let set = taken[work.mappingPlan.index] else { continue }
      guard
        let bytes = try store.journal.state(Self.setName(work.mappingPlan.index))?.bytes,
        set.restore(bytes)
      else { throw PagesUnsuitable("the progress of an interrupted run cannot be read") }
    }
  }

  /// Gives back the memory that no link of a later table needs.
  ///
  /// - Parameter table: the position of the table that is complete.
  func release(afterTable table: Int) throws {
    for (mapping, last) in lastUses where last == table {
      taken[mapping] = nil
      lastUses[mapping] = nil
      try store.journal.removeState(Self.setName(mapping))
    }
  }
}
