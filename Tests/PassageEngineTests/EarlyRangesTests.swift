import Passage
import PassageEngine
import PassageSQLite
import PassageTesting
import PassageValues
import Synchronization
import TestSupport
import Testing

/// Threads make tables beside each other, and nothing in the store tells.
@Suite struct EarlyRangesTests {
  private static let seed = RandomSeed.told(for: "EarlyRangesTests")
  private static let names = ["Bike", "Boat", "Car", "Train", "Tram"]

  private static let source = Model(
    "1", names.map { Entity($0, [.text("plate"), .number("age")]) })

  private static let destination = Model(
    "2",
    names.map {
      Entity($0, [.number("age"), .text("plate"), .number("years", isOptional: true)])
    })

  /// Tables of different size, none of them empty.
  private static func trial() throws -> Trial {
    var random = SeededRandom(seed: seed)
    let mappings = names.map { name in
      """
      {"type": "transform", "source": "\(name)", "destination": "\(name)",
       "attributes": {"plate": {}, "age": {}, "years": "$source.age * 2 + 1"}}
      """
    }
    return try Trial(
      source, destination, [mapping(mappings.joined(separator: ", "))]
    ) { store in
      for (place, name) in names.enumerated() {
        for number in 1...(place.isMultiple(of: 2) ? 3_000 : 700) {
          let text = String(repeating: "x", count: Int.random(in: 0...300, using: &random))
          try store.insert(
            name, ["plate": .text("\(number) \(text)"), "age": .integer(Int64(number % 77))])
        }
      }
    }
  }

  /// The tables whose ranges threads began early in a run.
  private static func early(_ body: () throws -> Void) rethrows -> [String] {
    let begun = Begun()
    try EarlyRanges.$willBegin.withValue({ name in begun.names.withLock { $0.append(name) } }) {
      try body()
    }
    return begun.names.withLock { $0 }
  }

  private final class Begun: Sendable {
    let names = Mutex<[String]>([])
  }

  @Test func `tables are made beside each other, and the pages are the same`() throws {
    let trial = try Self.trial()
    var one: MigrationReport?
    #expect(
      try Self.early { one = try trial.runInOneMoment(to: "1.sqlite", options: .pages(jobs: 1)) }
        == [])
    for jobs in [2, 3, 7] {
      var early: Set<String> = []
      // A thread that the system lets wait begins nothing early, which is nothing wrong.
      for attempt in 0..<20 where early.count < Self.names.count - 1 {
        let name = "\(jobs).\(attempt).sqlite"
        var report: MigrationReport?
        let begun = try Self.early {
          report = try trial.runInOneMoment(to: name, options: .pages(jobs: jobs))
        }
        early.formUnion(begun)
        // In the order in which they are written.
        #expect(begun == begun.sorted())
        #expect(report?.steps[0].mappings == one?.steps[0].mappings)
        #expect(try trial.differingPages("1.sqlite", name) == [])
      }
      // Each but the first.
      #expect(early == ["ZBOAT", "ZCAR", "ZTRAIN", "ZTRAM"])
    }
  }

  @Test func `stopped anywhere and continued, the store is the same`() throws {
    let trial = try Self.trial()
    try trial.run(to: "1.sqlite", options: .pages(jobs: 1))
    let rows = try StoreRows(path: trial.directory.path("1.sqlite"))
    var slice = FaultSlice("EarlyRangesTests")
    var stop = slice.next(after: 1, longest: 8)
    while stop <= 24 {
      defer { stop = slice.next(after: stop, longest: 8) }
      let name = "stopped\(stop).sqlite"
      for _ in 0..<50 {
        let control = StoppingControl(after: stop)
        let options = MigrationOptions.pages(jobs: 3, batch: 10_000)
        if (try? trial.run(to: name, options: options, control: control.control)) != nil { break }
      }
      try trial.run(to: name, options: .pages(jobs: 2))
      #expect(try StoreRows(path: trial.directory.path(name)).differences(from: rows) == [])
    }
  }

  private static func rootPage(of table: String, path: String) throws -> Int {
    let connection = try Connection(path: path, mode: .immutable)
    return Int(
      try connection.integer(
        "SELECT rootpage FROM sqlite_master WHERE name = ?", [.text(table)]))
  }

  @Test(arguments: [1, 3])
  func `damage of a table that began early is told alike`(jobs: Int) throws {
    let trial = try Self.trial()
    var bytes = try #require(trial.directory.contents("old.sqlite"))
    // The root of the third table is not one of a table.
    let root = try Self.rootPage(of: "ZCAR", path: trial.directory.path("old.sqlite"))
    bytes[(root - 1) * 4_096] = 0x0A
    try trial.directory.write(bytes, to: "old.sqlite")
    let error = try trial.failure(options: .pages(jobs: jobs))
    #expect(error.kind == .sourceDamaged)
    #expect(trial.directory.names == ["old.sqlite"])
  }
}
