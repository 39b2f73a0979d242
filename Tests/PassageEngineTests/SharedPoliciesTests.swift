import Dispatch
import Foundation
import Passage
import PassageEngine
import PassageTesting
import Synchronization
import TestSupport
import Testing

/// Policies that do not need the order of their objects are called by several threads, whose number
/// changes nothing in a store, in no account and in no error.
@Suite struct SharedPoliciesTests {
  private static let seed = RandomSeed.told(for: "SharedPoliciesTests")
  private static let objectCount: Int64 = 3_000

  private static let source = Model(
    "1",
    [
      Entity(
        "Event",
        [.text("title"), .text("place"), .text("day"), .real("score"), .number("count")],
        [.many("notes", "Note", inverse: "event")]),
      Entity("Trip", parent: "Event", [.text("load")]),
      Entity("Note", [.text("text")], [.one("event", "Event", inverse: "notes")]),
    ])

  private static let destination = Model(
    "2",
    [
      Entity(
        "Event",
        [
          .text("title"), .text("place"), .text("upper"), .date("day"), .real("share"),
          .number("number"), .text("state", isOptional: false, .text("new")),
        ], [.many("notes", "Note", inverse: "event")]),
      Entity("Trip", parent: "Event", [.text("load")]),
      Entity("Note", [.text("text")], [.one("event", "Event", inverse: "notes")]),
    ])

