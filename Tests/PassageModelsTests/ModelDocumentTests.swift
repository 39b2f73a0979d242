import Foundation
import PassageDiagnostics
import PassageModels
import PassageValues
import Testing

struct ModelDocumentTests {
  private func decode(_ text: String) throws(Diagnostics) -> Model {
    try ModelDocument.decode(Array(text.utf8), file: "model.json")
  }

  private func mistakes(_ text: String) -> [Diagnostic] {
    do {
      _ = try decode(text)
      return []
    } catch {
      return error.errors
    }
  }

  /// A model with every member set to something that is not its default.
  static let everything = Model(
    name: "Library \"2\"\n", versionIdentifiers: ["2", "2b"],
    entities: [
      Entity(
        name: "Thing", isAbstract: true,
        attributes: [Attribute(name: "code", type: .integer64, isOptional: false)],
        className: "ThingObject", userInfo: ["b": "2", "a": "tab\t\u{1}é"]),
      Entity(
        name: "Book", parentName: "Thing",
        attributes: [
          Attribute(
            name: "title", type: .string, isOptional: false, defaultValue: "", minimum: "1",
            maximum: "80", regularExpression: #"\w+ \d"#, isIndexed: true,
            renamingIdentifier: "name", versionHashModifier: "2", userInfo: ["k": "v"]),
          Attribute(
            name: "cover", type: .binary, allowsExternalBinaryDataStorage: true,
            preservesValueOnDeletion: true),
          Attribute(
            name: "style", type: .transformable, valueTransformerName: "T", valueClassName: "C"),
          Attribute(name: "shown", type: .undefined, isTransient: true),
          Attribute(name: "pageCount", type: .integer64, derivation: "pages.@count"),
          Attribute(
            name: "size", type: .composite,
            elements: [
              Attribute(name: "width", type: .double, defaultValue: 1.5),
              Attribute(name: "height", type: .double, isOptional: false),
            ]),
        ],
        relationships: [
          Relationship(
            name: "pages", destinationEntityName: "Page", inverseName: "book", isOptional: false,
            minimumCount: 2, maximumCount: 5, isOrdered: true, deleteRule: .cascade,
            renamingIdentifier: "sheets", versionHashModifier: "m", userInfo: ["x": "y"])
        ],
        fetchedProperties: [
          Entity.FetchedProperty(
            name: "similar",
            fetchRequest: Model.FetchRequest(
              name: "r", entityName: "Book", predicate: "title != nil",
              settings: ["fetchLimit": "5"]), userInfo: ["k": "v"]),
          Entity.FetchedProperty(name: "silent"),
        ], uniquenessConstraints: [["title", "code"], ["code"]],
        indexes: [
          Entity.Index(
            name: "byTitle",
            elements: [
              .init(propertyName: "title", isAscending: false),
              .init(propertyName: "code", kind: .rtree),
            ], partialPredicate: "title != nil")
        ],
        renamingIdentifier: "Volume", versionHashModifier: "e"),
      Entity(
        name: "Page",
        relationships: [
          Relationship(
            name: "book", destinationEntityName: "Book", inverseName: "pages", isTransient: true,
            deleteRule: .deny)
        ]),
    ])

  @Test func `a model with every member survives writing and reading`() throws {
    let text = ModelDocument.encode(Self.everything)
    #expect(try decode(text) == Self.everything)
    #expect(ModelDocument.encode(try decode(text)) == text)
  }

