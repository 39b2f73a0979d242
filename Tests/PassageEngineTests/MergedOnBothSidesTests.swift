import Passage
import PassageEngine
import PassageSQLite
import PassageStores
import PassageTesting
import TestSupport
import Testing

/// The danger that links between objects that merge take time in proportion to the square of their number.
@Suite struct MergedOnBothSidesTests {
  private static func model(_ version: String, _ more: [Attribute] = []) -> Model {
    Model(
      version,
      [
        Entity(
          "Person", [.text("name")] + more,
          [
            .many("friends", "Person", inverse: "friendOf"),
            .many("friendOf", "Person", inverse: "friends"),
          ])
      ])
  }

  @Test func `a join table between them is not compared with all of them`() throws {
    let trial = try Trial(
      Self.model("1"), Self.model("2", [.number("size")]),
      [
        mapping(
          """
          {"type": "copy", "source": "Person", "destination": "Person", "mergeBy": "$source.name"}
          """)
      ]
    ) { store in
      for number in 0..<40_000 { try store.insert("Person", ["name": .text("\(number / 2)")]) }
      // Of the second object of a name, which is merged into the first.
      func person(_ key: Int64) -> ObjectReference {
        ObjectReference(entityName: "Person", key: key)
      }
      try store.relate(person(2), "friends", to: [person(4), person(6)])
    }
    let seconds = try HangGuard.seconds { _ = try trial.run(to: "new.sqlite") }
    let store = try StoreQuery(path: trial.directory.path("new.sqlite"))
    #expect(try store.rows("SELECT count(*) FROM ZPERSON") == [[20_000]])
    let layout = StoreLayout(model: Self.model("2", [.number("size")]))
    let table = try #require(layout.joinTables.first).name.quotedIdentifier
    #expect(try store.rows("SELECT count(*) FROM \(table)") == [[2]])
    let pairs = try store.rows("SELECT * FROM \(table)").flatMap { $0.prefix(2) }
    #expect(Set(pairs) == [1, 3, 5])
    #expect(seconds < HangGuard.bound)
  }
}