  /// - Parameters:
  ///   - policy: of the events; `nil` when the mapping makes them. The mapping makes the trips.
  ///   - longPercent: how many rows do not fit their page.
  ///   - day: the value of the attribute.
  ///   - hasNotes: whether other objects are related to them.
  private static func trial(
    _ policy: (any MigrationPolicy.Type)?, longPercent: Int = 0, filter: String? = nil,
    day: String = "parseDateOrNull($source.day, 'yyyy-MM-dd', 'UTC', 'en_US_POSIX')",
    hasNotes: Bool = false
  ) throws -> Trial {
    var random = SeededRandom(seed: seed &+ UInt64(longPercent))
    var mappings = ["Event", "Trip"].map { entity in
      """
      {"type": "\(entity == "Event" && policy != nil ? "custom" : "transform")", "source": "\(entity)", "destination": "\(entity)",
       \(entity == "Event" ? policy.map { "\"policy\": \"\($0.name)\"," } ?? "" : "")
       \(filter.map { "\"filter\": \"\($0)\"," } ?? "")
       "attributes": {"title": {}, "place": {}, \(entity == "Trip" ? "\"load\": {}," : "")
                      "upper": "$source.title.uppercaseString", "day": "\(day)",
                      "share": "$source.score / $source.count", "number": "$source.count * 2"}}
      """
    }
    if hasNotes { mappings.append(#"{"type": "copy", "source": "Note", "destination": "Note"}"#) }
    return try Trial(
      source, destination, [mapping(mappings.joined(separator: ", "))],
      policies: policy.map { [$0] } ?? []
    ) { store in
      for number in 1...objectCount {
        let length = random.chance(longPercent) ? 9_000 : Int.random(in: 0...600, using: &random)
        let values: [String: Value] = [
          "title": random.chance(10)
            ? .null : .text("\(number) ß" + String(repeating: "x", count: length)),
          "place": .text("Place \(number)"),
          "day": .text(random.chance(5) ? "soon" : "2001-01-0\(number % 9 + 1)"),
          "score": .real(Double(number) / 4), "count": .integer(number % 4),
        ]
        let event =
          try random.chance(30)
          ? store.insert("Trip", values.merging(["load": "sand"]) { $1 })
          : store.insert("Event", values)
        guard hasNotes, number % 3 == 0 else { continue }
        let note = try store.insert("Note", ["text": .text("note \(number)")])
        try store.relate(note, "event", to: [event])
      }
    }
  }

  /// Runs with one thread and with more, and compares everything.
  private static func compare(_ trial: Trial, _ options: MigrationOptions = .pages(jobs: 1)) throws
    -> MigrationReport
  {
    var options = options
    let one = try trial.runInOneMoment(to: "1.sqlite", options: options)
    #expect(one.steps[0].mappings.filter { $0.lane != .page } == [])
    #expect(one.steps[0].mappings.filter { !$0.isBalanced } == [])
    for jobs in [2, 3, 7] {
      options.limits.jobs = jobs
      let report = try trial.runInOneMoment(to: "\(jobs).sqlite", options: options)
      #expect(report.steps[0].mappings == one.steps[0].mappings)
      #expect(report.losses == one.losses)
      #expect(report.quarantined == one.quarantined)
      #expect("\(report.warnings)" == "\(one.warnings)")
      #expect(try trial.differingPages("1.sqlite", "\(jobs).sqlite") == [])
    }
    return one
  }

  // MARK: The same store

  @Test(arguments: Deed.allCases)
  func `any number of threads makes the same pages with a policy`(deed: Deed) throws {
    let report = try Self.compare(Self.trial(deed.policy))
    #expect(report.steps[0].mappings.map(\.read).reduce(0, +) == Self.objectCount)
  }

  @Test(arguments: [1, 40], [nil, "count != 3 AND title.uppercaseString != 'A'"])
  func `long rows and filters change nothing`(longPercent: Int, filter: String?) throws {
    _ = try Self.compare(Self.trial(Changes.self, longPercent: longPercent, filter: filter))
  }

  @Test(arguments: [nil, "title.uppercaseString ENDSWITH 'X'"])
  func `rows that the engine computes without a policy are the same`(filter: String?) throws {
    _ = try Self.compare(
      Self.trial(
        nil, filter: filter,
        day: "parseDateOrNull($source.day, 'yyyy-M-d', 'Europe/Berlin', 'de_DE')"))
  }

  @Test func `work in memory gives the same accounts`() throws {
    for policy in [Changes.self, nil] as [(any MigrationPolicy.Type)?] {
      var trial = try Self.trial(
        policy, day: "parseDateOrNull($source.day, 'yyyy-M-d', 'Europe/Berlin', 'de_DE')")
      let one = try trial.run(to: "disk.sqlite", options: .pages(jobs: 1))
      #expect(one.steps[0].mappings.filter { $0.becameNil["day"] ?? 0 < 10 } == [])
      trial.worksInMemory = true
      var options = MigrationOptions.pages(jobs: 1)
      options.lane = .automatic
      #expect(try Self.compare(trial, options).steps[0].mappings == one.steps[0].mappings)
    }
  }

  @Test(arguments: [nil, "count != 3"])
  func `links to objects that are made on threads lead where they led`(filter: String?) throws {
    for policy in [Skipping.self, nil] as [(any MigrationPolicy.Type)?] {
      let report = try Self.compare(Self.trial(policy, filter: filter, hasNotes: true))
      #expect(
        (report.steps[0].mappings[2].emptied["event"] ?? 0 > 0) == (policy != nil || filter != nil))
    }
  }

  @Test func `the same objects are quarantined`() throws {
    var options = MigrationOptions.pages(jobs: 1)
    options.allowed.quarantined = 10_000
    let report = try Self.compare(
      Self.trial(nil, day: "parseDate($source.day, 'yyyy-MM-dd', 'UTC', 'en_US_POSIX')"), options)
    #expect(report.quarantined > 100)
  }

  @Test func `stopped anywhere and continued, threads make the same store`() throws {
    let trial = try Self.trial(Changes.self, longPercent: 1)
    try trial.run(to: "1.sqlite", options: .pages(jobs: 1))
    let rows = try StoreRows(path: trial.directory.path("1.sqlite"))
    for stop in stride(from: 3, through: 60, by: 5) {
      let name = "stopped\(stop).sqlite"
      for round in 0..<50 {
        let control = StoppingControl(after: stop)
        let options = MigrationOptions.pages(jobs: 1 + (stop + round) % 3, batch: 10_000)
        if (try? trial.run(to: name, options: options, control: control.control)) != nil { break }
      }
      let report = try trial.run(to: name, options: .pages(jobs: 2))
      #expect(report.steps.flatMap(\.mappings).filter { !$0.isBalanced } == [])
      #expect(try StoreRows(path: trial.directory.path(name)).differences(from: rows) == [])
    }
  }

  // MARK: The same errors

  @Test(arguments: [Failing.self, FailingLate.self, Undeclared.self] as [any MigrationPolicy.Type])
  func `the error of the first object that fails ends the migration`(
    policy: any MigrationPolicy.Type
  ) throws {
    let trial = try Self.trial(policy)
    let one = try trial.failure(options: .pages(jobs: 1))
    let names = trial.directory.names
    for jobs in [2, 3, 7] {
      let error = try trial.failure(options: .pages(jobs: jobs))
      #expect("\(error)" == "\(one)")
      #expect(error.kind == one.kind)
      #expect(trial.directory.names == names)
    }
  }

  @Test func `a policy that cannot be made on other threads is called by one`() throws {
    let thread = ObjectIdentifier(Thread.current)
    MadeOnce.thread.withLock { $0 = thread }
    let report = try Self.compare(Self.trial(MadeOnce.self))
    #expect(report.outcome == .migrated)
  }

  @Test func `a run that is to stop stops within a range`() throws {
    let trial = try Self.trial(Counted.self)
    Counted.calls.withLock { $0 = 0 }
    let jobs = 4
    let error = try trial.failure(
      options: .pages(jobs: jobs),
      control: RunControl(willContinue: { Counted.calls.withLock { $0 < 300 } }))
    #expect(error.kind == .cancelled)
    // A thread asks every 256 rows, and the last question may be just before the stop.
    let calls = Counted.calls.withLock { $0 }
    #expect(calls < 300 + (jobs + 1) * 256)
  }

  // MARK: Threads

  @Test(.serialized, arguments: [false, true])
  func `several threads call a policy`(hasNotes: Bool) throws {
    Meeting.threads.withLock { $0 = [] }
    try Self.trial(Meeting.self, hasNotes: hasNotes).run(options: .pages(jobs: 3))
    let threads = Meeting.threads.withLock { $0 }
    #expect(threads.count > 1)
  }

  @Test func `a policy that needs order is called in order, by one instance`() throws {
    InOrder.calls.withLock { $0 = [] }
    try Self.trial(InOrder.self).run(options: .pages(jobs: 3))
    let calls = InOrder.calls.withLock { $0 }
    #expect(calls.count > 1_000)
    #expect(calls.map(\.key) == calls.map(\.key).sorted())
    #expect(Set(calls.map(\.instance)).count == 1)
  }

  @Test func `a policy that decides relationships is called by the thread that writes`() throws {
    let report = try Self.compare(Self.trial(Relating.self))
    #expect(report.steps[0].mappings[0].migrated > 1_000)
  }

  @Test func `objects that a policy keeps stay as they were`() throws {
    Keeping.kept.withLock { $0 = [] }
    try Self.trial(Keeping.self).run(options: .pages(jobs: 3))
    let kept = Keeping.kept.withLock { $0 }
    #expect(kept.count > 1_000)
    for (source, object) in kept {
      #expect(source["place"] == .text("Place \(source.key)"))
      #expect(object["place"] == source["place"])
      #expect(object["number"] == .integer(source.key % 4 * 2))
    }
  }
}

extension SharedPoliciesTests {
  /// What a policy does for each source object.
  enum Deed: String, CaseIterable {
    case copies, changes, skips, reads, inserts, exchanges

