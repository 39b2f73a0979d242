import Passage
import PassageSQLite
import PassageTesting
import TestSupport
import Testing

/// Names that a writer of SQL could stumble over, through a whole migration in both lanes.
@Suite struct DifficultNameTests {
  static let long = String(repeating: "VeryLongName", count: 60)

  @Test(arguments: [
    ["Straße", "größe", "maß"], ["ılık", "İ", "i"], ["🚀", "👩‍🚀rocket", "日本"],
    ["\"; DROP TABLE Z_METADATA; --", "it's", "a\"b"], ["select", "from", "where"],
    [long, long + "1", long + "2"], ["_PRIMARYKEY", "_PK", "_ENT"],
    ["Stra\u{df}e", "STRASSE", "ss"],
  ])
  func `objects of entities and properties with difficult names come along`(
    names: [String]
  ) throws {
    let (entity, attribute, relationship) = (names[0], names[1], names[2])
    func model(_ name: String, _ extra: [Attribute]) -> Model {
      Model(
        name,
        [
          Entity(
            entity,
            [
              Attribute(name: attribute, type: .string, isIndexed: true),
              Attribute(name: "copy", type: .string, derivation: attribute),
            ] + extra, [.many(relationship, names[1], inverse: "owner")]),
          Entity(names[1], [.text(names[2])], [.one("owner", entity, inverse: relationship)]),
        ])
    }
    let source = model("1", [])
    let mappings = try InferredMapping.infer(from: source, to: model("2", [.text("more")]))
    let trial = try Trial(source, model("2", [.text("more")]), [mappings]) { store in
      let owner = try store.insert(entity, [attribute: .text("a")])
      try store.insert(names[1], [names[2]: .text("b")], ["owner": [owner]])
    }
    let contents = try trial.migrate().contents
    let owner = try #require(contents.object(entity, 1))
    #expect(owner[attribute] == .text("a"))
    #expect(owner.keys(relationship) == [1])
    #expect(contents.object(names[1], 1)?[names[2]] == .text("b"))
  }

  @Test func `a column whose accent is written otherwise is another column in every lane`() throws {
    func model(_ name: String) -> Model {
      Model(
        name,
        [
          Entity(
            "Note",
            name == "1"
              ? [.text("caf\u{e9}")] : [.text("caf\u{e9}"), .text("more")])
        ])
    }
    let mappings = try InferredMapping.infer(from: model("1"), to: model("2"))
    let trial = try Trial(model("1"), model("2"), [mappings], journalMode: .delete) { store in
      try store.insert("Note", ["caf\u{e9}": .text("old")])
    }
    // The other column comes first.
    try Connection(path: trial.sourcePath, mode: .readWrite).execute(
      """
      ALTER TABLE ZNOTE RENAME COLUMN ZCAF\u{c9} TO ZCAFE\u{301};
      ALTER TABLE ZNOTE ADD COLUMN ZCAF\u{c9} VARCHAR;
      UPDATE ZNOTE SET ZCAFE\u{301} = 'wrong', ZCAF\u{c9} = 'right'
      """)
    let contents = try trial.migrate().contents
    #expect(contents.object("Note", 1)?["caf\u{e9}"] == .text("right"))
  }
}
