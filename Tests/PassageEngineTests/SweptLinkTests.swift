import Passage
import PassageTesting
import TestSupport
import Testing

/// To-one relationships that the set lane looks up while it writes the rows: the same links as when
/// they are looked up at the end, which is what the row lane does.
@Suite struct SweptLinkTests {
  /// Persons become places by what a policy does with each; visits lead to them.
  enum Making: String, CaseIterable, Sendable {
    /// Every third becomes no place.
    case filtered = ""
    /// One place for all persons of a city.
    case shared = "SharedPlace"
    /// The first of a city keeps its key, the others are merged with it.
    case merged = "FirstPlace"
    /// Some keep theirs, some get another, some get none.
    case mixed = "MixedPlace"
    /// A place is added to the associations after the visits were made.
    case late = "LatePlace"
  }

  struct SharedPlace: MigrationPolicy {
    static let hooks: Set<MigrationHook> = [.createDestinationInstances]
    init(mapping: PolicyMapping) {}

    func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
      try context.findOrInsert("Place", key: [source["city"] ?? .null], for: source) {
        try $0.set("city", to: source["city"] ?? .null)
      }
    }
  }

  struct FirstPlace: MigrationPolicy {
    static let hooks: Set<MigrationHook> = [.createDestinationInstances]
    init(mapping: PolicyMapping) {}

    func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
      if source.key <= 3 {
        try context.insert(try context.defaultDestination(for: source), for: source)
      } else {
        try context.associate(
          source, with: ObjectReference(entityName: "Place", key: (source.key - 1) % 3 + 1))
      }
    }
  }

  struct MixedPlace: MigrationPolicy {
    static let hooks: Set<MigrationHook> = [.createDestinationInstances]
    init(mapping: PolicyMapping) {}

    func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
      switch source.key % 3 {
      case 0: break
      case 1: try context.insert(try context.defaultDestination(for: source), for: source)
      default:
        try context.findOrInsert("Place", key: [source["city"] ?? .null], for: source) {
          try $0.set("city", to: source["city"] ?? .null)
        }
      }
    }
  }

  struct LatePlace: MigrationPolicy {
    static let hooks: Set<MigrationHook> = [.createDestinationInstances, .end]
    init(mapping: PolicyMapping) {}

    func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
      if source.key == 1 {
        try context.insert(try context.defaultDestination(for: source), for: source)
      }
    }

    func end(in context: MigrationContext) throws {
      guard let second = try context.sourceObject(ofEntity: "Person", key: 2) else { return }
      try context.associate(second, with: ObjectReference(entityName: "Place", key: 1))
    }
  }

  static let source = Model(
    "1",
    [
      Entity(
        "Person", [.text("city"), .number("age")], [.many("visits", "Visit", inverse: "person")]),
      Entity("Visit", [.number("day")], [.one("person", "Person", inverse: "visits")]),
    ])
  static let destination = Model(
    "2",
    [
      Entity("Place", [.text("city")], [.many("visits", "Visit", inverse: "place")]),
      Entity("Visit", [.number("day")], [.one("place", "Place", inverse: "visits")]),
    ])

  static func mappings(_ making: Making, visitsFirst: Bool, bothSides: Bool) throws
    -> [MappingModel]
  {
    func ask(_ mapping: String, _ path: String) -> String {
      "FUNCTION($manager, \\\"destinationInstancesForEntityMappingNamed:sourceInstances:\\\", "
        + "\\\"\(mapping)\\\", $source.\(path))"
    }
    let made =
      making == .filtered
      ? #""type": "transform", "filter": "age != 0""#
      : #""type": "custom", "policy": "\#(making.rawValue)""#
    let places = """
      {"name": "Places", "source": "Person", "destination": "Place", \(made),
       "attributes": {"city": {}},
       "relationships": {\(bothSides ? "\"visits\": \"\(ask("Visits", "visits"))\"" : "")}}
      """
    let visits = """
      {"name": "Visits", "source": "Visit", "destination": "Visit", "type": "transform",
       "attributes": {"day": {}}, "relationships": {"place": "\(ask("Places", "person"))"}}
      """
    return [
      try mapping((visitsFirst ? [visits, places] : [places, visits]).joined(separator: ","))
    ]
  }

  static func fill(_ store: TestStore) throws {
    let persons = try (1...9).map { number in
      try store.insert(
        "Person",
        ["city": .text("c\((number - 1) % 3)"), "age": .integer(Int64(number % 3))])
    }
    for day in 1...20 {
      let visit = try store.insert("Visit", ["day": .integer(Int64(day))])
      if !day.isMultiple(of: 7) {
        try store.relate(visit, "person", to: [persons[day * 5 % 9]])
      }
    }
  }

  /// The person of each visit, by the rule of ``fill(_:)``.
  private static func person(_ day: Int) -> Int? {
    day.isMultiple(of: 7) ? nil : day * 5 % 9 + 1
  }

  @Test(arguments: Making.allCases, [(false, false), (false, true), (true, false), (true, true)])
  func `visits lead to what became of their person`(
    making: Making, order: (visitsFirst: Bool, bothSides: Bool)
  ) throws {
    let trial = try Trial(
      Self.source, Self.destination,
      Self.mappings(making, visitsFirst: order.visitsFirst, bothSides: order.bothSides),
      policies: [SharedPlace.self, FirstPlace.self, MixedPlace.self, LatePlace.self],
      fill: Self.fill)
    let found = try trial.migrate().contents
    let visits = found["Visit"]
    let places = found["Place"]
    #expect(visits.count == 20)
    for (index, visit) in visits.enumerated() {
      let person = Self.person(index + 1)
      let cities = visit.keys("place").map { key in places.first { $0.key == key }?["city"] }
      let expected: Bool =
        switch (making, person) {
        case (_, nil): false
        case (.filtered, let person?): person % 3 != 0
        case (.shared, _), (.merged, _): true
        case (.mixed, let person?): person % 3 != 0
        case (.late, let person?): person <= 2
        }
      let city = making == .late ? "c0" : person.map { "c\(($0 - 1) % 3)" } ?? ""
      #expect(cities == (expected ? [.text(city)] : []), "visit \(index + 1)")
    }
  }

  @Test func `a person that became two places is an error`() throws {
    struct Two: MigrationPolicy {
      static let hooks: Set<MigrationHook> = [.createDestinationInstances]
      init(mapping: PolicyMapping) {}

      func createDestinationInstances(
        for source: SourceObject, in context: MigrationContext
      ) throws {
        try context.insert(try context.defaultDestination(for: source), for: source)
        if source.key == 2 {
          try context.insert(try context.defaultDestination(for: source), for: source)
        }
      }
    }
    let text = try Self.mappings(.shared, visitsFirst: false, bothSides: false)
    let mappings = text.map { model in
      var model = model
      for index in model.entityMappings.indices {
        model.entityMappings[index].policy?.name.value = "Two"
      }
      return model
    }
    let trial = try Trial(
      Self.source, Self.destination, mappings, policies: [Two.self], fill: Self.fill)
    for options in Trial.ways {
      #expect(try trial.failure(options: options).codes == ["RUN-023"])
    }
  }

  @Test(arguments: [Making.filtered, .mixed, .late])
  func `stopped at any batch, the links are the same`(making: Making) throws {
    let trial = try Trial(
      Self.source, Self.destination,
      Self.mappings(making, visitsFirst: false, bothSides: false),
      policies: [SharedPlace.self, FirstPlace.self, MixedPlace.self, LatePlace.self],
      fill: Self.fill)
    try trial.run(to: "whole.sqlite")
    let whole = try StoreRows(path: trial.directory.path("whole.sqlite"))
    for name in try Interruptions.anyBatches(of: trial) {
      #expect(try StoreRows(path: trial.directory.path(name)).differences(from: whole) == [])
    }
  }
}
