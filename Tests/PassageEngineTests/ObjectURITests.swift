import Passage
import PassageEngine
import PassageTesting
import Testing

/// The danger that a URI takes an object of another entity, which has the same key in the same table.
@Suite struct ObjectURITests {
  private static let model = Model(
    "1",
    [
      Entity(
        "Base", [.number("n")],
        [.one("up", "Base", inverse: "downs"), .many("downs", "Base", inverse: "up")]),
      Entity("Sub", parent: "Base"), Entity("Leaf", parent: "Sub"), Entity("Other", parent: "Base"),
    ])

  /// A Base with the key 1, a Sub with 2, a Leaf with 3 and an Other with 4, each below the one before.
  private static func trial(
    _ filter: String, _ semantics: NullSemantics = .inMemory
  ) throws -> Trial {
    let mappings = ["Base", "Sub", "Leaf", "Other"].map { name in
      """
      {"name": "\(name)", "type": "transform", "source": "\(name)", "destination": "Note",
       "filter": "\(filter)", "attributes": {"n": "$source.n"}}
      """
    }
    var step = try mapping(mappings.joined(separator: ", "))
    step.nullSemantics = semantics
    return try Trial(model, Model("2", [Entity("Note", [.number("n")])]), [step]) { store in
      var last: [ObjectReference] = []
      for (number, name) in ["Base", "Sub", "Leaf", "Other"].enumerated() {
        last = [try store.insert(name, ["n": .integer(Int64(number + 1))], ["up": last])]
      }
    }
  }

  /// More than are looked up one by one, none of which the store has, and some that it has.
  private static func list(_ names: String...) -> String {
    let all = (10..<30).map { "Sub/p\($0)" } + names
    return "{" + all.map { "'x-coredata:///\($0)'" }.joined(separator: ", ") + "}"
  }

  private static let filters: [(filter: String, keys: [Int64])] = [
    ("SELF IN \(list("Sub/p1", "Sub/p2", "Leaf/p3", "Leaf/p4"))", [2, 3]),
    ("NOT (SELF IN \(list("Sub/p1", "Sub/p2", "Other/p4")))", [1, 3]),
    ("up IN \(list("Sub/p1", "Sub/p2", "Base/p1"))", [2, 3]),
    ("NOT (up IN \(list("Sub/p1", "Sub/p2")))", [1, 2, 4]),
    ("SELF IN {CAST('x-coredata:///Sub/p1', 'NSManagedObjectID'), up}", []),
    ("SELF == 'x-coredata:///Sub/p1'", []), ("SELF != 'x-coredata:///Sub/p1'", [1, 2, 3, 4]),
    ("SELF == 'x-coredata:///Sub/p2'", [2]), ("SELF == 'x-coredata:///Sub/p3'", [3]),
    ("SELF == 'x-coredata:///Base/p3'", [3]), ("SELF == 'x-coredata:///Leaf/p2'", []),
    ("SELF == 'x-coredata:///Other/p3'", []), ("SELF == 'x-coredata:///Other/p4'", [4]),
    ("SELF == 'x-coredata:///Sub/p9'", []),
    ("SELF == CAST('x-coredata:///Sub/p1', 'NSManagedObjectID')", []),
    ("SELF == CAST('x-coredata:///Sub/p2', 'NSManagedObjectID')", [2]),
    ("SELF IN {'x-coredata:///Sub/p1', 'x-coredata:///Sub/p2'}", [2]),
    ("NOT (SELF IN {'x-coredata:///Sub/p1', 'x-coredata:///Sub/p2'})", [1, 3, 4]),
    ("'x-coredata:///Sub/p1' IN {SELF, up}", []),
    ("up == 'x-coredata:///Sub/p1'", []), ("up == 'x-coredata:///Base/p1'", [2]),
    ("up == 'x-coredata:///Sub/p2'", [3]),
    ("ANY downs == 'x-coredata:///Sub/p2'", [1]), ("ANY downs == 'x-coredata:///Leaf/p2'", []),
    ("downs CONTAINS 'x-coredata:///Other/p4'", [3]), ("'x-coredata:///Sub/p4' IN downs", []),
  ]

  @Test(arguments: filters, [false, true])
  func `a selection takes objects of the named entity and its subentities`(
    item: (filter: String, keys: [Int64]), isInMemory: Bool
  ) throws {
    let trial = try Self.trial("TRUEPREDICATE")
    var options = StoreSelection.Options()
    options.isInMemory = isInMemory
    options.includesSubentities = true
    let selection = try StoreSelection(
      of: StoreFile.open(path: trial.sourcePath), model: Self.model, entity: "Base",
      filter: item.filter, now: 0, options: options)
    var keys: [Int64] = []
    try selection.forEachKey { keys.append($0) }
    #expect(keys == item.keys, "\(item.filter)")
  }

  @Test(arguments: filters)
  func `a migration takes the same objects in every lane`(
    item: (filter: String, keys: [Int64])
  ) throws {
    let (contents, _) = try Self.trial(item.filter).migrate()
    #expect(contents["Note"].map { $0["n"].integer ?? 0 }.sorted() == item.keys, "\(item.filter)")
  }

  /// The first has nothing above it.
  @Test(
    arguments: [
      ("up != 'x-coredata:///Sub/p1'", [2, 3, 4]),
      ("NOT (up IN \(list("Sub/p1", "Sub/p2")))", [2, 4]), ("up IN \(list("Sub/p2"))", [3]),
    ] as [(String, [Int64])])
  func `an object that nothing names is another one, not an unknown one`(
    filter: String, keys: [Int64]
  ) throws {
    let (contents, _) = try Self.trial(filter, .coreDataSQL).migrate()
    #expect(contents["Note"].map { $0["n"].integer ?? 0 }.sorted() == keys)
  }

  /// Then the pages of a table need no look-up.
  @Test(arguments: [
    ("Sub", "SELF == 'x-coredata:///Sub/p2'", 0), ("Leaf", "SELF == 'x-coredata:///Sub/p2'", 0),
    ("Sub", "SELF IN {'x-coredata:///Sub/p2', 'x-coredata:///Base/p1'}", 0),
    ("Sub", "SELF == CAST('x-coredata:///Sub/p2', 'NSManagedObjectID')", 0),
    ("Base", "SELF == 'x-coredata:///Base/p2'", 0), ("Base", "SELF == 'x-coredata:///Sub/p2'", 1),
    ("Base", "SELF IN \(list("Leaf/p3"))", 2),
  ])
  func `nothing is looked up where every object is of the named entity`(
    entity: String, filter: String, count: Int
  ) throws {
    let scope = BindingScope.filter(
      model: Self.model, entity: try #require(Self.model.entity(named: entity)))
    #expect(try Binder.predicate(FormatParser.predicate(filter), in: scope).lookups.count == count)
  }
}
