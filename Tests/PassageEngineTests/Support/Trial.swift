import Foundation
import Passage
import PassageEngine
import PassageFiles
import PassageTesting
import TestSupport
import Testing

/// A source store in a folder of its own, and the ways to migrate it. Whatever way, the source's
/// bytes must stay as they were, and what comes out must be a sound store.
struct Trial {
  let directory: TemporaryDirectory
  let source: Model
  var destination: Model
  var between: [Model] = []
  var mappings: [MappingModel]
  var policies: [any MigrationPolicy.Type]
  var functions: [ValueFunction] = []
  /// Whether small work is kept in memory, as it is outside of tests. Most tests are about what is
  /// in the work folder.
  var worksInMemory = false
  /// The lane where a call asks for none.
  var lane = MigrationOptions.Lane.automatic

  var sourceName = "old.sqlite"

  var sourcePath: String { directory.path(sourceName) }

  init(
    _ source: Model, _ destination: Model, between: [Model] = [], _ mappings: [MappingModel],
    policies: [any MigrationPolicy.Type] = [], journalMode: StoreBuilder.JournalMode = .wal,
    isLogKept: Bool = false, fill: (TestStore) throws -> Void = { _ in }
  ) throws {
    directory = try TemporaryDirectory()
    self.source = source
    self.destination = destination
    self.between = between
    self.mappings = mappings
    self.policies = policies
    let store = try TestStore(
      model: source, at: directory.path("old.sqlite"), journalMode: journalMode)
    try fill(store)
    try store.close(isLogKept: isLogKept)
  }

  // MARK: Running

  func migration(
    to target: MigrationDestination, options: MigrationOptions = MigrationOptions(),
    files: FileSystem = FileSystem()
  ) -> StoreMigration {
    var options = options
    if !worksInMemory { options.limits.workMemoryBytes = 0 }
    if options.lane == .automatic { options.lane = lane }
    return StoreMigration(
      storePath: sourcePath, destination: target, source: source, destinationModel: destination,
      models: Dictionary(
        ([source, destination] + between).map { ($0.name, $0) },
        uniquingKeysWith: { first, _ in first }),
      mappings: mappings, policies: PolicyRegistry(policies, functions: functions),
      options: options, files: files)
  }

  /// Runs once to a file beside the source; the source must not change.
  @discardableResult
  func run(
    to name: String = "new.sqlite", options: MigrationOptions = MigrationOptions(),
    files: FileSystem = FileSystem(), control: RunControl = RunControl()
  ) throws -> MigrationReport {
    let before = sourceBytes
    defer { #expect(sourceBytes == before, "the source was changed") }
    return try migration(
      to: .file(directory.path(name)), options: options, files: files
    ).run(control: control)
  }

  @discardableResult
  func runInPlace(
    options: MigrationOptions = MigrationOptions(), files: FileSystem = FileSystem(),
    control: RunControl = RunControl()
  ) throws -> MigrationReport {
    try migration(to: .inPlace, options: options, files: files).run(control: control)
  }

  /// The error of a run that must fail.
  func failure(
    to name: String = "new.sqlite", options: MigrationOptions = MigrationOptions(),
    files: FileSystem = FileSystem(), control: RunControl = RunControl()
  ) throws -> MigrationError {
    try #require(throws: MigrationError.self) {
      try run(to: name, options: options, files: files, control: control)
    }
  }

  /// The source as it lies on disk, its log included.
  var sourceBytes: [[UInt8]] {
    ["old.sqlite", "old.sqlite-wal"].map { directory.contents($0) ?? [] }
  }

  /// Holds the migrated store against the one that the set lane makes.
  func expectSameAsInSets(_ name: String = "new.sqlite") throws {
    var sets = MigrationOptions()
    sets.lane = .set
    try run(to: "set.sqlite", options: sets)
    let rows = try ["set.sqlite", name].map { try StoreRows(path: directory.path($0)) }
    #expect(rows[1].differences(from: rows[0]) == [])
  }

  // MARK: Every way

