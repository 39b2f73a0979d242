import Passage
import PassageEngine
import PassageTesting
import TestSupport
import Testing

/// A policy does what it says it needs, and is held to it.
@Suite struct PolicyNeedsTests {
  typealias Need = MigrationContext.Need

  private static func trial(
    _ policy: any MigrationPolicy.Type, call: Call = .own, isQuiet: Bool = false
  ) throws -> Trial {
    let mappings = try mapping(
      """
      {"type": "custom", "source": "Person", "destination": "Person", "name": "People",
       "policy": {"name": "\(policy.name)",
                  "userInfo": {"call": "\(call.rawValue)", "isQuiet": "\(isQuiet)"}},
       "attributes": {"fullName": "$source.first"}},
      {"type": "copy", "source": "Dog", "destination": "Dog"}
      """)
    return try Trial(
      PolicyTests.source, PolicyTests.destination, [mappings], policies: [policy],
      fill: PolicyTests.fill)
  }

  // MARK: What a policy calls

  /// Something a policy does for each object.
  enum Call: String, CaseIterable {
    case own, second, otherEntity, bare, shared, find, instances, sources, read, sweep
    case updateOwn, updateOther, associate, remember, rememberInBegin, source, relate

    /// What it needs, all of it.
    var needs: Set<Need> {
      switch self {
      case .own, .updateOwn, .rememberInBegin, .source, .relate: []
      case .second, .otherEntity, .bare: [.furtherObjects]
      case .find, .instances, .sources, .read, .sweep, .updateOther: [.destinationObjects]
      case .associate, .remember: [.order]
      case .shared: [.destinationObjects, .furtherObjects, .order]
      }
    }
  }

  @Test(arguments: Call.allCases)
  func `a policy that says what it needs does it`(call: Call) throws {
    let trial = try Self.trial(Caller.saying(call.needs), call: call)
    try trial.run()
    #expect(
      try StoreAudit(path: trial.directory.path("new.sqlite"), model: trial.destination).findings
        == [])
  }

  @Test(arguments: Call.allCases.filter { !$0.needs.isEmpty }, [false, true])
  func `a policy that does more than it says ends the migration, also where it hides the error`(
    call: Call, isQuiet: Bool
  ) throws {
    for need in call.needs {
      let trial = try Self.trial(
        Caller.saying(Set(Need.allCases).subtracting([need])), call: call, isQuiet: isQuiet)
      let names = trial.directory.names
      let error = try trial.failure()
      #expect(error.codes == ["RUN-047"])
      #expect(error.kind == .policyFailed)
      #expect(error.diagnostics.first?.message.contains("“Caller” of “People”") == true)
      #expect(
        error.diagnostics.first?.remedy
          == "add .\(need.rawValue) to “static let needs” of the policy")
      #expect(trial.directory.names.filter { !$0.hasSuffix(".passage") } == names)
    }
  }

  @Test func `an object is not quarantined because its policy does more than it says`() throws {
    let trial = try Self.trial(Caller.saying([]), call: .second)
    var options = MigrationOptions()
    options.allowed.quarantined = 100
    #expect(try trial.failure(options: options).codes == ["RUN-047"])
  }

  @Test func `a policy that says nothing of its needs may do everything`() throws {
    struct Silent: MigrationPolicy {
      init(mapping: PolicyMapping) {}
    }
    #expect(Silent.needs == Set(Need.allCases))
  }

  // MARK: Order

  /// Counts its objects in memory, which is right where they come in order alone.
  private class Counter: MigrationPolicy {
    class var needs: Set<Need> { [] }
    static var name: String { "Counter" }
    private var made = 0
    private var related = 0
    private var isBegun = false

    required init(mapping: PolicyMapping) {}

    func begin(in context: MigrationContext) { isBegun = true }

    func createDestinationInstances(
      for source: SourceObject, in context: MigrationContext
    ) throws {
      made += 1
      var person = try context.defaultDestination(for: source)
      try person.set("fullName", to: .text("\(made) \(isBegun)"))
      try context.insert(person, for: source)
    }

    func createRelationships(
      for destination: DestinationObject, in context: MigrationContext
    ) throws {
      related += 1
      var person = destination
      let name = person["fullName"]?.string ?? ""
      try person.set("fullName", to: .text("\(name) \(related)"))
      try context.update(person)
    }
  }

  private final class OrderedCounter: Counter {
    override class var needs: Set<Need> { [.order] }
  }

  @Test(arguments: [false, true])
  func `an instance remembers objects of other batches only where the order is needed`(
    isOrdered: Bool
  ) throws {
    let trial = try Self.trial(isOrdered ? OrderedCounter.self : Counter.self)
    var options = MigrationOptions()
    options.limits.batch = BatchLimits(rows: 2)
    try trial.run(options: options)
    let people = try StoreContents(
      path: trial.directory.path("new.sqlite"), model: trial.destination
    )["Person"]
    #expect(
      people.map { $0["fullName"].string }
        == (isOrdered
          ? ["1 true 1", "2 true 2", "3 true 3", "4 true 4", "5 true 5"]
          : ["1 false 1", "2 false 2", "1 false 1", "2 false 2", "1 false 1"]))
  }

  @Test func `a policy cannot remember objects and need no order`() throws {
    struct Confused: MigrationPolicy {
      static let needs: Set<Need> = []
      static let restartsWhenInterrupted = true
      init(mapping: PolicyMapping) {}
    }
    let error = try Self.trial(Confused.self).failure()
    #expect(error.codes == ["MAP-030"])
    #expect(error.diagnostics.first?.location?.line == 3)
  }

  @Test func `a policy without needs gives the same store in batches of every size`() throws {
    let found = try Self.trial(Caller.saying([])).migrate()
    #expect(found.contents["Person"].count == 5)
  }
}

