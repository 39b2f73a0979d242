import Foundation
import Passage
import PassageEngine
import PassageFiles
import PassageSQLite
import PassageStores
import PassageTesting
import Testing

/// Work that is not as the interrupted run left it: files of several moments, as in a copy of the folder
/// that was made during the run, and finished steps that were changed. Nothing of it reaches the result.
@Suite struct MixedWorkTests {
  private static let work = "new.sqlite.passage"

  /// Two steps of links and objects, done in the folder.
  private static func trial() throws -> Trial {
    var trial = try ChainedMemoryTests.trial(needsSQL: true, persons: 120)
    trial.worksInMemory = false
    return trial
  }

  private static func options(_ lane: MigrationOptions.Lane) -> MigrationOptions {
    var options = MigrationOptions()
    options.lane = lane
    options.limits.batch = BatchLimits(rows: 20)
    return options
  }

  /// Runs until a run succeeds: one that finds damaged work removes it.
  private static func finish(_ trial: Trial, _ options: MigrationOptions) throws {
    do {
      try trial.run(options: options)
    } catch let error as MigrationError {
      #expect(error.codes == ["RUN-063"] && error.kind == .inputOutput, "\(error)")
      #expect(error.diskState?.contains("was removed") == true)
      #expect(trial.directory.contents("new.sqlite") == nil)
      #expect(try !trial.run(options: options).wasContinued)
    }
  }

  private static func expectWhole(_ trial: Trial, _ what: String) throws {
    let rows = try ["whole.sqlite", "new.sqlite"].map {
      try StoreRows(path: trial.directory.path($0))
    }
    #expect(rows[1].differences(from: rows[0]) == [], "\(what)")
    try FileManager.default.removeItem(atPath: trial.directory.path("new.sqlite"))
  }

  // MARK: Files of several moments

  @Test(arguments: [MigrationOptions.Lane.row, .set, .page], [true, false])
  func `a file of another moment loses nothing`(
    lane: MigrationOptions.Lane, isOlder: Bool
  ) throws {
    let trial = try Self.trial()
    let options = Self.options(lane)
    try trial.run(to: "whole.sqlite", options: options)
    var mixed = 0
    for stop in stride(from: 9, to: 70, by: 10) {
      let copies = try Self.stopTwice(trial, options, after: stop)
      guard copies.count == 2 else { continue }
      let (kept, other) = isOlder ? (copies[1], copies[0]) : (copies[0], copies[1])
      for name in Self.files(in: trial.directory.path(kept)) {
        let path = trial.directory.path("\(other)/\(name)")
        guard FileManager.default.fileExists(atPath: path) else { continue }
        try Self.put(kept, in: trial)
        try Self.replace(trial.directory.path("\(Self.work)/\(name)"), by: path)
        try Self.finish(trial, options)
        try Self.expectWhole(trial, "\(name) of \(other), stop \(stop)")
        mixed += 1
      }
      try copies.forEach { try Self.replace(trial.directory.path($0), by: nil) }
    }
    #expect(mixed > (lane == .page ? 0 : 5))
  }

  /// Stops a run, continues it and stops it again.
  ///
  /// - Returns: copies of the work folder; fewer than two if there was less to do.
  private static func stopTwice(
    _ trial: Trial, _ options: MigrationOptions, after stop: Int
  ) throws -> [String] {
    var copies: [String] = []
    for (name, stop) in [("early", stop), ("late", 11)] {
      let result = Result {
        try trial.run(options: options, control: StoppingControl(after: stop).control)
      }
      if case .success = result {
        try replace(trial.directory.path("new.sqlite"), by: nil)
        break
      }
      guard FileManager.default.fileExists(atPath: trial.directory.path(work)) else { break }
      try replace(trial.directory.path(name), by: trial.directory.path(work))
      copies.append(name)
    }
    try replace(trial.directory.path(work), by: nil)
    return copies
  }

  /// The files of the steps, relative to a work folder.
  private static func files(in folder: String) -> [String] {
    (FileManager.default.subpaths(atPath: folder) ?? []).filter {
      $0.hasPrefix("step-") && $0.hasSuffix("e")
    }.sorted()
  }

  private static func put(_ copy: String, in trial: Trial) throws {
    try replace(trial.directory.path(work), by: trial.directory.path(copy))
  }

  /// - Parameter other: `nil` to remove what is at the path, if anything is.
  private static func replace(_ path: String, by other: String?) throws {
    let files = FileManager.default
    if files.fileExists(atPath: path) { try files.removeItem(atPath: path) }
    if let other { try files.copyItem(atPath: other, toPath: path) }
  }

