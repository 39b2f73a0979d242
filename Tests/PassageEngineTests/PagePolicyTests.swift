import Passage
import PassageTesting
import Synchronization
import TestSupport
import Testing

/// A policy that makes one object of each source object gives the same store in all lanes, also
/// where the cells of its objects are made only when they are asked for.
@Suite(.serialized) struct PagePolicyTests {
  private static let source = Model(
    "1",
    [Entity("Event", [.text("title"), .text("place"), .real("score"), .number("count")])])
  private static let destination = Model(
    "2",
    [
      Entity(
        "Record",
        [
          .text("title"), .text("place"), .real("share"), .number("number"), .text("upper"),
          .text("state", isOptional: false, .text("new")), .number("left", .integer(7)),
        ])
    ])

  private static func trial(_ policy: any MigrationPolicy.Type, filter: String = "") throws -> Trial
  {
    let mappings = try mapping(
      """
      {"type": "custom", "source": "Event", "destination": "Record", "policy": "\(policy.name)",
       "name": "Records", \(filter)
       "attributes": {"title": {}, "place": "$source.place", "share": "$source.score / $source.count",
                      "number": "$source.count * 2", "upper": "$source.title.uppercaseString"}}
      """)
    return try Trial(Self.source, Self.destination, [mappings], policies: [policy]) { store in
      for number in 1...40 {
        try store.insert(
          "Event",
          [
            "title": number % 7 == 0
              ? .null : .text(String(repeating: "é\(number) ", count: number % 5 == 0 ? 2_000 : 1)),
            "place": .text("Place \(number)"),
            "score": .real(Double(number) / 4), "count": .integer(Int64(number % 4)),
          ])
      }
    }
  }

  // MARK: What a policy does with its objects

  /// What a policy does for each source object.
  enum Deed: String, CaseIterable {
    case copies, replaces, numbers, reads, readsAll, empties, skips, inserts, makesTwo
    case insertsAnother, changesItsSource, insertsTheOneBefore

    var policy: any MigrationPolicy.Type {
      switch self {
      case .copies: Copies.self
      case .replaces: Replaces.self
      case .numbers: Numbers.self
      case .reads: Reads.self
      case .readsAll: ReadsAll.self
      case .empties: Empties.self
      case .skips: Skips.self
      case .inserts: Inserts.self
      case .makesTwo: MakesTwo.self
      case .insertsAnother: InsertsAnother.self
      case .changesItsSource: ChangesItsSource.self
      case .insertsTheOneBefore: InsertsTheOneBefore.self
      }
    }
  }

