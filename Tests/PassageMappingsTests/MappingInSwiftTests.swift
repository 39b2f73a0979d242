import PassageDiagnostics
import PassageMappings
import PassageValues
import Testing

/// A mapping model that is made in Swift is the one that a file would give.
@Suite struct MappingInSwiftTests {
  private static let made = MappingModel(
    name: "StepOne", source: "1", destination: "2",
    entityMappings: [
      .transform(
        "A", to: "B", filter: "x > 1",
        attributes: [
          "z": "$source.x", "x": .sameName, "y": .leftAtDefault,
          "w": .expression("1", default: "2"),
        ], relationships: ["r": .sameName]),
      .copy("E"),
      .copy("E", to: "F", name: "Old", filter: "x == nil", attributes: ["x": "0"]),
      .custom("A", to: "G", policy: "P", userInfo: ["k": "v"], attributes: ["x": .sameName]),
      .add("C"),
      .add("H", policy: "Q"),
      .transform(
        "A", to: "T", forEach: "split($source.x, ',')", mergeBy: "$element",
        attributes: [
          "n": "$element", "s": .combined("$index", by: .sum), "o": .combined(by: .count),
        ],
        relationships: ["r": .sorted(by: ["$element.x", .init("$element.y", isAscending: false)])]),
      .copy("L", mergeBy: .init("$source.x", keep: .last)),
      .add("I", objects: [["name": "Inbox", "n": 1], ["name": .null]]),
      .remove("D"),
      .remove("E", name: "Rest", filter: "x > 3"),
    ])

  private static let text = #"""
    {"source": "1", "destination": "2", "entityMappings": [
      {"type": "transform", "source": "A", "destination": "B", "filter": "x > 1",
       "attributes": {"z": "$source.x", "x": {}, "y": null, "w": {"value": "1", "default": "2"}},
       "relationships": {"r": {}}},
      {"type": "copy", "source": "E", "destination": "E"},
      {"type": "copy", "source": "E", "destination": "F", "name": "Old", "filter": "x == nil",
       "attributes": {"x": "0"}},
      {"type": "custom", "source": "A", "destination": "G",
       "policy": {"name": "P", "userInfo": {"k": "v"}}, "attributes": {"x": {}}},
      {"type": "add", "destination": "C"},
      {"type": "add", "destination": "H", "policy": "Q"},
      {"type": "transform", "source": "A", "destination": "T", "forEach": "split($source.x, ',')",
       "mergeBy": "$element",
       "attributes": {"n": "$element", "s": {"value": "$index", "combine": "sum"},
        "o": {"combine": "count"}},
       "relationships": {"r": {"sortedBy": ["$element.x", {"value": "$element.y", "ascending": false}]}}},
      {"type": "copy", "source": "L", "destination": "L",
       "mergeBy": {"value": "$source.x", "keep": "last"}},
      {"type": "add", "destination": "I", "objects": [{"name": "Inbox", "n": 1}, {"name": null}]},
      {"type": "remove", "source": "D"},
      {"type": "remove", "source": "E", "name": "Rest", "filter": "x > 3"}]}
    """#

  @Test func `it equals what its file says, the order of properties too`() throws {
    let read = try MappingDocument.decode(Array(Self.text.utf8), file: "StepOne.json")
    #expect(Self.made == read)
    #expect(Self.made.file == nil)
    #expect(
      Self.made.entityMappings.map(\.name.value) == [
        "AToB", "EToE", "Old", "AToG", "C", "H", "AToT", "LToL", "I", "D", "Rest",
      ])
  }

  @Test func `it can be written to a file`() throws {
    let written = MappingDocument.encode(Self.made)
    #expect(try MappingDocument.decode(Array(written.utf8), file: "StepOne.json") == Self.made)
  }
}
