import Passage
import PassageEngine
import PassageTesting
import TestSupport
import Testing

/// A policy that goes through the objects of a pass, and makes more while it does.
@Suite struct SweepingPolicyTests {
  struct Doubling: MigrationPolicy {
    static let hooks: Set<MigrationHook> = [.endInstanceCreation]
    static let needs: Set<MigrationContext.Need> = [.furtherObjects, .destinationObjects]

    init(mapping: PolicyMapping) {}

    func endInstanceCreation(in context: MigrationContext) throws {
      try context.forEachDestinationObject(ofEntity: "Note") { note in
        var copy = try context.makeObject(ofEntity: "Note")
        try copy.set("text", to: .text("copy of \(note["text"]?.string ?? "")"))
        try context.insert(copy)
      }
    }
  }

  @Test(arguments: [false, true])
  func `what it inserts is not visited`(worksInMemory: Bool) throws {
    var trial = try Trial(
      Model("1", [Entity("Note", [.text("text")])]),
      Model("2", [Entity("Note", [.text("text"), .number("size")])]),
      [
        mapping(
          """
          {"type": "custom", "source": "Note", "destination": "Note",
           "policy": "Doubling", "attributes": {"text": {}}}
          """)
      ], policies: [Doubling.self]
    ) { store in
      for number in 1...3 { try store.insert("Note", ["text": .text("\(number)")]) }
    }
    trial.worksInMemory = worksInMemory
    let (found, _) = try trial.migrate()
    #expect(
      found["Note"].compactMap { $0["text"].string }
        == ["1", "2", "3", "copy of 1", "copy of 2", "copy of 3"])
  }
}