  @Test func `only what differs from the default is written`() {
    let model = Model(
      name: "Notes 1",
      entities: [
        Entity(
          name: "Event",
          attributes: [
            Attribute(name: "timeStamp", type: .date),
            Attribute(name: "count", type: .integer16, isOptional: false, defaultValue: 0),
          ])
      ])
    #expect(
      ModelDocument.encode(model) == """
        {
          "$schema": "Schemas/model.schema.json",
          "name": "Notes 1",
          "entities": [
            {
              "name": "Event",
              "attributes": [
                { "name": "timeStamp", "type": "date" },
                { "name": "count", "type": "integer16", "optional": false, "default": 0 }
              ]
            }
          ]
        }

        """)
  }

  @Test(arguments: [
    (AttributeType.integer16, "-32768", Value.integer(-32768)),
    (.integer32, "2147483647", .integer(2_147_483_647)),
    (.integer64, "-9223372036854775808", .integer(.min)),
    (.decimal, "10", .integer(10)), (.decimal, "10.25", .real(10.25)),
    (.double, "0", .real(0)), (.double, "1e300", .real(1e300)), (.float, "0.5", .real(0.5)),
    (.boolean, "true", .integer(1)), (.boolean, "false", .integer(0)),
    (.string, #""a\"\u00e9""#, .text("a\"é")),
    (.uri, #""https://example.org""#, "https://example.org"),
    (.date, #""2001-01-01T00:00:10Z""#, .real(10)),
    (.date, #""2001-01-01T00:00:10.5Z""#, .real(10.5)),
    (.date, #""2001-01-01T01:00:00+01:00""#, .real(0)),
    (.date, #""2000-12-31T23:59:59-00:30""#, .real(1799)),
    (.date, #""1970-01-01T00:00:00Z""#, .real(-978_307_200)),
    (.date, #""2024-02-29T12:34:56Z""#, .real(730_902_896)),
    (.date, #""1900-03-01T00:00:00Z""#, .real(-3_182_198_400)), (.date, "-0.125", .real(-0.125)),
    (
      .uuid, #""00010203-0405-0607-0809-0A0B0C0D0E0F""#,
      .blob(Array(0...15))
    ),
    (.binary, #""AAEC""#, .blob([0, 1, 2])), (.transformable, #""""#, .blob([])),
    (.string, "null", .null),
  ])
  func `defaults are read as the store keeps them`(
    _ type: AttributeType, _ text: String, _ value: Value
  ) throws {
    let model = try decode(
      """
      {"name": "M", "entities": [{"name": "E", "attributes": [
        {"name": "a", "type": "\(type.name)", "default": \(text)}]}]}
      """)
    #expect(model.entities[0].attributes[0].defaultValue == value)
    let written = ModelDocument.encode(model)
    #expect(try decode(written) == model)
  }

  @Test(arguments: [
    ("integer16", "32768"), ("integer16", "1.5"), ("integer32", "\"1\""), ("integer64", "1e3"),
    ("integer64", "9223372036854775808"), ("double", "1e999"), ("boolean", "1"), ("string", "1"),
    ("date", "\"yesterday\""), ("date", "\"2001-01-01T00:00:00Zx\""),
    ("date", "\"2001-13-01T00:00:00Z\""), ("date", "\"2001-02-30T00:00:00Z\""), ("uuid", "\"x\""),
    ("binary", "\"*\""), ("undefined", "1"),
    ("objectID", "\"x\""), ("float", "[]"), ("date", "{}"), ("float", "1e300"),
  ])
  func `a default that does not fit its type is an error`(_ type: String, _ text: String) {
    let found = mistakes(
      """
      {"name": "M", "entities": [{"name": "E", "attributes": [
        {"name": "a", "type": "\(type)", "default": \(text)}]}]}
      """)
    #expect(found.map(\.code) == ["MOD-003"])
    #expect(found.first?.location?.line == 2)
  }

  @Test func `every shape mistake is reported at once with its place`() {
    let found = mistakes(
      """
      {"name": 1, "entities": [
        {"name": "E", "atributes": []},
        {"attributes": [{"name": "a", "type": "strin"}, {"name": "b"}]},
        {"name": "F", "attributes": [{"name": "a", "type": "strin"}],
         "relationships": [{"name": "r", "destination": "E", "toMany": false, "maximumCount": 3,
           "deleteRule": "nulify", "minimumCount": -1}]}
      ]}
      """)
    #expect(Set(found.map(\.code)) == ["MOD-002"])
    #expect(found.compactMap { $0.location?.line } == [1, 2, 3, 3, 3, 4, 6, 5, 6])
    #expect(found.contains { $0.remedy == "did you mean “attributes”?" })
    #expect(found.contains { $0.remedy == "did you mean “string”?" })
    #expect(found.contains { $0.remedy == "did you mean “nullify”?" })
    #expect(found.contains { $0.message.contains("disagree") })
  }

  @Test(arguments: ["", "{", "[1,", "{\"name\": \"M\", \"entities\": [}", "\u{0}"])
  func `a text that is not JSON is one error`(_ text: String) {
    #expect(mistakes(text).map(\.code) == ["MOD-001"])
  }

  @Test func `a mistake of meaning is shown in its place`() throws {
    let found = mistakes(
      """
      {"name": "M", "entities": [
        {"name": "Event", "parent": "Thin",
         "relationships": [
           {"name": "owner",
            "destination": "Persn"}]},
        {"name": "Person"}, {"name": "Thing"}]}
      """)
    #expect(found.map(\.code) == ["MOD-013", "MOD-020"])
    #expect(found.map { $0.location?.description } == ["model.json:2:31", "model.json:5:22"])
    #expect(found.compactMap(\.remedy) == ["did you mean “Thing”?", "did you mean “Person”?"])
  }

  @Test(arguments: [
    (0, "2001-01-01T00:00:00Z"), (-1, "2000-12-31T23:59:59Z"),
    (-978_307_200, "1970-01-01T00:00:00Z"), (730_902_896, "2024-02-29T12:34:56Z"),
    (252_423_993_600, "10000"), (0.5, "0.5"), (Double(Int64.min), "before all dates"),
    (-Double(Int64.min), "after all dates"),
  ])
  func `dates are written as people read them`(_ seconds: Double, _ text: String) {
    let written = ModelDocument.encode(
      Model(
        name: "M",
        entities: [
          Entity(
            name: "E",
            attributes: [Attribute(name: "a", type: .date, defaultValue: .real(seconds))])
        ]))
    // Outside the years 1 to 9999, and for fractions, seconds since 2001 are there instead.
    let isText = text.hasSuffix("Z")
    #expect(written.contains(isText ? "\"default\": \"\(text)\"" : "\"default\": \(seconds)"))
  }

  /// Compared with Foundation's calendar, which computes dates in another way.
  @Test func `days of four centuries survive writing and reading`() throws {
    let days = stride(from: -36_525, through: 109_575, by: 29).map { Double($0) * 86_400 + 1 }
    let attributes = days.enumerated().map {
      Attribute(name: "a\($0)", type: .date, defaultValue: .real($1))
    }
    let written = ModelDocument.encode(
      Model(name: "M", entities: [Entity(name: "E", attributes: attributes)]))
    let texts = written.split(separator: "\"").filter { $0.hasSuffix("Z") }.map(String.init)
    let expected = days.map { Date(timeIntervalSinceReferenceDate: $0).formatted(.iso8601) }
    #expect(texts == expected)
    let read = try decode(written)
    #expect(read.entities[0].attributes.map(\.defaultValue) == days.map { .real($0) })
  }
}
