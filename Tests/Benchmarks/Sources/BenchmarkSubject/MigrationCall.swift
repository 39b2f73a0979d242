internal import Foundation
internal import Passage

/// `migrate FOLDER SOURCE DESTINATION` and its options.
struct MigrationCall {
  var folder: String
  var source: String
  var destination: String
  /// `--lane auto|page|set|row`.
  var lane = MigrationOptions.Lane.automatic
  /// `--jobs N`.
  var jobs: Int?
  /// `--batch N`: source objects a batch.
  var batchRows: Int?
  /// `--repeat N`: so many migrations are measured, in a process that has made one before.
  var repetitions = 0
  /// `--phases`: the processor time of each phase is told.
  var tellsPhases = false

  init(_ words: [String]) throws {
    guard words.count >= 3 else { throw Refusal("migrate FOLDER SOURCE DESTINATION") }
    (folder, source, destination) = (words[0], words[1], words[2])
    var options = words.dropFirst(3)
    func number(_ option: String) throws -> Int {
      guard let number = options.popFirst().flatMap({ Int($0) }), number > 0 else {
        throw Refusal("\(option) takes a whole number from 1")
      }
      return number
    }
    while let option = options.popFirst() {
      switch option {
      case "--lane": lane = try Self.lane(options.popFirst())
      case "--jobs": jobs = try number(option)
      case "--batch": batchRows = try number(option)
      case "--repeat": repetitions = try number(option)
      case "--phases": tellsPhases = true
      default: throw Refusal("there is no option \(option)")
      }
    }
  }

  private static func lane(_ name: String?) throws -> MigrationOptions.Lane {
    if name == "auto" { return .automatic }
    guard let lane = name.flatMap(MigrationOptions.Lane.init(rawValue:)) else {
      throw Refusal("--lane takes auto, page, set or row")
    }
    return lane
  }

  private var options: MigrationOptions {
    var options = MigrationOptions()
    options.lane = lane
    if let jobs { options.limits.jobs = jobs }
    if let batchRows { options.limits.batch.rows = batchRows }
    return options
  }

  /// Migrates, and prints what was measured: the lanes, the processor time of each repetition or
  /// phase, and the peak memory.
  func run() async throws {
    let manager = try MigrationManager(
      source: Documents.model("\(folder)/Source.json"),
      destination: Documents.model("\(folder)/Destination.json"), policies: Self.policies)
    let mappings = try Documents.mappings(folder)
    try await migrate(with: manager, mappings)
    guard repetitions > 0 else { return print(PeakMemory.line) }
    let prepared = try manager.prepare(mappings: mappings, options: options)
    for _ in 0..<repetitions {
      try FileManager.default.removeItem(atPath: destination)
      let started = ProcessorTime.now
      _ = try await prepared.migrate(
        storeAt: URL(fileURLWithPath: source), to: URL(fileURLWithPath: destination)
      ).value
      print("round \(ProcessorTime.now - started)")
    }
    print(PeakMemory.line)
  }

  private static let policies: [any MigrationPolicy.Type] = [
    ComputedNumberPolicy.self, CopyPolicy.self, EveryHookPolicy.self, PrintedDatePolicy.self,
    SharedPlacePolicy.self,
  ]

  private func migrate(
    with manager: MigrationManager, _ mappings: [MappingModel]
  ) async throws {
    let migration = manager.migrate(
      storeAt: URL(fileURLWithPath: source), to: URL(fileURLWithPath: destination),
      mappings: mappings, options: options)
    if tellsPhases { await tellPhases(of: migration) }
    let report = try await migration.value
    let lanes = Set(report.steps.flatMap(\.mappings).map(\.lane.rawValue)).sorted()
    print("lanes \(lanes.joined(separator: "+"))")
  }

  /// Prints the processor time that was used when each phase began.
  private func tellPhases(of migration: Migration) async {
    var last: MigrationProgress.Phase?
    for await progress in migration.progress where progress.phase != last {
      last = progress.phase
      print("phase \(progress.phase.rawValue) \(ProcessorTime.now)")
    }
  }
}