  @Test(arguments: Deed.allCases)
  func `all lanes make the objects that a policy makes`(deed: Deed) throws {
    _ = try Self.trial(deed.policy).migrate()
    _ = try Self.trial(deed.policy, filter: #""filter": "place != 'Place 3'","#).migrate()
  }

  @Test func `a policy without needs is called page by page`() throws {
    var options = MigrationOptions()
    options.lane = .page
    let report = try Self.trial(Replaces.self).run(options: options)
    #expect(report.steps.flatMap(\.mappings).map(\.lane) == [.page])
  }

  @Test func `a required attribute that a policy empties is found`() throws {
    final class EmptiesState: Author {
      override class var name: String { "EmptiesState" }
      override func change(_ object: inout DestinationObject, _ source: SourceObject) throws {
        if source.key == 20 { try object.set("state", to: .null) }
      }
    }
    for lane in [MigrationOptions.Lane.page, .row] {
      var options = MigrationOptions()
      options.lane = lane
      let error = try Self.trial(EmptiesState.self).failure(options: options)
      #expect(error.codes.count == 1, "\(lane)")
      #expect(error.codes == ["VAL-001"], "\(lane)")
    }
  }

  // MARK: Objects that are kept

  private static let kept = Mutex<(every: Int64, objects: [(SourceObject, DestinationObject)])>(
    (1, []))

  @Test(arguments: [Int64(1), 2, 3])
  func `objects that a policy keeps stay as they were`(every: Int64) throws {
    final class Keeps: Author {
      override class var name: String { "Keeps" }
      override func createDestinationInstances(
        for source: SourceObject, in context: MigrationContext
      ) throws {
        var object = try context.defaultDestination(for: source)
        try object.set("upper", to: .text("a text with memory of its own, \(source.key)"))
        PagePolicyTests.kept.withLock {
          if source.key % $0.every == 0 { $0.objects.append((source, object)) }
        }
        try context.insert(object, for: source)
      }
    }
    Self.kept.withLock { $0 = (every, []) }
    var options = MigrationOptions()
    options.lane = .page
    options.limits.batch = BatchLimits(rows: 7)
    try Self.trial(Keeps.self).run(options: options)
    let kept = Self.kept.withLock { $0.objects }
    #expect(kept.map(\.0.key) == (1...40).filter { $0 % every == 0 })
    for (source, object) in kept {
      #expect(source["place"] == .text("Place \(source.key)"))
      #expect(source.values.count == source.shape.names.count)
      #expect(source["score"] == .real(Double(source.key) / 4))
      #expect(object["place"] == source["place"])
      #expect(object["number"] == .integer(source.key % 4 * 2))
      #expect(object["title"] == source["title"])
      #expect(object["state"] == .text("new"))
      #expect(object["upper"] == .text("a text with memory of its own, \(source.key)"))
      #expect(object.values.count == 7)
    }
  }

  @Test func `more attributes than bits in a word are made in all lanes`() throws {
    let attributes = (0..<70).map { Attribute.number("a\($0)") }
    let copies = attributes.map { #""\#($0.name)": {}"# }.joined(separator: ", ")
    let mappings = try mapping(
      """
      {"type": "custom", "source": "Wide", "destination": "Wide", "policy": "SetsTheLast",
       "attributes": {\(copies)}}
      """)
    final class SetsTheLast: Author {
      override class var name: String { "SetsTheLast" }
      override func change(_ object: inout DestinationObject, _ source: SourceObject) throws {
        try object.set("a69", to: .integer(source.key))
      }
    }
    let trial = try Trial(
      Model("1", [Entity("Wide", attributes)]),
      Model("2", [Entity("Wide", attributes + [.text("more")])]), [mappings],
      policies: [SetsTheLast.self]
    ) { store in
      for number in 1...9 {
        try store.insert(
          "Wide",
          Dictionary(
            uniqueKeysWithValues: attributes.map { ($0.name, Value.integer(Int64(number))) }))
      }
    }
    _ = try trial.migrate()
  }
}

/// Makes one object of each source object.
private class Author: MigrationPolicy {
  static let hooks: Set<MigrationHook> = [.createDestinationInstances]
  class var needs: Set<MigrationContext.Need> { [] }
  class var name: String { "Author" }

  required init(mapping: PolicyMapping) {}

  func createDestinationInstances(
    for source: SourceObject, in context: MigrationContext
  ) throws {
    var object = try context.defaultDestination(for: source)
    try change(&object, source)
    try context.insert(object, for: source)
  }

  func change(_ object: inout DestinationObject, _ source: SourceObject) throws {}
}

private final class Copies: Author {
  override class var name: String { "Copies" }
}

private final class Replaces: Author {
  override class var name: String { "Replaces" }
  override func change(_ object: inout DestinationObject, _ source: SourceObject) throws {
    guard source.key % 3 != 0 else { return }
    let length = source.key % 5 == 0 ? 9_000 : 1
    try object.set("state", to: .text(String(repeating: "s", count: length)))
    try object.set("number", to: source["count"] ?? .null)
    try object.set("title", to: .text("\(source.key)"))
    try object.set("left", to: .null)
  }
}

private final class Numbers: Author {
  override class var name: String { "Numbers" }
  override func change(_ object: inout DestinationObject, _ source: SourceObject) throws {
    guard let count = try source.integer("count"), count > 0 else { return }
    try object.set("number", to: .integer(count * 3))
  }
}

private final class Reads: Author {
  override class var name: String { "Reads" }
  override func change(_ object: inout DestinationObject, _ source: SourceObject) throws {
    let share = object["share"]?.double ?? -1
    try object.set("title", to: .text("\(share) \(object["number"] ?? 0) \(object["left"] ?? 0)"))
  }
}

private final class ReadsAll: Author {
  override class var name: String { "ReadsAll" }
  override func change(_ object: inout DestinationObject, _ source: SourceObject) throws {
    try object.set("place", to: .text("\(object.values) \(source.values)"))
  }
}

private final class Empties: Author {
  override class var name: String { "Empties" }
  override func change(_ object: inout DestinationObject, _ source: SourceObject) throws {
    for name in ["share", "title", "upper"] { try object.set(name, to: .null) }
  }
}

private final class Skips: Author {
  override class var name: String { "Skips" }
  override func createDestinationInstances(
    for source: SourceObject, in context: MigrationContext
  ) throws {
    let object = try context.defaultDestination(for: source)
    if source.key % 2 == 0 { try context.insert(object, for: source) }
  }
}

private final class Inserts: Author {
  override class var name: String { "Inserts" }
  override func createDestinationInstances(
    for source: SourceObject, in context: MigrationContext
  ) throws {
    var object = try context.makeObject(ofEntity: "Record")
    try object.set("place", to: source["title"] ?? .null)
    let reference = try context.insert(object, for: source)
    guard reference == ObjectReference(entityName: "Record", key: source.key) else {
      throw PolicyMistake("the reference is \(reference)")
    }
  }
}

private final class MakesTwo: Author {
  override class var name: String { "MakesTwo" }
  override func createDestinationInstances(
    for source: SourceObject, in context: MigrationContext
  ) throws {
    var first = try context.defaultDestination(for: source)
    let second = try context.defaultDestination(for: source)
    try first.set("place", to: second["place"] ?? .null)
    try first.set("share", to: 0.5)
    try context.insert(source.key % 2 == 0 ? first : second, for: source)
  }
}

private final class InsertsAnother: Author {
  override class var name: String { "InsertsAnother" }
  override func createDestinationInstances(
    for source: SourceObject, in context: MigrationContext
  ) throws {
    var object = try context.defaultDestination(for: source)
    let copy = object
    try object.set("place", to: "changed")
    try context.insert(copy, for: source)
  }
}

private final class ChangesItsSource: Author {
  override class var name: String { "ChangesItsSource" }
  override func createDestinationInstances(
    for source: SourceObject, in context: MigrationContext
  ) throws {
    var changed = source
    if let place = source.shape.position(of: "place") { changed.values[place] = "elsewhere" }
    try context.insert(context.defaultDestination(for: changed), for: source)
  }
}

/// Every object is written with the next source object, in batches of one as well: what it
/// remembers is outside of its instances.
private final class InsertsTheOneBefore: Author {
  private static let before = Mutex<DestinationObject?>(nil)
  override class var name: String { "InsertsTheOneBefore" }
  override class var needs: Set<MigrationContext.Need> { [.order] }
  override func createDestinationInstances(
    for source: SourceObject, in context: MigrationContext
  ) throws {
    let object = try context.defaultDestination(for: source)
    let before = Self.before.withLock { before in
      defer { before = source.key == 40 ? nil : object }
      return before
    }
    try context.insert(before ?? object, for: source)
  }
}
