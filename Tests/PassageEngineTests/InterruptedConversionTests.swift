import Foundation
import Passage
import PassageEngine
import PassageTesting
import Testing

/// Faults at every operation on files, for sources and destinations of every type, in both lanes, with
/// objects that are set aside.
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

  private static let pairs: [(String?, String?)] = [
    (nil, nil), (nil, "tables"), (nil, "delimited"), (nil, "keyed"), (nil, "xml"),
    ("tables", nil), ("delimited", nil), ("keyed", nil), ("xml", nil), ("delimited", "tables"),
    ("tables", "xml"), ("xml", "keyed"), ("keyed", "delimited"),
  ]

  /// A fault that lasts is what a process that is gone leaves; in both lanes. One that passes is told,
  /// and some ways are enough for it.
  static let ways: [Way] =
    pairs.flatMap { source, destination in
      [false, true].map {
        Way(source: source, destination: destination, isLasting: true, rows: $0)
      }
    }
    + pairs.dropFirst(2).prefix(5).map {
      Way(source: $0, destination: $1, isLasting: false, rows: false)
    }

  @Test(arguments: ways)
  func `a fault anywhere leaves nothing or the whole, and the next run ends with the same bytes`(
    way: Way
  ) throws {
    let trial = try ConversionTrial(QuarantineTests.trial(), from: way.source)
    let type = way.destination
    let whole = ConversionTrial.name("whole", type)
    let options = QuarantineTests.options(4, rows: way.rows)
    #expect(try trial.run(to: whole, as: type, options: options).quarantined == 4)
    let lines = try #require(trial.directory.contents(whole + ".quarantine.jsonl"))
    let name = ConversionTrial.name("new", type)
    let setAside = name + ".quarantine.jsonl"
    let base = Set(trial.directory.names)
    var (stop, outcomes) = (0, Set<MigrationReport.Outcome>())
    while true {
      stop += 1
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
        #expect(trial.directory.contents(setAside) == lines, "\(faults.last)")
      }
      #expect([nil, lines].contains(trial.directory.contents(setAside)), "\(faults.last)")
      outcomes.insert(try trial.run(to: name, as: type, options: options).outcome)
      #expect(try trial.differences(name, from: whole, as: type) == [], "\(faults.last)")
      #expect(trial.directory.contents(setAside) == lines, "\(faults.last)")
      #expect(
        Set(trial.directory.names).subtracting(base) == [name, setAside], "\(faults.last)")
      if isEnd { break }
      for left in [name, setAside] {
        try FileManager.default.removeItem(atPath: trial.directory.path(left))
      }
    }
    #expect(stop > 20)
    #expect(outcomes == [.migrated, .upToDate])
  }
}
