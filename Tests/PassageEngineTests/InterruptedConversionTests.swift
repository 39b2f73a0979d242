import Foundation
import Passage
import PassageEngine
import PassageFiles
import PassageStores
import PassageTesting
import Synchronization
import TestSupport
import Testing

/// Faults at every operation on files, for sources and destinations of every type, in both lanes, with
/// objects that are quarantined.
@Suite struct InterruptedConversionTests {
  /// From a type to a type: out of Core Data's layout, into it, and between others.
  struct Way: Sendable, CustomTestStringConvertible {
    var source: String?
    var destination: String?
    var isLasting: Bool
    var rows: Bool

    var testDescription: String {
      "\(source ?? "Core Data") to \(destination ?? "Core Data"), "
        + "\(isLasting ? "lasting" : "once"), \(rows ? "row lane" : "set lane")"
    }
  }

  /// A fault that lasts is what a process that is gone leaves. One that passes is reported; some ways are
  /// enough for it, and one lane between types that are not Core Data's.
  static let ways: [Way] =
    ([nil] + ConversionTrial.foreignTypes).flatMap { type in
      [false, true].flatMap { rows in
        [
          Way(source: nil, destination: type, isLasting: true, rows: rows),
          Way(source: type, destination: nil, isLasting: true, rows: rows),
        ].prefix(type == nil ? 1 : 2)
      }
    } + [
      Way(source: "delimited", destination: "tables", isLasting: true, rows: false),
      Way(source: "tables", destination: "xml", isLasting: true, rows: true),
      Way(source: "xml", destination: "keyed", isLasting: true, rows: false),
      Way(source: "keyed", destination: "delimited", isLasting: true, rows: true),
      Way(source: nil, destination: "tables", isLasting: false, rows: true),
      Way(source: "keyed", destination: nil, isLasting: false, rows: false),
      Way(source: "xml", destination: "delimited", isLasting: false, rows: false),
    ]

