import Passage
import PassageTesting
import TestSupport
import Testing

/// Mappings over more to-one relationships than SQLite joins in one statement, in both lanes; what is
/// expected is written by hand.
@Suite struct ManyJoinsTests {
  private static let count = 70

  private static func model(_ name: String) -> Model {
    Model(
      name,
      [
        Entity(
          "Part", (0..<count).map { .text("text\($0)") } + [.text("name")],
          (0..<count).map { .one("link\($0)", "Link") } + [
            .many("parts", "Part", inverse: "owners"), .many("owners", "Part", inverse: "parts"),
          ]),
        Entity("Link", [.text("name")], [.one("end", "End")]),
        Entity("End", [.text("name")] + (name == "2" ? [.text("note")] : [])),
      ])
  }

  /// The first part has the last link, the second the first one, and the third contains the first.
  private static func fill(_ store: TestStore) throws {
    let end = try store.insert("End", ["name": .text("deep")])
    let link = try store.insert("Link", ["name": .text("x")])
    try store.relate(link, "end", to: [end])
    let parts = try ["a", "b", "c"].map { try store.insert("Part", ["name": .text($0)]) }
    try store.relate(parts[0], "link\(count - 1)", to: [link])
    try store.relate(parts[1], "link0", to: [link])
    try store.relate(parts[2], "parts", to: [parts[0]])
  }

  private static func trial(_ members: String) throws -> Trial {
    try Trial(
      model("1"), model("2"),
      [
        mapping(
          """
          {"source": "Part", "destination": "Part", \(members)},
          {"type": "remove", "source": "Link"}, {"type": "remove", "source": "End"}
          """)
      ], fill: fill)
  }

  private static func any(_ end: String, of row: String = "") -> String {
    (0..<count).map { "\(row)link\($0).\(end)" }.joined(separator: " OR ")
  }

  @Test(
    arguments: [
      (any("name == 'x'"), [1, 2]), (any("end.name == 'deep'"), [1, 2]),
      ("SUBQUERY(parts, $p, \(any("end.name == 'deep'", of: "$p."))).@count > 0", [3]),
    ] as [(String, [Int64])])
  func `a filter follows more relationships than one statement joins`(
    filter: String, keys: [Int64]
  ) throws {
    let trial = try Self.trial(#""type": "copy", "filter": "\#(filter)""#)
    let planned = try trial.migration(to: .file(trial.directory.path("new.sqlite"))).plan()
    let found = try trial.migrate()
    #expect(found.contents["Part"].map(\.key) == keys)
    #expect(
      found.report.steps.flatMap(\.mappings).map(\.lane)
        == planned.steps.flatMap(\.passes).flatMap(\.mappings).map(\.lane))
  }

  @Test func `values come over more relationships than one statement joins`() throws {
    let values = (0..<Self.count).map { #""text\#($0)": "$source.link\#($0).end.name""# }
    let trial = try Self.trial(
      #""type": "transform", "attributes": { "name": "$source.name", \#(values.joined(separator: ", ")) }"#
    )
    let found = try trial.migrate().contents["Part"]
    #expect(found.map { $0["text0"] } == [.null, "deep", .null])
    #expect(found.map { $0["text\(Self.count - 1)"] } == ["deep", .null, .null])
    #expect(found.map { $0["text1"] } == [.null, .null, .null])
  }
}
