import PassageDiagnostics
import PassageMappings
import Testing

/// Mapping models written as JSON.
struct MappingEncodeTests {
  static let model: MappingModel = {
    var model = MappingModel(
      name: "Step “One”", source: "1", destination: "2",
      entityMappings: [
        EntityMapping(
          kind: .transform, source: "Note", destination: "Text",
          filter: "title LIKE \"a\\\\*\" AND done == YES",
          policy: .init(name: "Titles"),
          attributes: [
            PropertyMapping(name: "same"),
            PropertyMapping(name: "left", source: .leftAtDefault),
            PropertyMapping(name: "computed", expression: "$source.a + 1"),
            PropertyMapping(name: "sameOr", fallback: "\"none\""),
            PropertyMapping(name: "leftOr", source: .leftAtDefault, fallback: "1"),
            PropertyMapping(
              name: "all", source: .expression(Located("$source.b")), fallback: "nil",
              userInfo: ["z": "\n", "a": "\u{1}"]),
          ],
          relationships: [PropertyMapping(name: "owner")]),
        EntityMapping(
          name: "Second", kind: .custom, source: "Note", destination: "Text",
          policy: .init(name: "Titles", userInfo: ["b": "2", "a": "1"])),
        EntityMapping(kind: .add, destination: "New"),
        EntityMapping(kind: .remove, source: "Old"),
        EntityMapping(name: "", kind: .copy, source: "Ünï", destination: "Ünï"),
      ])
    model.isInferred = true
    return model
  }()

  @Test
  func `what was written reads back equal`() throws {
    let text = MappingDocument.encode(Self.model)
    #expect(try MappingDocument.decode(Array(text.utf8), file: "x.json") == Self.model)
    #expect(text == MappingDocument.encode(Self.model))
  }

  @Test
  func `only what is needed is written, a line for each property`() {
    let text = MappingDocument.encode(
      MappingModel(
        name: "Small", source: "1", destination: "2",
        entityMappings: [
          EntityMapping(
            kind: .transform, source: "A", destination: "B",
            attributes: [
              PropertyMapping(name: "a"), PropertyMapping(name: "b", source: .leftAtDefault),
              PropertyMapping(name: "c", fallback: "0"),
            ])
        ]), schema: "mapping.schema.json")
    #expect(
      text == """
        {
          "$schema": "mapping.schema.json",
          "name": "Small",
          "source": "1",
          "destination": "2",
          "entityMappings": [
            {
              "type": "transform",
              "source": "A",
              "destination": "B",
              "attributes": {
                "a": {},
                "b": null,
                "c": { "default": "0" }
              }
            }
          ]
        }

        """)
  }

  @Test
  func `a mapping model without entity mappings can be written`() throws {
    let model = MappingModel(name: "", source: "", destination: "", entityMappings: [])
    let text = MappingDocument.encode(model)
    #expect(try MappingDocument.decode(Array(text.utf8), file: "x.json") == model)
  }

  @Test
  func `where a mapping model came from makes no difference`() {
    var other = Self.model
    other.isInferred = false
    other.file = "elsewhere.json"
    #expect(other == Self.model)
    #expect(other.hashValue == Self.model.hashValue)
    other.name = "other"
    #expect(other != Self.model)
  }
}