  @Test(arguments: ways)
  func `a fault anywhere leaves nothing or the whole, and the next run ends with the same bytes`(
    way: Way
  ) throws {
    let trial = try ConversionTrial(QuarantineTests.trial(), from: way.source)
    let type = way.destination
    let whole = ConversionTrial.name("whole", type)
    let options = QuarantineTests.options(4, lane: way.rows ? .row : .automatic)
    #expect(try trial.run(to: whole, as: type, options: options).quarantined == 4)
    let lines = try #require(trial.directory.contents(whole + ".quarantine.jsonl"))
    let name = ConversionTrial.name("new", type)
    let quarantinedRows = name + ".quarantine.jsonl"
    let base = Set(trial.directory.names)
    var (stop, outcomes) = (0, Set<MigrationReport.Outcome>())
    var slice = FaultSlice("InterruptedConversionTests")
    while true {
      stop = slice.next(after: stop)
      let faults = FaultyFiles(failing: stop, isLasting: way.isLasting)
      var isEnd = false
      do {
        try trial.run(to: name, as: type, options: options, files: faults.files)
        isEnd = !faults.hasFailed
      } catch let error as MigrationError {
        #expect(error.kind == .inputOutput, "\(faults.last): \(error)")
      }
      if trial.directory.contents(name) != nil {
        #expect(try trial.differences(name, from: whole, as: type) == [], "\(faults.last)")
        #expect(trial.directory.contents(quarantinedRows) == lines, "\(faults.last)")
      }
      #expect([nil, lines].contains(trial.directory.contents(quarantinedRows)), "\(faults.last)")
      outcomes.insert(try trial.run(to: name, as: type, options: options).outcome)
      #expect(try trial.differences(name, from: whole, as: type) == [], "\(faults.last)")
      #expect(trial.directory.contents(quarantinedRows) == lines, "\(faults.last)")
      #expect(
        Set(trial.directory.names).subtracting(base) == [name, quarantinedRows], "\(faults.last)")
      if isEnd { break }
      for left in [name, quarantinedRows] {
        try FileManager.default.removeItem(atPath: trial.directory.path(left))
      }
    }
    #expect(stop > 20)
    #expect(outcomes == [.migrated, .upToDate])
  }

  @Test(arguments: ConversionTrial.foreignTypes)
  func `a place that is reserved stays reserved until the whole is there`(type: String) throws {
    let trial = try ConversionTrial(QuarantineTests.trial(), from: nil)
    let whole = ConversionTrial.name("whole", type)
    let options = QuarantineTests.options(4)
    try trial.run(to: whole, as: type, options: options)
    let name = ConversionTrial.name("new", type)
    let quarantinedRows = name + ".quarantine.jsonl"
    let base = Set(trial.directory.names)
    var stop = 0
    var slice = FaultSlice("InterruptedConversionTests")
    while true {
      stop = slice.next(after: stop)
      try trial.directory.write([], to: name)
      let faults = FaultyFiles(failing: stop, isLasting: true)
      do {
        try trial.run(to: name, as: type, options: options, files: faults.files)
        if !faults.hasFailed { break }
      } catch let error as MigrationError {
        #expect(error.kind == .inputOutput, "\(faults.last)")
      }
      #expect(
        [[], trial.directory.contents(whole)].contains(trial.directory.contents(name)),
        "\(faults.last)")
      try trial.run(to: name, as: type, options: options)
      #expect(try trial.differences(name, from: whole, as: type) == [], "\(faults.last)")
      #expect(Set(trial.directory.names).subtracting(base) == [name, quarantinedRows])
      for left in [name, quarantinedRows] {
        try FileManager.default.removeItem(atPath: trial.directory.path(left))
      }
    }
    #expect(stop > 20)
  }

  @Test(arguments: ConversionTrial.foreignTypes, [false, true])
  func `what a finished conversion quarantined stays, whatever became of its result`(
    _ type: String, isMovedAway: Bool
  ) throws {
    let name = ConversionTrial.name("new", type)
    let (trial, options) = (
      try ConversionTrial(QuarantineTests.trial(), from: nil), QuarantineTests.options(4)
    )
    var passing = -1
    while true {
      passing += 1
      // Gone after so many operations of clearing up.
      let faults = FaultsAfter(path: trial.directory.path(name), passing: passing)
      // The result is in its place: what cannot be cleared up is reported as a warning.
      let report = try trial.run(to: name, as: type, options: options, files: faults.files)
      if !report.warnings.all.contains(where: { ["RUN-052", "RUN-053"].contains($0.code) }) {
        break
      }
      let lines = try #require(trial.directory.contents(name + ".quarantine.jsonl"))
      let bytes = try #require(trial.directory.contents(name))
      try FileManager.default.removeItem(atPath: trial.directory.path(name))
      if !isMovedAway { try trial.directory.write(bytes + [10], to: name) }
      if isMovedAway, passing == 0 {
        // The result had its name here too: whether it had another cannot be determined any more.
        #expect(try trial.run(to: name, as: type, options: options).quarantined == 4)
      } else {
        let error = try trial.failure(to: name, as: type, options: options)
        #expect(error.codes == [isMovedAway ? "RUN-046" : "RUN-002"], "\(passing)")
      }
      #expect(trial.directory.contents(name + ".quarantine.jsonl") == lines, "\(passing)")
      for left in trial.directory.names where left != trial.sourceName {
        try FileManager.default.removeItem(atPath: trial.directory.path(left))
      }
    }
    #expect(passing > 3)
  }
}

/// Lets so many operations pass after a file is there, and fails all later ones.
final class FaultsAfter: Sendable {
  private let path: String
  private let passing: Int
  private let count = Mutex(0)

  init(path: String, passing: Int) {
    self.path = path
    self.passing = passing
  }

  var files: FileSystem {
    FileSystem(willPerform: { [self] operation, other in
      guard try FileSystem().exists(path) else { return }
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number > passing {
        throw FileSystem.Failure(operation: operation, path: other, errorNumber: 5)
      }
    })
  }
}