  /// A run may be killed between making the file and writing it.
  @Test func `accounts of which only the beginning was written do not end the run`() throws {
    let trial = try Self.trial()
    try trial.run(to: "whole.sqlite")
    _ = try trial.failure(
      options: Self.options(.row), control: StoppingControl(after: 12).control)
    try trial.directory.write([], to: "\(Self.work)/step-1/account.json")
    #expect(try trial.run(options: Self.options(.row)).wasContinued)
    try Self.expectWhole(trial, "an empty account")
  }

  // MARK: Finished steps

  enum Change: CaseIterable {
    case empty
    case source
    case fewerObjects
    case moreObjects
    case otherAccount
    case noAccount
    case largeAccount
  }

  /// - Parameter isLast: whether the last step is finished, or the first.
  private static func finishStep(_ trial: Trial, isLast: Bool) throws {
    let files = FileSystem(willPerform: { operation, path in
      let isCutOver = [.rename, .link].contains(operation) && path.hasSuffix("/new.sqlite")
      let isNext = operation == .makeDirectory && path.hasSuffix("/step-2")
      guard isLast ? isCutOver : isNext else { return }
      throw FileSystem.Failure(operation: operation, path: path, errorNumber: 5)
    })
    _ = try trial.failure(files: files)
  }

  @Test(arguments: [true, false], Change.allCases)
  func `a finished step that was changed is not delivered`(isLast: Bool, change: Change) throws {
    let trial = try Self.trial()
    try trial.run(to: "whole.sqlite")
    try Self.finishStep(trial, isLast: isLast)
    let step = "\(Self.work)/step-\(isLast ? 2 : 1)"
    let store = trial.directory.path("\(step)/store.sqlite")
    let table = isLast ? "ZHUMAN" : "ZPERSON"
    switch change {
    case .empty: try trial.directory.write([], to: "\(step)/store.sqlite")
    case .source: try Self.replace(store, by: trial.directory.path("old.sqlite"))
    case .fewerObjects:
      try Connection(path: store, mode: .readWrite).execute(
        "DELETE FROM \(table) WHERE Z_PK > 100")
    case .moreObjects:
      try Connection(path: store, mode: .readWrite).execute(
        "INSERT INTO \(table) (Z_PK, Z_ENT, Z_OPT) SELECT 900, Z_ENT, 1 FROM \(table) LIMIT 1")
    case .otherAccount:
      let account = String(
        decoding: try #require(trial.directory.contents("\(step)/account.json")), as: UTF8.self)
      let changed = account.replacing(":120", with: ":119")
      #expect(changed != account)
      try trial.directory.write(Array(changed.utf8), to: "\(step)/account.json")
    case .noAccount: try trial.directory.write(Array("[]".utf8), to: "\(step)/account.json")
    case .largeAccount:
      try trial.directory.write(
        Array(repeating: UInt8(ascii: " "), count: 3 << 20) + Array("[]".utf8),
        to: "\(step)/account.json")
    }
    let error = try trial.failure()
    #expect(error.codes == ["RUN-063"] && error.kind == .inputOutput, "\(error)")
    try Self.finish(trial, MigrationOptions())
    try Self.expectWhole(trial, "\(change)")
  }

  /// Of another source, or of an earlier run on the same; both have as many objects.
  @Test(arguments: [true, false])
  func `the store that another run made in a step is not continued with`(
    isOfOtherSource: Bool
  ) throws {
    let trial = try Self.trial()
    try trial.run(to: "whole.sqlite")
    let other = isOfOtherSource ? try Self.trial() : trial
    try Self.finishStep(other, isLast: false)
    let store = "\(Self.work)/step-1/store.sqlite"
    try Self.replace(trial.directory.path("other"), by: other.directory.path(store))
    if !isOfOtherSource { try Self.replace(trial.directory.path(Self.work), by: nil) }
    try Self.finishStep(trial, isLast: false)
    try Self.replace(trial.directory.path(store), by: trial.directory.path("other"))
    #expect(try trial.failure().codes == ["RUN-063"])
    try Self.finish(trial, MigrationOptions())
    try Self.expectWhole(trial, "another run's")
    let metadata = try StoreMetadata.read(path: trial.directory.path("whole.sqlite"))
    #expect(!metadata.members.contains { $0.key.contains("StepMark") })
  }

  @Test func `the store of another run of the same migration is not delivered`() throws {
    let trial = try Self.trial()
    try trial.run(to: "whole.sqlite")
    try Self.finishStep(trial, isLast: true)
    try Self.replace(
      trial.directory.path("\(Self.work)/step-2/store.sqlite"),
      by: trial.directory.path("whole.sqlite"))
    #expect(try trial.failure().codes == ["RUN-063"])
    try Self.finish(trial, MigrationOptions())
    try Self.expectWhole(trial, "another run's")
  }
}
