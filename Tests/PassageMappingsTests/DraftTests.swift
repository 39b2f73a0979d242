import PassageDiagnostics
import PassageMappings
import PassageModels
import PassageValues
import TestSupport
import Testing

/// What a draft proposes where nothing can be inferred.
struct DraftTests {
  /// Drafts, reads the draft's JSON again, and has it refused for its marks alone.
  static func draft(_ old: [Entity], _ new: [Entity]) throws -> MappingModel {
    let source = Model(name: "1", entities: old)
    let destination = Model(name: "2", entities: new)
    let draft = InferredMapping.draft(from: source, to: destination)
    let text = MappingDocument.encode(draft)
    let read = try MappingDocument.decode(Array(text.utf8), file: "draft.json")
    #expect(read == draft)
    let marked = MappingChecker.check(
      read, source: source, destination: destination, policies: [])
    #expect(Set(marked.diagnostics.errors.map(\.code)).isSubset(of: ["MAP-040"]))
    #expect(marked.diagnostics.errorCount == marks(of: draft).count)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for finding in marked.diagnostics.errors {
      let place = try #require(finding.location)
      let line = lines[try #require(place.line) - 1].unicodeScalars
        .dropFirst(try #require(place.column) - 1)
      #expect(String(String.UnicodeScalarView(line)).hasPrefix("\"\(finding.reason ?? "")"))
      #expect(finding.remedy?.contains("“draft”") == true)
    }
    let unmarked = MappingChecker.check(
      draft.withoutMarks, source: source, destination: destination, policies: [])
    #expect(unmarked.diagnostics.errors == [])
    return draft
  }

  static func marks(of draft: MappingModel) -> [String] {
    draft.draftMarks.map(\.reason.value)
  }

  /// The proposals: each marked property with its value and its fallback.
  static func proposals(_ old: [Entity], _ new: [Entity]) throws -> [String] {
    try draft(old, new).entityMappings.flatMap { mapping in
      (mapping.attributeMappings + mapping.relationshipMappings).filter { $0.draft != nil }.map {
        let value =
          switch $0.source {
          case .sameName: "{}"
          case .leftAtDefault: "null"
          case .expression(let text): text.value
          }
        return "\($0.name.value) = \(value)" + ($0.fallback.map { " or \($0.value)" } ?? "")
      }
    }
  }

  private func note(_ attributes: Attribute...) -> Entity {
    Entity(name: "Note", attributes: attributes)
  }

  private func one(_ name: String, _ end: String, _ inverse: String? = nil) -> Relationship {
    Relationship(name: name, destinationEntityName: end, inverseName: inverse)
  }

  private func many(_ name: String, _ end: String, _ inverse: String? = nil) -> Relationship {
    Relationship(
      name: name, destinationEntityName: end, inverseName: inverse, maximumCount: 0)
  }

  // MARK: Attributes

  @Test
  func `without anything to propose a draft is what is inferred`() throws {
    let old = [note(Attribute(name: "a", type: .string)), Entity(name: "Old")]
    let new = [note(Attribute(name: "b", type: .string, renamingIdentifier: "a"))]
    let draft = try Self.draft(old, new)
    #expect(try draft == InferenceTests.infer(old, new))
    #expect(draft.isInferred)
  }

  @Test(arguments: [
    (AttributeType.string, AttributeType.date, "parseDate($source.a)"),
    (.string, .integer32, "parseNumber($source.a, 'en_US_POSIX')"),
    (.string, .decimal, "parseNumber($source.a, 'en_US_POSIX')"),
    (.string, .uuid, "uuidFromText($source.a)"), (.string, .uri, "$source.a"),
    (.string, .boolean, "TERNARY($source.a IN {'1', 'true', 'yes', 'YES'}, YES, NO)"),
    (.integer64, .string, "CAST($source.a, 'NSString')"),
    (.boolean, .string, "CAST($source.a, 'NSString')"),
    (.date, .string, "CAST($source.a, 'NSString')"),
    (.uuid, .string, "CAST($source.a, 'NSString')"), (.uri, .string, "$source.a"),
    (.integer64, .date, "CAST($source.a, 'NSDate')"),
    (.date, .double, "$source.a.timeIntervalSince1970"),
    (.date, .integer64, "$source.a.timeIntervalSince1970"),
    (.integer64, .integer16, "$source.a"), (.double, .integer64, "$source.a"),
    (.double, .boolean, "$source.a"), (.string, .binary, "dataFromText($source.a, 'utf-8')"),
    (.binary, .string, "textFromData($source.a, 'utf-8')"),
    (.binary, .transformable, "$source.a"),
    (.uuid, .date, "null"), (.boolean, .date, "null"),
  ])
  func `values of another type are converted`(
    from: AttributeType, to: AttributeType, _ value: String
  ) throws {
    #expect(
      try Self.proposals(
        [note(Attribute(name: "a", type: from))], [note(Attribute(name: "a", type: to))])
        == ["a = \(value)"])
  }

