import Passage
import PassageEngine
import PassageTesting
import TestSupport
import Testing

/// A policy may keep its context. It keeps nothing open, and cannot be used any more.
@Suite(.serialized) struct KeptContextTests {
  /// What the policies keep. The tests of this suite run one after another, each with one thread.
  private final class Kept: @unchecked Sendable {
    var contexts: [MigrationContext] = []
  }

  private static let kept = Kept()

  /// Reads the source, which opens a connection of its own.
  private static func make(of source: SourceObject, in context: MigrationContext) throws {
    kept.contexts.append(context)
    #expect(try context.sourceObject(ofEntity: "Dog", key: 1)?["name"] == .text("Rex"))
    try context.insert(context.defaultDestination(for: source), for: source)
  }

  private struct Keeper: MigrationPolicy {
    init(mapping: PolicyMapping) {}
    func createDestinationInstances(
      for source: SourceObject, in context: MigrationContext
    ) throws {
      try KeptContextTests.make(of: source, in: context)
    }
  }

  /// Its objects are made page by page.
  private struct SmallKeeper: MigrationPolicy {
    static let needs: Set<MigrationContext.Need> = []
    static let hooks: Set<MigrationHook> = [.createDestinationInstances]
    init(mapping: PolicyMapping) {}
    func createDestinationInstances(
      for source: SourceObject, in context: MigrationContext
    ) throws {
      try KeptContextTests.make(of: source, in: context)
    }
  }

  @Test(arguments: ["Keeper", "SmallKeeper"], [false, true])
  func `a store is replaced whatever a policy has kept`(
    policy: String, worksInMemory: Bool
  ) throws {
    Self.kept.contexts = []
    defer { Self.kept.contexts = [] }
    var trial = try PolicyTests.trial(policy, [Keeper.self, SmallKeeper.self])
    trial.worksInMemory = worksInMemory
    var options = MigrationOptions()
    options.limits.jobs = 1
    #expect(try trial.runInPlace(options: options).outcome == .migrated)
    #expect(trial.directory.names == ["old.sqlite", "old.sqlite.before-1"])

    let context = try #require(Self.kept.contexts.first)
    let person = SourceObject(
      shape: ObjectShape(entityName: "Person", names: ["first"]), key: 1, values: [.text("Ann")])
    let made = ObjectReference(entityName: "Person", key: 1)
    let calls: [(MigrationContext) throws -> Void] = [
      { _ = try $0.sourceObject(ofEntity: "Dog", key: 1) },
      { _ = try $0.sourceKeys(of: person, relationship: "city") },
      { _ = try $0.defaultDestination(for: person) },
      { try $0.insert($0.makeObject(ofEntity: "City"), for: person) },
      { try $0.insert($0.makeObject(ofEntity: "City")) },
      { try $0.findOrInsert("City", key: [.text("Rome")], for: person) { _ in } },
      { _ = try $0.find("City", key: [.text("Rome")]) },
      { _ = try $0.destinationObject(made) },
      { try $0.setRelationship("city", of: made, to: []) },
      { try $0.userInfo.set("name", to: "value") },
    ]
    for call in calls {
      let error = #expect(throws: PolicyMistake.self) { try call(context) }
      #expect(error?.description.contains("was used when its pass was over") == true)
    }
    #expect(context.mapping.name == "PersonToPerson")
    #expect(context.now > 0)
  }
}
