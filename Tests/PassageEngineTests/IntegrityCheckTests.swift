import Foundation
import Passage
import PassageEngine
import PassageTesting
import Synchronization
import Testing

/// What only SQLite's check of a whole store finds, in a store that is too large to be checked so
/// by itself: an index that says something else than its table.
@Suite struct IntegrityCheckTests {
  private static func model(_ name: String) -> Model {
    Model(name, [Entity("Car", [.text("plate"), .text("note")], unique: [["plate"]])])
  }

  private static func trial() throws -> Trial {
    try Trial(
      model("1"), model("2"),
      [try mapping(#"{"type": "copy", "source": "Car", "destination": "Car"}"#)]
    ) { store in
      // More than 1,024 pages.
      for number in 1...600 {
        try store.insert(
          "Car",
          [
            "plate": .text("plate-\(1_000 + number)"),
            "note": .text(String(repeating: "n", count: 8_000)),
          ])
      }
    }
  }

  /// Changes a key in the index of a store, if it has one. In the order of the pages, the index
  /// comes after its table.
  ///
  /// - Returns: whether it did.
  private static func damage(_ name: String, in directory: TemporaryDirectory) -> Bool {
    guard let bytes = directory.contents(name) else { return false }
    let key = Data("plate-1300".utf8)
    var damaged = Data(bytes)
    guard let first = damaged.range(of: key),
      let second = damaged.range(of: key, in: first.upperBound..<damaged.endIndex),
      damaged.range(of: key, in: second.upperBound..<damaged.endIndex) == nil
    else { return false }
    damaged[second.upperBound - 1] = UInt8(ascii: "!")
    return (try? directory.write(Array(damaged), to: name)) != nil
  }

  /// Runs while the store is damaged once, as soon as it has its index.
  ///
  /// - Parameter name: the store, in the work folder.
  private static func run(
    _ trial: Trial, damaging name: String, _ lane: MigrationOptions.Lane, isChecked: Bool,
    isInMemory: Bool = false
  ) throws -> MigrationReport {
    let isDamaged = Mutex(false)
    let control = RunControl(willContinue: { [directory = trial.directory] in
      isDamaged.withLock {
        if !$0 { $0 = damage("new.sqlite.passage/\(name)", in: directory) }
      }
      return true
    })
    var options = MigrationOptions()
    options.lane = lane
    options.checksIntegrity = isChecked
    var trial = trial
    trial.worksInMemory = isInMemory
    defer { #expect(isDamaged.withLock { $0 }) }
    return try trial.run(options: options, control: control)
  }

  @Test func `pages that only the whole check refuses are made again through SQL`() throws {
    let trial = try Self.trial()
    let report = try Self.run(trial, damaging: "step-1/pass-1.sqlite", .page, isChecked: true)
    #expect(report.warnings.all.map(\.code).contains("RUN-048"))
    #expect(
      try StoreAudit(path: trial.directory.path("new.sqlite"), model: trial.destination).findings
        == [])
  }

  @Test(arguments: [
    (MigrationOptions.Lane.set, false), (.row, false), (.set, true), (.row, true),
  ])
  func `a finished store that the whole check refuses is not put in place`(
    lane: MigrationOptions.Lane, isInMemory: Bool
  ) throws {
    let trial = try Self.trial()
    let failure = try #require(throws: MigrationError.self) {
      try Self.run(
        trial, damaging: isInMemory ? "finished.sqlite" : "step-1/store.sqlite", lane,
        isChecked: true, isInMemory: isInMemory)
    }
    #expect(failure.codes == ["RUN-035"])
    #expect(failure.kind == .verificationFailed)
    #expect(trial.directory.contents("new.sqlite") == nil)
    // The damaged work is not continued.
    let report = try trial.run()
    #expect(report.outcome == .migrated && !report.wasContinued)
  }

  @Test(arguments: [MigrationOptions.Lane.set, .row])
  func `without the request a large store that SQLite wrote is not checked`(
    lane: MigrationOptions.Lane
  ) throws {
    let trial = try Self.trial()
    let report = try Self.run(trial, damaging: "step-1/store.sqlite", lane, isChecked: false)
    #expect(report.outcome == .migrated)
  }

  @Test func `the whole check changes nothing in a sound store`() throws {
    let trial = try Self.trial()
    var options = MigrationOptions()
    options.checksIntegrity = true
    for lane in [MigrationOptions.Lane.automatic, .page, .set, .row] {
      options.lane = lane
      let report = try trial.run(to: "\(lane).sqlite", options: options)
      #expect(report.outcome == .migrated && report.warnings.all.isEmpty)
    }
  }
}