  @Test
  func `the mark says what is wrong, why, and what the proposal assumes`() throws {
    let draft = try Self.draft(
      [note(Attribute(name: "a", type: .double))], [note(Attribute(name: "a", type: .date))])
    #expect(
      Self.marks(of: draft) == [
        "INF-004 changed its type from double to date: the values would have to be converted; "
          + "the proposal is for seconds since 2001-01-01 UTC"
      ])
  }

  @Test(arguments: [
    (AttributeType.integer16, "0"), (.double, "0"), (.string, "''"), (.boolean, "NO"),
    (.date, "now()"), (.uuid, "randomUUID()"), (.binary, "dataFromText('', 'utf-8')"),
    (.uri, "'about:blank'"), (.transformable, "dataFromText('', 'utf-8')"),
  ])
  func `a required attribute gets a first value`(type: AttributeType, _ value: String) throws {
    let required = Attribute(name: "a", type: type, isOptional: false)
    #expect(try Self.proposals([note()], [note(required)]) == ["a = \(value)"])
    #expect(
      try Self.proposals([note(Attribute(name: "a", type: type))], [note(required)])
        == ["a = {} or \(value)"])
  }

  @Test
  func `a required attribute of another type gets both`() throws {
    let old = note(Attribute(name: "a", type: .string))
    let required = Attribute(name: "a", type: .date, isOptional: false)
    #expect(try Self.proposals([old], [note(required)]) == ["a = parseDate($source.a) or now()"])
    let standard = Attribute(
      name: "a", type: .date, isOptional: false, defaultValue: .integer(5))
    #expect(
      try Self.proposals([old], [note(standard)])
        == ["a = parseDate($source.a) or CAST(5, \"NSDate\")"])
  }

  @Test
  func `data that moves into or out of files is copied`() throws {
    let inside = Attribute(name: "a", type: .binary)
    let outside = Attribute(name: "a", type: .binary, allowsExternalBinaryDataStorage: true)
    #expect(try Self.proposals([note(inside)], [note(outside)]) == ["a = {}"])
    #expect(try Self.proposals([note(outside)], [note(inside)]) == ["a = {}"])
  }

  // MARK: Names and hierarchies

  @Test
  func `one of several interpretations of a rename is taken`() throws {
    let draft = try Self.draft(
      [Entity(name: "A")],
      [Entity(name: "B", renamingIdentifier: "A"), Entity(name: "C", renamingIdentifier: "A")])
    #expect(draft.entityMappings.map(\.name.value) == ["IEM_Transform_A", "IEM_Add_C"])
    #expect(draft.entityMappings.allSatisfy { $0.draft?.value.hasPrefix("INF-001") == true })
    let back = try Self.draft(
      [Entity(name: "B", renamingIdentifier: "A"), Entity(name: "C", renamingIdentifier: "A")],
      [Entity(name: "D", renamingIdentifier: "A")])
    #expect(back.entityMappings.map(\.name.value) == ["IEM_Transform_B", "IEM_Remove_C"])
    #expect(back.entityMappings.allSatisfy { $0.draft != nil })
    #expect(
      try Self.proposals(
        [note(Attribute(name: "a", type: .string))],
        [
          note(
            Attribute(name: "a", type: .string),
            Attribute(name: "b", type: .string, renamingIdentifier: "a"))
        ]) == ["a = {}", "b = null"])
  }

  @Test
  func `objects of an entity that became abstract go to its first heir, or are left behind`() throws
  {
    let attribute = Attribute(name: "a", type: .string)
    let old = Entity(name: "A", attributes: [attribute])
    let abstract = Entity(name: "A", isAbstract: true, attributes: [attribute])
    let draft = try Self.draft([old], [abstract, Entity(name: "X", parentName: "A")])
    #expect(draft.entityMappings.map(\.kind) == [.transform, .add])
    #expect(draft.entityMappings[0].destinationEntityName?.value == "X")
    #expect(draft.entityMappings[0].attributeMappings.map(\.name.value) == ["a"])
    let none = try Self.draft([old], [abstract])
    #expect(none.entityMappings.map(\.kind) == [.remove])
    #expect(none.entityMappings[0].draft?.value.hasPrefix("INF-003") == true)
  }

  @Test
  func `entities of merged hierarchies are marked`() throws {
    let draft = try Self.draft(
      [Entity(name: "A"), Entity(name: "B")],
      [Entity(name: "A", parentName: "P"), Entity(name: "B", parentName: "P"), Entity(name: "P")])
    #expect(draft.entityMappings.map { $0.draft != nil } == [true, true, false])
  }

  // MARK: Relationships

  @Test
  func `a relationship whose objects are not known is left empty`() throws {
    func pair(_ relationships: [Relationship], _ inverses: [Relationship] = []) -> [Entity] {
      [Entity(name: "A", relationships: relationships), Entity(name: "B", relationships: inverses)]
    }
    #expect(try Self.proposals(pair([many("b", "B")]), pair([one("b", "B")])) == ["b = null"])
    var required = one("b", "B")
    required.isOptional = false
    #expect(try Self.proposals(pair([]), pair([required])) == ["b = null"])
    #expect(
      try Self.proposals(
        pair([one("b", "B")]) + [Entity(name: "C")],
        [Entity(name: "A", relationships: [one("b", "C")]), Entity(name: "B"), Entity(name: "C")])
        == ["b = null"])
    #expect(
      try Self.proposals(
        pair([one("b", "B")], [one("a", "A")]), pair([one("b", "B", "a")], [one("a", "A", "b")]))
        == ["b = {}", "a = null"])
  }

  // MARK: Entities and attributes

  @Test(arguments: ["tag", "tags", "Tag", "tagName", "label"])
  func `an attribute that became an entity makes its objects`(former: String) throws {
    let old = Entity(name: "Row", attributes: [Attribute(name: former, type: .string)])
    let relationship = former == "label" ? "label" : "tag"
    let draft = try Self.draft(
      [old],
      [
        Entity(name: "Row", relationships: [one(relationship, "Tag", "rows")]),
        Entity(
          name: "Tag", attributes: [Attribute(name: "name", type: .string)],
          relationships: [many("rows", "Row", relationship)]),
      ])
    let made = try #require(draft.entityMappings.first { $0.destinationEntityName?.value == "Tag" })
    #expect(made.name.value == "RowToTag")
    #expect(made.kind == .transform)
    #expect(made.filter?.value == "\(former) != nil")
    #expect(
      made.attributeMappings == [PropertyMapping(name: "name", expression: "$source.\(former)")])
    #expect(made.draft != nil)
    #expect(made.merge == EntityMapping.Merge("$source.\(former)"))
    let leading = try #require(
      draft.entityMappings.first { $0.destinationEntityName?.value == "Row" }?.relationshipMappings)
    #expect(leading.map(\.name.value) == [relationship])
    #expect(
      leading[0].source
        == .expression(
          Located(
            "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", "
              + "\"RowToTag\", $source)")))
  }

  @Test func `a text that became several objects is split`() throws {
    let draft = try Self.draft(
      [Entity(name: "Row", attributes: [Attribute(name: "tags", type: .string)])],
      [
        Entity(name: "Row", relationships: [many("tags", "Tag", "rows")]),
        Entity(
          name: "Tag", attributes: [Attribute(name: "name", type: .string)],
          relationships: [many("rows", "Row", "tags")]),
      ])
    let made = try #require(draft.entityMappings.first { $0.destinationEntityName?.value == "Tag" })
    #expect(made.forEach?.value == "split($source.tags, ',')")
    #expect(made.merge == "trim($element)")
    #expect(
      made.attributeMappings == [PropertyMapping(name: "name", expression: "trim($element)")])
  }

  @Test func `an attribute whose object belongs to one alone is not shared`() throws {
    let draft = try Self.draft(
      [Entity(name: "Row", attributes: [Attribute(name: "tag", type: .string)])],
      [
        Entity(name: "Row", relationships: [one("tag", "Tag", "row")]),
        Entity(
          name: "Tag", attributes: [Attribute(name: "name", type: .string)],
          relationships: [one("row", "Row", "tag")]),
      ])
    let made = try #require(draft.entityMappings.first { $0.destinationEntityName?.value == "Tag" })
    #expect(made.merge == nil)
  }

  @Test
  func `several attributes become one object, and two relationships two entity mappings`() throws {
    let names = ["homeStreet", "homeCity", "workStreet"]
    let draft = try Self.draft(
      [Entity(name: "Person", attributes: names.map { Attribute(name: $0, type: .string) })],
      [
        Entity(name: "Person", relationships: [one("home", "Address"), one("work", "Address")]),
        Entity(
          name: "Address",
          attributes: [
            Attribute(name: "street", type: .string), Attribute(name: "city", type: .string),
            Attribute(name: "rank", type: .integer16, isOptional: false),
          ]),
      ])
    let made = draft.entityMappings.filter { $0.destinationEntityName?.value == "Address" }
    #expect(made.map(\.name.value) == ["PersonToAddress", "PersonToAddress work"])
    #expect(
      made.map { $0.attributeMappings.map(\.name.value).sorted() }
        == [["city", "rank", "street"], ["rank", "street"]])
    #expect(made[0].filter?.value == "homeCity != nil OR homeStreet != nil")
  }

  @Test(arguments: [false, true])
  func `a mark tells which equal values share no object`(isUnique: Bool) throws {
    func made(_ names: [String], _ attributes: [String]) throws -> [String?] {
      func cars(_ name: String, _ attributes: [Attribute], _ ends: [Relationship]) -> Entity {
        Entity(
          name: name, parentName: name == names[0] ? nil : names[0],
          attributes: name == names[0] ? attributes : [],
          relationships: name == names[0] ? ends : [])
      }
      let draft = try Self.draft(
        names.map { cars($0, attributes.map { Attribute(name: $0, type: .string) }, []) },
        names.map { cars($0, [], [one("maker", "Maker")]) } + [
          Entity(
            name: "Maker",
            attributes: ["name", "city"].map { Attribute(name: $0, type: .string) },
            uniquenessConstraints: isUnique ? [["name"]] : [])
        ])
      return draft.entityMappings.filter { $0.destinationEntityName?.value == "Maker" }
        .map { $0.draft?.value }
    }
    let unique =
      isUnique
      ? "; the values of “name” must be unique, so where some are equal, a policy that calls findOrInsert "
        + "has to make the objects" : ""
    let shared = "source objects of equal value share one object"
    let alone = try made(["Car"], ["maker"])
    #expect(alone.count == 1 && alone[0]?.hasSuffix(": \(shared)") == true)
    let family = try made(["Car", "Van"], ["maker"])
    #expect(family.count == 2)
    #expect(family[0]?.hasSuffix("\(shared), but none with those of “VanToMaker”\(unique)") == true)
    #expect(family[1]?.hasSuffix("\(shared), but none with those of “CarToMaker”\(unique)") == true)
    let several = try made(["Car"], ["makerName", "makerCity"])
    #expect(several.count == 1)
    #expect(several[0]?.hasSuffix("also for equal values\(unique)") == true)
  }

  @Test
  func `objects are made without a filter where each has a value`() throws {
    let draft = try Self.draft(
      [Entity(name: "Row", attributes: [Attribute(name: "tag", type: .string, isOptional: false)])],
      [
        Entity(name: "Row", relationships: [one("tag", "Tag")]),
        Entity(name: "Tag", attributes: [Attribute(name: "name", type: .string)]),
      ])
    let made = try #require(draft.entityMappings.first { $0.name.value == "RowToTag" })
    #expect(made.filter == nil)
  }

  @Test(.timeLimit(.minutes(15)))
  func `a model with very many properties is drafted in time`() throws {
    func names(_ prefix: String, _ count: Int) -> [String] { (0..<count).map { "\(prefix)\($0)" } }
    let old = Entity(
      name: "A", attributes: names("a", 3_000).map { Attribute(name: $0, type: .string) })
    let new = Entity(
      name: "A",
      relationships: names("r", 1_000).map { Relationship(name: $0, destinationEntityName: "B") })
    let end = Entity(
      name: "B", attributes: names("b", 1_000).map { Attribute(name: $0, type: .string) })
    let draft = InferredMapping.draft(
      from: Model(name: "1", entities: [old]), to: Model(name: "2", entities: [new, end]))
    #expect(draft.entityMappings.map(\.kind) == [.transform, .add])
  }

  @Test
  func `an entity that became attributes gives them its values`() throws {
    let address = Entity(
      name: "Address",
      attributes: [
        Attribute(name: "street", type: .string), Attribute(name: "zip", type: .integer32),
      ], relationships: [one("person", "Person", "address")])
    #expect(
      try Self.proposals(
        [Entity(name: "Person", relationships: [one("address", "Address", "person")]), address],
        [
          Entity(
            name: "Person",
            attributes: [
              Attribute(name: "street", type: .string),
              Attribute(name: "addressZip", type: .string),
              Attribute(name: "age", type: .integer16),
            ])
        ]) == [
          "addressZip = CAST($source.address.zip, 'NSString')", "street = $source.address.street",
        ])
  }

  @Test
  func `a relationship that became an attribute gives it the related objects' values`() throws {
    func models(_ tag: Relationship) -> ([Entity], [Entity]) {
      let name = Attribute(name: "name", type: .string)
      return (
        [Entity(name: "Row", relationships: [tag]), Entity(name: "Tag", attributes: [name])],
        [Entity(name: "Row", attributes: [Attribute(name: tag.name, type: .string)])]
      )
    }
    let (old, new) = models(one("tag", "Tag"))
    #expect(try Self.proposals(old, new) == ["tag = $source.tag.name"])
    let (several, text) = models(many("tags", "Tag"))
    #expect(try Self.proposals(several, text) == ["tags = join(', ', $source.tags.name)"])
  }
}
