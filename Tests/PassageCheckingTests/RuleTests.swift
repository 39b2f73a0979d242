import PassageDiagnostics
import PassageEngine
import PassageProjects
import PassageTesting
import PassageValues
import TestSupport
import Testing

@testable import PassageChecking

/// Each rule finds what it is about at its place, and lets pass what is right.
struct RuleTests {
  struct Case: CustomTestStringConvertible {
    var code: String
    /// The entity mappings, from line 2 on.
    var mapping: String
    /// `line:column` of each finding in the mapping model.
    var places: [String]

    init(_ code: String, _ mapping: String, _ places: String...) {
      self.code = code
      self.mapping = mapping
      self.places = places
    }

    var testDescription: String { "\(code) \(mapping)" }
  }

  /// The start of a mapping of “Note” in line 2.
  private static let note = #"{ "type": "transform", "source": "Note", "destination": "Note", "#
  private static let other = #"{ "type": "transform", "source": "Note", "destination": "Other", "#

  static let cases: [Case] = [
    // Values that nothing reads: text, size, year, kind and pages of line 2.
    Case(
      "CHK-001",
      note
        + #""attributes": {"text": {}, "size": {}, "kind": {}}, "relationships": {"pages": {}} }"#,
      "2:34"),
    Case(
      "CHK-001",
      note + #""attributes": {"text": {}, "size": {}, "kind": {}, "year": {}}, "#
        + #""relationships": {"pages": {}} }"#),
    // A text as a number.
    Case(
      "CHK-002",
      note + "\n" + #""attributes": { "number": "CAST($source.text, 'NSNumber')" } }"#, "3:27"),
    Case(
      "CHK-002",
      note + #""attributes": { "number": {"value": "CAST($source.text, 'NSNumber')","#
        + #" "default": "0"} } }"#),
    Case("CHK-002", note + #""attributes": { "number": "parseNumber($source.text, 'en_US')" } }"#),
    // integer64 into integer32.
    Case("CHK-003", note + "\n" + #""attributes": { "size": {} } }"#, "3:17"),
    Case("CHK-003", note + "\n" + #""attributes": { "size": "$source.size" } }"#, "3:25"),
    Case("CHK-003", note + #""attributes": { "number": "$source.size" } }"#),
    Case("CHK-003", note + #""attributes": { "size": "$source.size / 2" } }"#),
    // A relationship that loses its order, and objects that become one.
    Case("CHK-004", note + "\n" + #""relationships": { "pages": {} } }"#, "3:20"),
    Case(
      "CHK-004", note + "\n" + #""mergeBy": "$source.kind", "attributes": {"text": {}} }"#, "3:12"),
    Case(
      "CHK-004",
      note + #""mergeBy": "$source.kind", "attributes": {"kind": {}, "#
        + #""size": {"combine": "sum"}} }"#),
    // The same objects twice.
    Case(
      "CHK-006",
      note + #""name": "A", "filter": "year < 2020" },"# + "\n" + note
        + #""name": "B", "filter": "year <= 2020" }"#, "3:\(note.count + 24)"),
    Case(
      "CHK-006",
      note + #""name": "A", "filter": "year < 2020" },"# + "\n" + note
        + #""name": "B", "filter": "NOT year < 2020" }"#),
    Case(
      "CHK-006",
      note + #""name": "A" },"# + "\n" + note + #""name": "B", "filter": "kind == 1" }"#,
      "3:\(note.count + 24)"),
    // What depends on other objects is not claimed.
    Case(
      "CHK-006",
      note + #""name": "A", "filter": "pages.@count > 1" },"# + "\n" + note
        + #""name": "B", "filter": "year == 2" }"#),
    Case(
      "CHK-007",
      note + #""filter": "year < 2020" },"# + "\n" + other
        + #""filter": "year == nil OR year > 5" }"#,
      "3:\(other.count + 11)"),
    Case("CHK-007", note.dropLast(2) + " },\n" + other + #""filter": "year == nil" }"#),
    // What no filter takes.
    Case(
      "CHK-008",
      note + #""name": "A", "filter": "year < 2020" },"# + "\n" + other
        + #""filter": "year >= 2020" }"#, "3:\(other.count + 11)"),
    Case(
      "CHK-008",
      note + #""name": "A", "filter": "year < 2020" },"# + "\n" + other
        + #""filter": "year >= 2020 OR year == nil" }"#),
    Case(
      "CHK-008",
      note + #""name": "A", "filter": "year < 2020" },"#
        + #"{ "type": "remove", "source": "Note", "filter": "NOT year < 2020" }"#),
    // An attribute that is required is never nil.
    Case(
      "CHK-008",
      note + #""name": "A", "filter": "kind < 3" },"# + other
        + #""filter": "kind >= 3" }"#),
    // An entity that nothing reads: “Page” of the first version.
    Case("CHK-009", note.dropLast(2) + " }", "1:13"),
    Case("CHK-009", note.dropLast(2) + #" }, { "type": "remove", "source": "Page" }"#),
    // A required attribute that may get nil.
    Case("CHK-015", note + "\n" + #""attributes": { "year": {} } }"#, "3:17"),
    Case("CHK-015", note + #""attributes": { "year": {"default": "0"} } }"#),
    Case("CHK-015", note + #""filter": "year != nil", "attributes": { "year": {} } }"#),
    Case("CHK-015", note + #""attributes": { "year": "$source.kind" } }"#),
  ]

  @Test(arguments: cases)
  func `a rule finds what it is about, at its place`(trial: Case) throws {
    let folder = try CheckedFolder(mappings: ["M": CheckedFolder.mapping(trial.mapping)])
    #expect(try folder.places(of: trial.code) == trial.places.map { "Mappings/M.json:\($0)" })
  }

  /// An ordered relationship of the second version, from one without an order.
  @Test(arguments: [("{}", ["Mappings/M.json:3:20"]), (#"{"sortedBy": "$element.number"}"#, [])])
  func `an order that comes from none is found unless it is sorted`(
    pages: String, places: [String]
  ) throws {
    func model(_ name: String, _ order: String) -> String {
      """
      { "name": "\(name)", "entities": [
        { "name": "Note", "relationships": [
          { "name": "pages", "destination": "Page", "inverse": "note", "toMany": true\(order) } ] },
        { "name": "Page", "attributes": [ { "name": "number", "type": "integer16" } ],
          "relationships": [ { "name": "note", "destination": "Note", "inverse": "pages" } ] } ] }
      """
    }
    let folder = try CheckedFolder(
      mappings: [
        "M": CheckedFolder.mapping(
          Self.note + "\n" + #""relationships": { "pages": \#(pages) } }"#
            + #", { "type": "copy", "source": "Page", "destination": "Page" }"#)
      ], models: ["1": model("1", ""), "2": model("2", #", "ordered": true"#)])
    #expect(try folder.places(of: "CHK-004") == places)
  }

  @Test(arguments: [(true, []), (false, ["Mappings/M.json:3:27"])])
  func `the place in a list without an order is found`(isOrdered: Bool, places: [String]) throws {
    let ordered = CheckedFolder.oldModel
    let old =
      isOrdered ? ordered : ordered.replacing(#""ordered": true"#, with: #""ordered": false"#)
    let folder = try CheckedFolder(
      mappings: [
        "M": CheckedFolder.mapping(
          Self.note + #""forEach": "$source.pages","# + "\n"
            + #""attributes": { "number": "$index" } }, "#
            + #"{ "type": "copy", "source": "Page", "destination": "Page" }"#)
      ], models: ["1": old, "2": CheckedFolder.newModel])
    #expect(try folder.places(of: "CHK-004") == places)
  }

  private static let copies = CheckedFolder.mapping(
    note.dropLast(2) + #" }, { "type": "copy", "source": "Page", "destination": "Page" }"#)

  @Test func `the object that a finding names is one that the filters take`() throws {
    let folder = try CheckedFolder(
      mappings: [
        "M": CheckedFolder.mapping(
          Self.note + #""name": "A", "filter": "year < 2020 AND kind == 1" },"# + "\n" + Self.note
            + #""name": "B", "filter": "year <= 2020 OR kind == 2" }"#)
      ])
    let findings = try folder.check().findings
    let doubled = try #require(findings.first { $0.code == "CHK-006" })
    #expect(
      doubled.diagnostic.reason == "year = 2019, kind = 1 is taken by “M”, “A” and by “M”, “B”")
    #expect(doubled.places[.entityMapping] == "B" && doubled.places[.entity] == "Note")
    let gap = try #require(findings.first { $0.code == "CHK-008" })
    #expect(gap.diagnostic.reason == "year = 2021, kind = 0 is taken by none")
  }

  /// Three entity mappings that all take the object of one year: three pairs.
  @Test func `pairs of filters are compared as long as the steps last`() throws {
    let mappings = ["A", "B", "C"].map { name in
      Self.note + #""name": "\#(name)", "filter": "year == 2020 OR kind == 1" }"#
    }
    let folder = try CheckedFolder(
      mappings: ["M": CheckedFolder.mapping(mappings.joined(separator: ",\n"))])
    let project = try CheckedProject(
      Project(
        migrationsDirectory: folder.folder.path("Migrations"),
        mappingsDirectory: folder.folder.path("Mappings")), policies: PolicyRegistry([]))
    let places = try #require(project.placesByStep.first)
    #expect(TakenTwice.pairs(of: places).count == 3)
    let counts = [0, 1, 10, 100, 1_000, 10_000].map {
      TakenTwice.pairs(of: places, maximumSteps: $0).count
    }
    #expect(counts.first == 0 && counts.last == 3 && counts == counts.sorted())
  }

  @Test func `a version without a way is found, and one with an inferred way is noted`() throws {
    let history = """
      { "versions": [ { "name": "1", "model": "1.json" },
                      { "name": "2", "model": "2.json" } ], "steps": [] }
      """
    #expect(
      try CheckedFolder(history: history, mappings: [:]).places(of: "CHK-010")
        == ["Migrations/history.json:1:27"])
    let alike = try CheckedFolder(
      history: history, mappings: [:],
      models: [
        "1": #"{ "name": "1", "entities": [ { "name": "A" } ] }"#,
        "2": #"{ "name": "2", "entities": [ { "name": "A" }, { "name": "B" } ] }"#,
      ])
    #expect(try alike.places(of: "CHK-011") == ["Migrations/history.json:1:27"])
    #expect(try alike.places(of: "CHK-010") == [])
    let led = try CheckedFolder(mappings: ["M": Self.copies])
    #expect(try led.places(of: "CHK-010") + led.places(of: "CHK-011") == [])
  }

  private static func versions(_ names: [String], steps: [(String, String, String)] = []) -> String
  {
    let versions = names.map { "{ \"name\": \"\($0)\", \"model\": \"\($0).json\" }" }
    let steps = steps.map { "{ \"from\": \"\($0)\", \"to\": \"\($1)\", \"mappings\": [\($2)] }" }
    return """
      { "versions": [ \(versions.joined(separator: ", ")) ],
        "steps": [ \(steps.joined(separator: ", ")) ] }
      """
  }

  private static func model(_ name: String, _ entities: [String]) -> String {
    let list = entities.map { "{ \"name\": \"\($0)\" }" }
    return "{ \"name\": \"\(name)\", \"entities\": [ \(list.joined(separator: ", ")) ] }"
  }

  @Test(
    arguments: [
      (["1", "2"], [], ["A", "A"], []),
      (["1", "2", "3"], [("2", "3", "\"M\"")], ["A", "A", "AB"], []),
      (["1", "2", "3"], [("1", "2", ""), ("2", "3", "")], ["A", "A", "AB"], ["2"]),
      (["1", "2", "3"], [("1", "3", "\"M\"")], ["A", "A", "AB"], ["2"]),
      (["1", "2", "3"], [], ["A", "AB", "ABC"], ["1", "2"]),
    ] as [([String], [(String, String, String)], [String], [String])])
  func `an inferred way is noted of versions whose stores need it`(
    names: [String], steps: [(String, String, String)], entities: [String], found: [String]
  ) throws {
    let last = names.count - 1
    let mapping = """
      { "source": "\(steps.first?.0 ?? names[0])", "destination": "\(names[last])",
        "entityMappings": [ { "type": "copy", "source": "A", "destination": "A" } ] }
      """
    let folder = try CheckedFolder(
      history: Self.versions(names, steps: steps), mappings: ["M": mapping],
      models: Dictionary(
        uniqueKeysWithValues: zip(names, entities).map {
          ($0, Self.model($0, $1.map(String.init)))
        }))
    let findings = try folder.check().findings
    #expect(findings.filter { $0.code == "CHK-011" }.map { $0.places[.version] } == found)
    #expect(!findings.contains { $0.code == "CHK-010" })
  }

  @Test func `each step that is inferred is named`() throws {
    let folder = try CheckedFolder(
      history: Self.versions(["1", "2", "3"]), mappings: [:],
      models: [
        "1": Self.model("1", ["A"]), "2": Self.model("2", ["A", "B"]),
        "3": Self.model("3", ["A", "B", "C"]),
      ])
    let found = try folder.check().findings.filter { $0.code == "CHK-011" }
    #expect(
      found.map(\.diagnostic.reason) == [
        "no step with mapping models leads from “1” to “2”, from “2” to “3”",
        "no step with mapping models leads from “2” to “3”",
      ])
  }

  @Test func `a step whose mapping models lead elsewhere is found`() throws {
    let history = CheckedFolder.history().replacing(
      #""from": "1", "to": "2""#, with: #""from": "2", "to": "1""#)
    let folder = try CheckedFolder(history: history, mappings: ["M": Self.copies])
    #expect(try folder.places(of: "CHK-010").contains("Migrations/history.json:4:53"))
  }

  @Test func `a step between versions that no store can tell apart is found`() throws {
    let written = try CheckedFolder(
      history: Self.versions(["1", "2"], steps: [("1", "2", "\"M\"")]),
      mappings: [
        "M": CheckedFolder.mapping(#"{ "type": "copy", "source": "A", "destination": "A" }"#)
      ],
      models: ["1": Self.model("1", ["A"]), "2": Self.model("2", ["A"])])
    #expect(try written.places(of: "CHK-016") == ["Migrations/history.json:2:24"])
    let different = try CheckedFolder(mappings: ["M": Self.copies])
    #expect(try different.places(of: "CHK-016").isEmpty)
  }

  @Test func `a mapping model that no step names is noted`() throws {
    let folder = try CheckedFolder(mappings: ["M": Self.copies, "Old": Self.copies])
    #expect(try folder.places(of: "CHK-014") == ["Mappings/Old.json"])
  }

  @Test func `a mistake in a mapping model is refused as by a plan`() throws {
    let folder = try CheckedFolder(
      mappings: ["M": CheckedFolder.mapping(Self.note + #""attributes": {"txt": {}} }"#)])
    let error = try #require(throws: Diagnostics.self) { try folder.check() }
    #expect(error.errors.map(\.code) == ["MAP-014"])
  }

  @Test func `an expression over values that may be in files is refused as by a run`() throws {
    let photo = """
      { "name": "1", "entities": [ { "name": "Photo", "attributes": [
        { "name": "image", "type": "binary", "allowsExternalBinaryDataStorage": true },
        { "name": "icon", "type": "binary" } ] } ] }
      """
    let folder = try CheckedFolder(
      mappings: [
        "M": CheckedFolder.mapping(
          #"{ "type": "copy", "source": "Photo", "destination": "Photo", "filter": "image == icon" }"#
        )
      ],
      models: ["1": photo, "2": photo.replacing(#""name": "1""#, with: #""name": "2""#)])
    let error = try #require(throws: Diagnostics.self) { try folder.check() }
    #expect(error.errors.map(\.code) == ["STO-318"])
  }
}
