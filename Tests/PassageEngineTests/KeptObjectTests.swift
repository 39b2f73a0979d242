import Passage
import PassageEngine
import PassageTesting
import Synchronization
import TestSupport
import Testing

/// A policy may keep a destination object until a later step, whose model may give its entity other
/// attributes.
@Suite(.serialized) struct KeptObjectTests {
  private static let kept = Mutex<DestinationObject?>(nil)

  /// What is done in the second step with the object of the first.
  enum Deed: String, CaseIterable {
    case inserts, insertsAgain, insertsWithoutSource, updates, shares
  }

  private class Keeps: MigrationPolicy {
    static let hooks: Set<MigrationHook> = [.createDestinationInstances]
    class var needs: Set<MigrationContext.Need> { Set(MigrationContext.Need.allCases) }
    class var name: String { "Keeps" }
    private let deed: Deed?

    required init(mapping: PolicyMapping) {
      deed = mapping.userInfo["deed"].flatMap { Deed(rawValue: $0) }
    }

    func createDestinationInstances(
      for source: SourceObject, in context: MigrationContext
    ) throws {
      guard let deed else {
        let object = try context.defaultDestination(for: source)
        KeptObjectTests.kept.withLock { $0 = object }
        try context.insert(object, for: source)
        return
      }
      guard let kept = KeptObjectTests.kept.withLock({ $0 }) else { return }
      switch deed {
      case .inserts: try context.insert(kept, for: source)
      case .insertsAgain:
        try context.insert(context.defaultDestination(for: source), for: source)
        try context.insert(kept, for: source)
      case .insertsWithoutSource: try context.insert(kept)
      case .updates: try context.update(kept)
      case .shares: try context.findOrInsert("Person", key: [1], for: source) { $0 = kept }
      }
    }
  }

  private final class KeepsInPages: Keeps {
    override class var needs: Set<MigrationContext.Need> { [] }
    override class var name: String { "KeepsInPages" }
  }

  /// - Parameter last: the attributes of a person in the last model.
  private static func trial(
    _ policy: any MigrationPolicy.Type, _ deed: Deed, last: [Attribute]
  ) throws -> Trial {
    func people(_ userInfo: String) -> String {
      """
      {"type": "custom", "source": "Person", "destination": "Person",
       "policy": {"name": "\(policy.name)", "userInfo": {\(userInfo)}}, "attributes": {"name": {}}}
      """
    }
    kept.withLock { $0 = nil }
    return try Trial(
      Model("1", [Entity("Person", [.text("name")])]),
      Model("3", [Entity("Person", last), Entity("Dog")]),
      between: [Model("2", [Entity("Person", [.number("age"), .text("name")])])],
      [
        mapping(people(""), named: "First", from: "1", to: "2"),
        mapping(people(#""deed": "\#(deed.rawValue)""#), named: "Second", from: "2", to: "3"),
      ], policies: [policy]
    ) { store in
      for number in 1...3 { try store.insert("Person", ["name": .text("Person \(number)")]) }
    }
  }

  private static let others: [[Attribute]] = [
    [.text("name")], [.text("name"), .text("note")],
    [.text("name"), .text("note"), .text("state")],
  ]

  @Test(arguments: Deed.allCases, 0...2)
  func `an object of a step in which its entity has other attributes is refused`(
    deed: Deed, number: Int
  ) throws {
    let trial = try Self.trial(Keeps.self, deed, last: Self.others[number])
    let error = try trial.failure()
    #expect(error.codes == ["RUN-041"])
    #expect(error.description.contains("an object of “Person” was made in another step"))
  }

  @Test(arguments: 0...2)
  func `page by page it is refused too`(number: Int) throws {
    let trial = try Self.trial(KeepsInPages.self, .inserts, last: Self.others[number])
    var options = MigrationOptions()
    options.lane = .page
    let error = try trial.failure(options: options)
    #expect(error.codes == ["RUN-041"])
    #expect(error.description.contains("an object of “Person” was made in another step"))
  }

  @Test(arguments: [false, true])
  func `an object of a step in which its entity is the same is taken`(isInPages: Bool) throws {
    let trial = try Self.trial(
      isInPages ? KeepsInPages.self : Keeps.self, .inserts, last: [.number("age"), .text("name")])
    var options = MigrationOptions()
    if isInPages { options.lane = .page }
    try trial.run(options: options)
    let people = try StoreContents(
      path: trial.directory.path("new.sqlite"), model: trial.destination
    )["Person"]
    #expect(people.map { $0["name"] } == Array(repeating: "Person 3", count: 3))
  }
}