  /// Runs in all lanes, in the work folder and in memory, with large batches and small ones; all must
  /// give the same store. Of the ways that differ least, one is drawn.
  ///
  /// - Parameters:
  ///   - ways: other ones.
  ///   - keepsLinksToNothing: whether links that lead to no object in the source may do so in the
  ///     result: those whose keys are copied unchanged.
  ///   - note: gets each way and the report of its run.
  /// - Returns: what the store holds, and the report of the run in the planned lanes.
  @discardableResult
  func migrate(
    _ ways: [MigrationOptions]? = nil, keepsLinksToNothing: Bool = false,
    noting note: (MigrationOptions, MigrationReport) throws -> Void = { _, _ in }
  ) throws -> (contents: StoreContents, report: MigrationReport) {
    var first: (rows: StoreRows, contents: StoreContents, report: MigrationReport)?
    for (number, way) in (ways ?? drawnWays).enumerated() {
      let name = "new-\(number).sqlite"
      var trial = self
      trial.worksInMemory = way.limits.workMemoryBytes > 0
      let report = try trial.run(to: name, options: way)
      try note(way, report)
      let path = directory.path(name)
      let findings = try StoreAudit(path: path, model: destination).findings.filter {
        !(keepsLinksToNothing && $0.hasSuffix("links lead to no object"))
      }
      #expect(findings == [])
      #expect(report.steps.flatMap(\.mappings).filter { !$0.isBalanced } == [])
      let rows = try StoreRows(path: path)
      if let first {
        #expect(
          rows.differences(from: first.rows) == [],
          """
          lane: \(way.lane), batch: \(way.limits.batch.rows), memory: \(trial.worksInMemory), \
          jobs: \(way.limits.jobs)
          """)
        #expect(Self.counts(report) == Self.counts(first.report))
        #expect(Self.lostLinks(report) == Self.lostLinks(first.report))
      } else {
        first = (rows, try StoreContents(path: path, model: destination), report)
      }
    }
    #expect(directory.names.filter { $0.hasSuffix(".passage") } == [])
    let found = try #require(first)
    return (found.contents, found.report)
  }

  /// What becomes of a source that may be damaged.
  enum Outcome {
    case made(StoreRows, accounts: [MappingAccount], lostLinks: [String])
    /// The codes of what was found.
    case refused([String])

    /// What is otherwise than in another outcome.
    func differences(from other: Outcome) -> [String] {
      switch (self, other) {
      case (.made(let rows, let accounts, let links), .made(let others, let first, let lost)):
        var found = rows.differences(from: others)
        if accounts != first { found.append("\(accounts) in place of \(first)") }
        if links != lost { found.append("\(links) in place of \(lost)") }
        return found
      case (.refused(let codes), .refused(let others)):
        return codes == others ? [] : ["\(codes) in place of \(others)"]
      case (.made, .refused(let codes)): return ["made in place of \(codes)"]
      case (.refused(let codes), .made): return ["\(codes) in place of a store"]
      }
    }
  }

  /// Runs in the same ways; with each goes what is otherwise than in the first.
  ///
  /// - Parameters:
  ///   - quarantined: how many objects may be quarantined.
  ///   - note: gets each way that was not refused, and the report of its run.
  func differences(
    quarantined: Int = 0,
    noting note: (MigrationOptions, MigrationReport) throws -> Void = { _, _ in }
  ) throws -> [(way: MigrationOptions, found: [String])] {
    var first: Outcome?
    return try drawnWays.enumerated().map { number, way in
      var (trial, way) = (self, way)
      way.allowed.quarantined = quarantined
      trial.worksInMemory = way.limits.workMemoryBytes > 0
      let outcome = try trial.outcome(to: "outcome-\(number).sqlite", way, note)
      defer { first = first ?? outcome }
      return (way, outcome.differences(from: first ?? outcome))
    }
  }

  private func outcome(
    to name: String, _ way: MigrationOptions,
    _ note: (MigrationOptions, MigrationReport) throws -> Void
  ) throws -> Outcome {
    do {
      let report = try run(to: name, options: way)
      try note(way, report)
      return .made(
        try StoreRows(path: directory.path(name)), accounts: Self.counts(report),
        lostLinks: Self.lostLinks(report))
    } catch let error as MigrationError {
      return .refused(error.codes)
    }
  }

  /// Every lane, in the work folder and in memory, with large batches and batches of one object.
  static var ways: [MigrationOptions] { alikeWays.flatMap { $0 } }

  /// One of each group of ways that are alike, with one to three threads, the first of all always: drawn
  /// with a seed that is printed, and the mapping models, so that every test of a run draws its own. All of
  /// them where the variable `PASSAGE_EVERY_WAY` is set.
  var drawnWays: [MigrationOptions] {
    // Swift's own hashes differ between processes.
    let seed = mappings.map { MappingDocument.encode($0) }.joined().utf8
      .reduce(Self.seed) { $0 &* 31 &+ UInt64($1) }
    var numbers = SeededRandom(seed: seed)
    let ways = Self.areAllTaken ? Self.ways : Self.alikeWays.map { numbers.pick($0) }
    return ways.map { way in
      var way = way
      way.limits.jobs = Int.random(in: 1...3, using: &numbers)
      return way
    }
  }

  private static let areAllTaken =
    ProcessInfo.processInfo.environment["PASSAGE_EVERY_WAY"] != nil
  private static let seed = RandomSeed.told(for: "PassageEngineTests")

  private static let alikeWays: [[MigrationOptions]] = [
    [(.set, 50_000, false)], [(.set, 1, false), (.set, 50_000, true), (.row, 3, true)],
    [(.row, 50_000, false), (.row, 1, false), (.row, 3, false)],
    [(.page, 50_000, false), (.page, 1, false)],
    [(.automatic, 50_000, true), (.automatic, 1, true)],
  ].map { group in
    group.map { (lane: MigrationOptions.Lane, batch, isInMemory) in
      var options = MigrationOptions()
      if !isInMemory { options.limits.workMemoryBytes = 0 }
      options.lane = lane
      options.limits.batch = BatchLimits(rows: batch)
      options.provesLinks = lane == .row
      return options
    }
  }

  /// What was told of links that lead to no object.
  private static func lostLinks(_ report: MigrationReport) -> [String] {
    report.warnings.all.filter { $0.code == "RUN-024" }.map(\.message)
  }

  /// The accounts without the lane.
  private static func counts(_ report: MigrationReport) -> [MappingAccount] {
    report.steps.flatMap(\.mappings).map { account in
      var account = account
      account.lane = .set
      account.laneReason = nil
      account.abandonedLane = nil
      return account
    }
  }
}

extension MigrationError {
  /// The codes of what was found, in order.
  var codes: [String] { diagnostics.all.map(\.code) }
}
