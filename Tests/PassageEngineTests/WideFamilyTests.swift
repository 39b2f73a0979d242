import Passage
import PassageEngine
import PassageSQLite
import PassageTesting
import TestSupport
import Testing

/// The danger that a family of many entities, each with an entity mapping of its own, needs a longer query than
/// SQLite compiles, or work that grows faster than the family.
@Suite struct WideFamilyTests {
  /// A tree of items, all of subentities. Items of the first kind come after others in the table if keys are moved.
  private static func model(_ name: String, count: Int, isMoved: Bool) -> Model {
    let item = Entity(
      "Item", isAbstract: true, [.text("name"), .text("in\(name)")],
      [.one("parent", "Item", inverse: "children"), .many("children", "Item", inverse: "parent")])
    let kinds = (0..<count).map { Entity("Kind\($0)", parent: "Item") }
    let others = isMoved && name == "1" ? [Entity("Other", [.text("name")])] : []
    return Model(name, [item] + kinds + others)
  }

  /// Two items of each kind. All but the first have a parent.
  private static func trial(count: Int, isMoved: Bool = false) throws -> Trial {
    let other =
      #"{"type": "transform", "source": "Other", "destination": "Kind0", "attributes": {"name": {}}}"#
    let copies = (0..<count).map {
      #"{"type": "copy", "source": "Kind\#($0)", "destination": "Kind\#($0)"}"#
    }
    return try Trial(
      model("1", count: count, isMoved: isMoved), model("2", count: count, isMoved: isMoved),
      [mapping(((isMoved ? [other] : []) + copies).joined(separator: ", "))]
    ) { store in
      if isMoved {
        for number in 1...3 { try store.insert("Other", ["name": .text("o\(number)")]) }
      }
      var items: [ObjectReference] = []
      for number in 0..<2 * count {
        items.append(
          try store.insert(
            "Kind\(number % count)", ["name": .text("i\(number)")],
            number == 0 ? [:] : ["parent": [items[(number - 1) / 2]]]))
      }
    }
  }

  private static var proving: MigrationOptions {
    var options = MigrationOptions()
    options.lane = .row
    options.provesLinks = true
    return options
  }

  @Test(arguments: [false, true])
  func `the links of a wide family are proved`(isMoved: Bool) throws {
    let trial = try Self.trial(count: 140, isMoved: isMoved)
    #expect(try trial.run(options: Self.proving).outcome == .migrated)
  }

  @Test func `a link that the source does not have is found in a wide family`() throws {
    let trial = try Self.trial(count: 140, isMoved: true)
    // The last item leads to the second of its parents' level.
    try trial.finishPass(
      options: Self.proving,
      then: "UPDATE ZITEM SET ZPARENT = ZPARENT - 1 WHERE Z_PK = (SELECT max(Z_PK) FROM ZITEM)")
    let error = try trial.failure(options: Self.proving)
    #expect(error.codes == ["RUN-036"], "\(error)")
  }

  /// Going through all entity mappings for each link would look at as many rows as there are kinds.
  @Test func `the entity mapping of a related object is searched by its entity`() throws {
    let trial = try Self.trial(count: 100)
    let count = StatementCount()
    _ = try StatementCount.$current.withValue(count) { try trial.run(options: Self.proving) }
    let queries = count.counts.statements.filter { $0.contains(" v.column3 = ") }
      .compactMap { text in text.firstRange(of: "SELECT ").map { text[$0.lowerBound...] } }
    #expect(queries.count >= 100)
    let connection = try Connection(path: trial.directory.path("new.sqlite"), mode: .readOnly)
    try connection.attach(trial.sourcePath, as: "source", mode: .readOnly)
    for query in queries {
      let plan = try connection.rows("EXPLAIN QUERY PLAN \(query)").map { $0[3].string ?? "" }
      try #require(plan.contains { $0.hasPrefix("SEARCH v USING AUTOMATIC") }, "\(plan.suffix(5))")
    }
  }

  /// Comparing each entity with each candidate for each relationship mapping is work by the cube of the family.
  @Test func `the plan of a wide family and its losses are found quickly`() throws {
    let trial = try Self.trial(count: 500)
    let seconds = try HangGuard.seconds { try trial.run() }
    #expect(seconds < HangGuard.bound)
  }
}