    fileprivate var policy: any MigrationPolicy.Type {
      switch self {
      case .copies: Copying.self
      case .changes: Changes.self
      case .skips: Skipping.self
      case .reads: Reading.self
      case .inserts: Inserting.self
      case .exchanges: Exchanging.self
      }
    }
  }
}

/// Makes one object of each source object.
private class Author: MigrationPolicy {
  class var hooks: Set<MigrationHook> { [.createDestinationInstances] }
  class var needs: Set<MigrationContext.Need> { [] }
  class var name: String { String(describing: self) }
  /// Is not shared between threads.
  private var count = 0

  required init(mapping: PolicyMapping) throws {}

  func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
    count += 1
    var object = try context.defaultDestination(for: source)
    try change(&object, source, context)
    try context.insert(object, for: source)
  }

  func change(
    _ object: inout DestinationObject, _ source: SourceObject, _ context: MigrationContext
  ) throws {}
}

private final class Copying: Author {}

private final class Changes: Author {
  override func change(
    _ object: inout DestinationObject, _ source: SourceObject, _ context: MigrationContext
  ) throws {
    guard source.key % 3 != 0 else { return }
    try object.set("number", to: source["count"] ?? .null)
    try object.set("state", to: .text("\(object["share"]?.double ?? -1) \(context.now > 0)"))
    if source.key % 5 == 0 { try object.set("day", to: .null) }
  }
}

private final class Skipping: Author {
  override func createDestinationInstances(
    for source: SourceObject, in context: MigrationContext
  ) throws {
    let object = try context.defaultDestination(for: source)
    if source.key % 2 == 0 { try context.insert(object, for: source) }
  }
}

private final class Reading: Author {
  override func change(
    _ object: inout DestinationObject, _ source: SourceObject, _ context: MigrationContext
  ) throws {
    let other = try context.sourceObject(ofEntity: "Event", key: source.key / 2)
    try object.set("place", to: .text("\(other?["place"] ?? .null)"))
  }
}

