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
    let one = try trial.runInOneMoment(to: "1.sqlite", options: .pages(jobs: 1))
    #expect(one.steps[0].mappings.map(\.lane) == [.page, .page])
    for jobs in [2, 3, 7, 1_000_000] {
      let report = try trial.runInOneMoment(to: "\(jobs).sqlite", options: .pages(jobs: jobs))
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

  /// Two rows with a page of overflow each, of which both come to be the first one's. Where a filter leaves
  /// them out, threads read them; otherwise the thread that writes does.
  @Test(arguments: [1, 2, 3], ["", "Q", "R", "QR"])
  func `a page that rows of two ranges use is told alike`(jobs: Int, leftOut: String) throws {
    let filter = leftOut.map { "NOT plate ENDSWITH '\($0)\($0)'" }.joined(separator: " AND ")
    let copy =
      #"{"type": "copy", "source": "Car", "destination": "Car""#
      + (filter.isEmpty ? "}" : #", "filter": "\#(filter)"}"#)
    func model(_ name: String, _ attributes: [Attribute]) -> Model {
      Model(name, [Entity("Car", [.text("plate")] + attributes)])
    }
    let trial = try Trial(
      model("1", []), model("2", [.number("age", isOptional: true)]), [mapping(copy)],
      journalMode: .delete
    ) { store in
      let usual = String(repeating: "x", count: 600)
      for number in 1...8_000 {
        let text =
          switch number {
          case 10: String(repeating: "Q", count: 4_500)
          case 7_500: String(repeating: "R", count: 4_500)
          default: usual
          }
        try store.insert("Car", ["plate": .text(text)])
      }
    }
    var bytes = try #require(trial.directory.contents("old.sqlite"))
    /// Where a row's leaf has the number of its page of overflow.
    func link(_ character: Character) throws -> Int {
      let byte = try #require(character.asciiValue)
      let page = try #require(
        stride(from: 0, to: bytes.count, by: 4_096).first {
          bytes[$0 + 4..<$0 + 2_000].allSatisfy { $0 == byte }
        })
      let number = withUnsafeBytes(of: UInt32(page / 4_096 + 1).bigEndian) { Array($0) }
      let pattern = Array(repeating: byte, count: 100) + number
      let first = try #require(
        bytes.indices.dropLast(pattern.count).first { place in
          bytes[place] == byte && bytes[place + 100] == number[0]
            && bytes[place..<place + pattern.count].elementsEqual(pattern)
        })
      return first + 100
    }
    let (one, other) = (try link("Q"), try link("R"))
    bytes.replaceSubrange(other..<other + 4, with: bytes[one..<one + 4])
    try trial.directory.write(bytes, to: "old.sqlite")
    let error = try trial.failure(options: .pages(jobs: jobs))
    #expect(error.kind == .sourceDamaged && error.codes == ["STO-110"])
    #expect("\(error)".contains("is used twice: by the overflow chain"), "\(error)")
    #expect(trial.directory.names == ["old.sqlite"])
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
