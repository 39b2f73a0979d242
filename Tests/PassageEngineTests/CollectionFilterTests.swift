import Passage
import PassageTesting
import TestSupport
import Testing

/// Filters and values that go through to-many relationships, in both lanes and with batches of any
/// size; what is expected is written by hand.
@Suite struct CollectionFilterTests {
  private static func book(_ members: String) throws -> MappingModel {
    let others = ["Map", "Shelf", "Tag", "Person"].map {
      #"{"type": "remove", "source": "\#($0)"}"#
    }
    let book = #"{"source": "Book", "destination": "Book", \#(members)}"#
    return try mapping(([book] + others).joined(separator: ", "))
  }

  private static func lane(_ report: MigrationReport) -> [MigrationPlan.Lane] {
    report.steps.flatMap(\.mappings).filter { $0.name == "BookToBook" }.map(\.lane)
  }

  @Test(
    arguments: [
      ("ANY tags.name == 'old'", [1]), ("tags.@count == 0", [2, 4, 5, 7, 8]),
      ("NONE authors.name == 'Bob'", [1, 4, 5, 7, 8]),
      ("ANY authors.name IN tags.name", []), ("ANY authors IN sequel.authors", [1]),
      ("ALL authors.name != 'Bob'", [1, 4, 5, 7, 8]),
      ("SUBQUERY(authors, $a, $a.name == 'Ann' OR $a.name == 'Cy').@count == 2", [1, 2]),
      ("authors[FIRST].name == 'Cy'", [1]), ("authors[1].name == 'Cy'", [2]),
      ("objectFrom:withIndex:(authors, 0).name == 'Cy'", [1]),
      ("objectFrom:withIndex:(authors, 1).name == 'Cy'", [2]),
      ("FUNCTION(objectFrom:withIndex:(authors, 1), 'valueForKey:', 'name') == 'Cy'", [2]),
      ("authors[LAST].name == 'Bob'", [2]), ("shelf.works.@count == 3", [1, 5]),
      ("ANY shelf.works.tags.name == 'red'", [2]), ("sequel.authors.@count > 2", [1]),
      ("SELF IN shelf.works", [1, 2, 5]), ("shelf.best IN shelf.works", [1, 5]),
      ("SUBQUERY(shelf.works, $w, $w.title < title).@count == 2", [5]),
      ("tags.name == {'new', 'old'}", [1]), ("authors.name.@max == 'Cy'", [1, 2]),
      ("(authors UNION prequel.authors).@count == 3", [2, 4]),
      ("ANY authors.works.title == 'work 2' AND NOT ANY tags.name == 'x'", [1, 2]),
    ] as [(String, [Int64])])
  func `a filter takes the objects whose related objects fulfil it`(
    filter: String, keys: [Int64]
  ) throws {
    let mappings = try Self.book(#""type": "copy", "filter": "\#(filter)""#)
    let trial = try Trial(
      RelationshipTests.library("1"), RelationshipTests.library2, [mappings],
      fill: RelationshipTests.fill)
    let found = try trial.migrate()
    #expect(found.contents["Book"].map(\.key) == keys)
    #expect(Self.lane(found.report) == [.set])
  }

  @Test func `a value is computed from the related objects`() throws {
    let mappings = try Self.book(
      """
      "type": "transform", "attributes": {
        "pages": "$source.authors.@count * 10 + $source.shelf.works.@count",
        "title": "TERNARY(ANY $source.tags.name == 'old', $source.authors[FIRST].name, 'none')"}
      """)
    let trial = try Trial(
      RelationshipTests.library("1"), RelationshipTests.library2, [mappings],
      fill: RelationshipTests.fill)
    let found = try trial.migrate().contents
    #expect(found["Book"].map { $0["pages"] } == [23, 32, 0, 3, 0, 0])
    #expect(found["Book"].map { $0["title"] } == ["Cy", "none", "none", "none", "none", "none"])
  }

  @Test func `what SQL cannot say runs in memory, and the plan says what and why`() throws {
    let mappings = try Self.book(
      #""type": "copy", "filter": "authors[tags.@count].name == 'Ann'""#)
    let trial = try Trial(
      RelationshipTests.library("1"), RelationshipTests.library2, [mappings],
      fill: RelationshipTests.fill)
    let found = try trial.migrate()
    #expect(found.contents["Book"].map(\.key) == [2])
    #expect(Self.lane(found.report) == [.row])
  }

  @Test(
    arguments: [
      (#""nullSemantics": "coreDataSQL", "#, "name != 'low'", [2]),
      (#""nullSemantics": "coreDataSQL", "#, "NOT (name BEGINSWITH 'l')", [2]),
      (#""nullSemantics": "coreDataSQL", "#, "NOT (name IN {'low', nil})", []),
      ("", "name != 'low'", [2, 3]), ("", "NOT (name BEGINSWITH 'l')", [2, 3]),
      ("", "NOT (name IN {'low', nil})", [2]),
      (#""variables": {"NAMES": ["high", null]}, "#, "name IN $NAMES", [2, 3]),
      (#""variables": {"P": {"keyPath": "name"}, "N": "low"}, "#, "$P == $N", [1]),
    ] as [(String, String, [Int64])])
  func `a mapping model says what nil and its variables mean`(
    members: String, filter: String, keys: [Int64]
  ) throws {
    let others = ["Book", "Map", "Tag", "Person"].map {
      #"{"type": "remove", "source": "\#($0)"}"#
    }
    let shelf =
      #"{"type": "copy", "source": "Shelf", "destination": "Shelf", "filter": "\#(filter)"}"#
    let text =
      #"{"source": "1", "destination": "2", \#(members)"entityMappings": [\#(([shelf] + others).joined(separator: ", "))]}"#
    let model = try MappingDocument.decode(Array(text.utf8), file: "M.json")
    let again = try MappingDocument.decode(
      Array(MappingDocument.encode(model).utf8), file: "M.json")
    #expect(again == model)
    let trial = try Trial(
      RelationshipTests.library("1"), RelationshipTests.library2, [model]
    ) { store in
      try RelationshipTests.fill(store)
      _ = try store.insert("Shelf", [:])
    }
    #expect(try trial.migrate().contents["Shelf"].map(\.key) == keys)
  }

  /// The first note has a favourite among its tags, the second has none and tags, the third neither, and the
  /// fourth a favourite that is not among them.
  @Test(
    arguments: [
      (.coreDataSQL, "favourite IN tags", [1]), (.coreDataSQL, "NOT (favourite IN tags)", [4]),
      (.coreDataSQL, "tags CONTAINS favourite", [1]),
      (.coreDataSQL, "NOT (tags CONTAINS favourite)", [4]),
      (.coreDataSQL, "weight IN tags.weight", [1]),
      (.coreDataSQL, "NOT (weight IN tags.weight)", [4]),
      (.coreDataSQL, "NOT (weight + 1 IN tags.weight)", [1, 4]),
      (.coreDataSQL, "NOT (NOT (weight IN tags.weight))", [1]),
      (.coreDataSQL, "weight == nil AND NOT (weight IN tags.weight)", []),
      (.coreDataSQL, "NOT (5 IN tags.weight)", [3, 4]),
      (.coreDataSQL, "NOT (SELF IN tags.notes)", [3]),
      (.coreDataSQL, "SUBQUERY(tags, $t, NOT (weight - 1 IN $t.notes.weight)).@count > 0", [1, 4]),
      (.inMemory, "NOT (favourite IN tags)", [2, 3, 4]),
      (.inMemory, "NOT (weight IN tags.weight)", [2, 3, 4]),
    ] as [(NullSemantics, String, [Int64])])
  func `a value that is nil is neither in a collection nor outside it, as Core Data's SQL has it`(
    semantics: NullSemantics, filter: String, keys: [Int64]
  ) throws {
    func model(_ name: String) -> Model {
      Model(
        name,
        [
          Entity(
            "Note", [.number("weight")],
            [
              .one("favourite", "Tag", inverse: "admirers"), .many("tags", "Tag", inverse: "notes"),
            ]),
          Entity(
            "Tag", [.number("weight")],
            [
              .many("admirers", "Note", inverse: "favourite"),
              .many("notes", "Note", inverse: "tags"),
            ]),
        ])
    }
    var step = try mapping(
      #"{"type": "copy", "source": "Note", "destination": "Note", "filter": "\#(filter)"}, "#
        + #"{"type": "copy", "source": "Tag", "destination": "Tag"}"#)
    step.nullSemantics = semantics
    let trial = try Trial(model("1"), model("2"), [step]) { store in
      let tag = try store.insert("Tag", ["weight": 5])
      let other = try store.insert("Tag", ["weight": 6])
      try store.insert("Note", ["weight": 5], ["favourite": [tag], "tags": [tag]])
      try store.insert("Note", [:], ["tags": [tag]])
      try store.insert("Note", [:])
      try store.insert("Note", ["weight": 7], ["favourite": [tag], "tags": [other]])
    }
    #expect(try trial.migrate().contents["Note"].map(\.key) == keys, "\(filter)")
  }
}