private final class Inserting: Author {
  override func createDestinationInstances(
    for source: SourceObject, in context: MigrationContext
  ) throws {
    var object = try context.makeObject(ofEntity: "Event")
    try object.set("place", to: source["title"] ?? .null)
    try context.insert(object, for: source)
  }
}

/// Writes into an object that was made before, mostly on another thread.
private final class Exchanging: Author {
  private static let before = Mutex<DestinationObject?>(nil)

  override func createDestinationInstances(
    for source: SourceObject, in context: MigrationContext
  ) throws {
    let usual = try context.defaultDestination(for: source)
    let own = try context.makeObject(ofEntity: "Event")
    let before = Self.before.withLock { before in
      defer { before = own }
      return before
    }
    var object = before ?? own
    for name in ["title", "place", "upper", "day", "share", "number", "state"] {
      try object.set(name, to: usual[name] ?? .null)
    }
    try context.insert(object, for: source)
  }
}

private final class Failing: Author {
  override func change(
    _ object: inout DestinationObject, _ source: SourceObject, _ context: MigrationContext
  ) throws {
    if source.key > 1_000 { throw PolicyMistake("it fails at \(source.key)") }
  }
}

/// Fails at some of its objects, near the end.
private final class FailingLate: Author {
  override func change(
    _ object: inout DestinationObject, _ source: SourceObject, _ context: MigrationContext
  ) throws {
    if source.key > 2_500, source.key % 50 < 10 {
      try object.set("place", to: "elsewhere")
      throw PolicyMistake("it fails at \(source.key)")
    }
  }
}

/// Makes a call that it does not declare, and catches the error.
private final class Undeclared: Author {
  override func change(
    _ object: inout DestinationObject, _ source: SourceObject, _ context: MigrationContext
  ) throws {
    if source.key > 1_500 { try? context.userInfo.set("last", to: "\(source.key)") }
  }
}

/// Can be made on the thread of the test only.
private final class MadeOnce: Author {
  static let thread = Mutex<ObjectIdentifier?>(nil)

  required init(mapping: PolicyMapping) throws {
    let thread = ObjectIdentifier(Thread.current)
    guard Self.thread.withLock({ $0 == thread }) else {
      throw PolicyMistake("it is made on another thread")
    }
    try super.init(mapping: mapping)
  }
}

private final class Counted: Author {
  static let calls = Mutex(0)
  override func change(
    _ object: inout DestinationObject, _ source: SourceObject, _ context: MigrationContext
  ) throws {
    Self.calls.withLock { $0 += 1 }
  }
}

/// Waits until two threads have called it.
private final class Meeting: Author {
  static let threads = Mutex<Set<ObjectIdentifier>>([])
  private static let second = DispatchSemaphore(value: 0)
  private static let isHopeless = Mutex(false)

  override func change(
    _ object: inout DestinationObject, _ source: SourceObject, _ context: MigrationContext
  ) throws {
    let count = Self.threads.withLock { threads in
      threads.insert(ObjectIdentifier(Thread.current))
      return threads.count
    }
    if count > 1 {
      Self.second.signal()
    } else if !Self.isHopeless.withLock({ $0 }), Self.second.wait(timeout: .now() + 30) != .success
    {
      Self.isHopeless.withLock { $0 = true }
    }
  }
}

private final class InOrder: Author {
  override class var needs: Set<MigrationContext.Need> { [.order] }
  static let calls = Mutex<[(key: Int64, instance: ObjectIdentifier)]>([])
  override func change(
    _ object: inout DestinationObject, _ source: SourceObject, _ context: MigrationContext
  ) throws {
    let instance = ObjectIdentifier(self)
    Self.calls.withLock { $0.append((source.key, instance)) }
  }
}

/// Catches the error of a call that only the thread that writes can answer.
private final class Relating: Author {
  override func change(
    _ object: inout DestinationObject, _ source: SourceObject, _ context: MigrationContext
  ) throws {
    var isAnswered = true
    do {
      try context.createDefaultRelationships(for: object)
    } catch {
      isAnswered = false
    }
    try object.set("state", to: .text("\(isAnswered)"))
  }
}

private final class Keeping: Author {
  static let kept = Mutex<[(SourceObject, DestinationObject)]>([])
  override func change(
    _ object: inout DestinationObject, _ source: SourceObject, _ context: MigrationContext
  ) throws {
    let copy = object
    Self.kept.withLock { $0.append((source, copy)) }
  }
}
