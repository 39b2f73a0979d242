import Passage
import PassageEngine
import PassageTesting
import PassageValues
import TestSupport
import Testing

/// The number of threads changes nothing in a store, in no account and in no error.
@Suite struct SharedRangesTests {
  private static let seed = RandomSeed.told(for: "SharedRangesTests")

  private static let source = Model(
    "1",
    [
      Entity("Car", [.text("plate"), .number("age")]),
      Entity("Van", parent: "Car", [.text("load")]),
    ])

  private static let destination = Model(
    "2",
    [
      Entity("Car", [.number("age"), .text("plate"), .number("years", isOptional: true)]),
      Entity("Van", parent: "Car", [.text("load")]),
    ])

  /// - Parameter longPercent: how many rows do not fit their page.
  private static func trial(longPercent: Int, filter: String? = nil) throws -> Trial {
    var random = SeededRandom(seed: seed &+ UInt64(longPercent))
    let mappings = ["Car", "Van"].map { entity in
      """
      {"type": "transform", "source": "\(entity)", "destination": "\(entity)",
       \(filter.map { "\"filter\": \"\($0)\"," } ?? "")
       "attributes": {"plate": {}, "age": {}, \(entity == "Van" ? "\"load\": {}," : "")
                      "years": "$source.age * 2 + 1"}}
      """
    }
    return try Trial(source, destination, [mapping(mappings.joined(separator: ", "))]) { store in
      for number in 1...6_000 {
        let length = random.chance(longPercent) ? 9_000 : Int.random(in: 0...300, using: &random)
        let text = Value.text("\(number) " + String(repeating: "x", count: length))
        let age: Value = random.chance(10) ? .null : .integer(Int64(number % 77))
        if random.chance(30) {
          try store.insert("Van", ["plate": text, "age": age, "load": "sand"])
        } else {
          try store.insert("Car", ["plate": text, "age": age])
        }
      }
    }
  }

  @Test(arguments: [0, 1, 40], [nil, "age != nil AND age < 70"])
  func `any number of threads makes the same pages`(longPercent: Int, filter: String?) throws {
    let trial = try Self.trial(longPercent: longPercent, filter: filter)
    let one = try trial.run(to: "1.sqlite", options: .pages(jobs: 1))
    #expect(one.steps[0].mappings.map(\.lane) == [.page, .page])
    for jobs in [2, 3, 7, 1_000_000] {
      let report = try trial.run(to: "\(jobs).sqlite", options: .pages(jobs: jobs))
      #expect(report.steps[0].mappings == one.steps[0].mappings)
      #expect(try trial.differingPages("1.sqlite", "\(jobs).sqlite") == [])
    }
  }

  @Test func `stopped anywhere and continued, threads make the same store`() throws {
    let trial = try Self.trial(longPercent: 1)
    try trial.run(to: "1.sqlite", options: .pages(jobs: 1))
    let rows = try StoreRows(path: trial.directory.path("1.sqlite"))
    for stop in stride(from: 3, through: 30, by: 3) {
      let name = "stopped\(stop).sqlite"
      for round in 0..<50 {
        let control = StoppingControl(after: stop)
        let options = MigrationOptions.pages(jobs: 1 + (stop + round) % 3, batch: 10_000)
        if (try? trial.run(to: name, options: options, control: control.control)) != nil { break }
      }
      try trial.run(to: name, options: .pages(jobs: 2))
      #expect(try StoreRows(path: trial.directory.path(name)).differences(from: rows) == [])
    }
  }

  @Test(arguments: [1, 4])
  func `damage is told alike`(jobs: Int) throws {
    let trial = try Self.trial(longPercent: 0)
    var bytes = try #require(trial.directory.contents("old.sqlite"))
    let text = Array("4321 ".utf8)
    let place = try #require(
      bytes.indices.dropLast(text.count).first { Array(bytes[$0..<$0 + text.count]) == text })
    let page = place / 4_096
    // The leaf's first cell begins beyond the page.
    bytes[page * 4_096 + 8] = 0xFF
    bytes[page * 4_096 + 9] = 0xFF
    try trial.directory.write(bytes, to: "old.sqlite")
    let error = try trial.failure(options: .pages(jobs: jobs))
    #expect(error.kind == .sourceDamaged)
    #expect("\(error)".contains("page \(page + 1) has a cell"), "\(error)")
    #expect(trial.directory.names == ["old.sqlite"])
  }
}
