import Foundation
import Passage
import PassageEngine
import PassageFiles
import PassageTesting
import Synchronization
import Testing

/// Several steps of a small migration are done in memory, one after the other.
@Suite struct ChainedMemoryTests {
  private static func model(_ name: String, _ entities: [Entity]) -> Model { Model(name, entities) }

  private static let first = model(
    "1",
    [
      Entity("Person", [.text("name")], [.many("tags", "Tag", inverse: "people")]),
      Entity("Tag", [.text("title")], [.many("people", "Person", inverse: "tags")]),
    ])
  private static let second = model(
    "2",
    [
      Entity(
        "Person", [.text("name"), .number("age")], [.many("tags", "Tag", inverse: "people")]),
      Entity("Tag", [.text("title")], [.many("people", "Person", inverse: "tags")]),
    ])
  private static let third = model(
    "3",
    [
      Entity("Human", [.text("name"), .number("age")], [.many("tags", "Tag", inverse: "people")]),
      Entity("Tag", [.text("title")], [.many("people", "Human", inverse: "tags")]),
    ])

  /// - Parameter needsSQL: whether a filter of the first step leaves its links to SQL.
  private static func mappings(needsSQL: Bool) throws -> [MappingModel] {
    let filter = needsSQL ? #", "filter": "title != 't2'""# : ""
    return [
      try mapping(
        """
        {"type": "copy", "source": "Person", "destination": "Person", "attributes": {"age": "3"}},
        {"type": "copy", "source": "Tag", "destination": "Tag"\(filter)}
        """, named: "OneToTwo"),
      try mapping(
        """
        {"type": "copy", "source": "Person", "destination": "Human"},
        {"type": "copy", "source": "Tag", "destination": "Tag"}
        """, named: "TwoToThree", from: "2", to: "3"),
    ]
  }

  static func trial(needsSQL: Bool = false, persons: Int = 40) throws -> Trial {
    var trial = try Trial(
      first, third, between: [second], mappings(needsSQL: needsSQL)
    ) { store in
      let tags = try (1...5).map { try store.insert("Tag", ["title": .text("t\($0)")]) }
      for number in 0..<persons {
        try store.insert(
          "Person", ["name": .text("p\(number)")],
          ["tags": [tags[number % 5], tags[(number + 1) % 5]]])
      }
    }
    trial.worksInMemory = true
    return trial
  }

  /// The names in the work folder whenever a run touches a file.
  private static func namesInFolder(_ trial: Trial, to name: String) throws -> Set<String> {
    let seen = Mutex<Set<String>>([])
    let folder = trial.directory.path(name + ".passage")
    let files = FileSystem(willPerform: { _, _ in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      seen.withLock { $0.formUnion(names) }
    })
    try trial.run(to: name, files: files)
    return seen.withLock { $0 }
  }

  @Test(arguments: [false, true])
  func `the store and the accounts are those of a run in the folder`(needsSQL: Bool) throws {
    var trial = try Self.trial(needsSQL: needsSQL)
    #expect(
      try Self.namesInFolder(trial, to: "memory.sqlite").isSubset(of: ["lock", "finished.sqlite"]))
    let inMemory = try trial.run(to: "again.sqlite")
    trial.worksInMemory = false
    #expect(try Self.namesInFolder(trial, to: "folder.sqlite").contains("step-1"))
    let inFolder = try trial.run(to: "folder-again.sqlite")
    #expect(inMemory.steps.count == 2)
    #expect(
      inMemory.steps.flatMap(\.mappings).map(\.migrated)
        == inFolder.steps.flatMap(\.mappings).map(\.migrated))
    #expect(
      try StoreRows(path: trial.directory.path("memory.sqlite")).differences(
        from: StoreRows(path: trial.directory.path("folder.sqlite"))) == [])
  }

  @Test(arguments: [false, true])
  func `the plan says for each step what the run does`(needsSQL: Bool) throws {
    let trial = try Self.trial(needsSQL: needsSQL)
    let plan = try trial.migration(to: .file(trial.directory.path("new.sqlite"))).plan()
    let report = try trial.run()
    let lanes = report.steps.map { $0.mappings.map(\.lane) }
    #expect(plan.steps.map { $0.passes.flatMap(\.mappings).map(\.lane) } == lanes)
    #expect(lanes == [needsSQL ? [.set, .set] : [.page, .page], [.page, .page]])
  }

  @Test func `one that is stopped leaves nothing and begins again`() throws {
    let trial = try Self.trial(needsSQL: true)
    var stops = 0
    for number in 1... {
      do {
        try trial.run(control: StoppingControl(after: number).control)
        break
      } catch let error as MigrationError {
        stops += 1
        #expect(error.kind == .cancelled)
        #expect(trial.directory.names == ["old.sqlite"])
      }
    }
    #expect(stops > 10)
  }
}