/// Says one thing of its needs, and does another: what `userInfo` tells.
private class Caller: MigrationPolicy {
  static let name = "Caller"
  class var needs: Set<MigrationContext.Need> { [] }

  private let call: PolicyNeedsTests.Call
  private let isQuiet: Bool
  private var first: DestinationObject?

  required init(mapping: PolicyMapping) throws {
    call = PolicyNeedsTests.Call(rawValue: mapping.userInfo["call"] ?? "") ?? .own
    isQuiet = mapping.userInfo["isQuiet"] == "true"
  }

  /// The one that says it needs this.
  static func saying(_ needs: Set<MigrationContext.Need>) -> Caller.Type {
    let all: [Caller.Type] = [
      Caller.self, Objects.self, Further.self, Order.self, ObjectsFurther.self, ObjectsOrder.self,
      FurtherOrder.self, Everything.self,
    ]
    return all.first { $0.needs == needs } ?? Caller.self
  }

  private func attempt(_ body: () throws -> Void) throws {
    if isQuiet { try? body() } else { try body() }
  }

  func begin(in context: MigrationContext) throws {
    guard call == .rememberInBegin else { return }
    try context.userInfo.set("begun", to: "yes")
    _ = try context.userInfo.value("begun")
  }

  func createDestinationInstances(
    for source: SourceObject, in context: MigrationContext
  ) throws {
    let reference = try context.insert(context.defaultDestination(for: source), for: source)
    try attempt {
      switch call {
      case .second: try context.insert(context.defaultDestination(for: source), for: source)
      case .otherEntity: try context.insert(context.makeObject(ofEntity: "City"), for: source)
      case .bare: try context.insert(context.makeObject(ofEntity: "City"))
      case .shared:
        try context.findOrInsert("City", key: [source["city"] ?? .null], for: source) { _ in }
      case .find: _ = try context.find("City", key: ["Rome"])
      case .instances:
        _ = try context.destinationInstances(forMappingNamed: "People", sourceKey: source.key)
      case .sources:
        _ = try context.sourceKeys(forMappingNamed: "People", destination: reference)
      case .read: _ = try context.destinationObject(reference)
      case .sweep: try context.forEachDestinationObject(ofEntity: "Person") { _ in }
      case .associate:
        try context.associate(source, with: ObjectReference(entityName: "Person", key: 1))
      case .remember:
        try context.userInfo.set("last", to: "\(source.key)")
        _ = try context.userInfo.value("last")
      case .source:
        _ = try context.sourceObject(ofEntity: "Dog", key: 1)
      case .own, .updateOwn, .updateOther, .rememberInBegin, .relate: break
      }
    }
  }

  func createRelationships(
    for destination: DestinationObject, in context: MigrationContext
  ) throws {
    guard destination.entityName == "Person" else { return }
    var changed = destination
    try changed.set("fullName", to: "changed")
    try attempt {
      switch call {
      case .updateOwn: try context.update(changed)
      case .updateOther:
        if let first { try context.update(first) }
        first = changed
      case .relate: try context.setRelationship("city", of: destination.reference, to: [])
      default: try context.createDefaultRelationships(for: destination)
      }
    }
  }
}

private final class Objects: Caller {
  override class var needs: Set<MigrationContext.Need> { [.destinationObjects] }
}

private final class Further: Caller {
  override class var needs: Set<MigrationContext.Need> { [.furtherObjects] }
}

private final class Order: Caller {
  override class var needs: Set<MigrationContext.Need> { [.order] }
}

private final class ObjectsFurther: Caller {
  override class var needs: Set<MigrationContext.Need> { [.destinationObjects, .furtherObjects] }
}

private final class ObjectsOrder: Caller {
  override class var needs: Set<MigrationContext.Need> { [.destinationObjects, .order] }
}

private final class FurtherOrder: Caller {
  override class var needs: Set<MigrationContext.Need> { [.furtherObjects, .order] }
}

private final class Everything: Caller {
  override class var needs: Set<MigrationContext.Need> {
    [.destinationObjects, .furtherObjects, .order]
  }
}
