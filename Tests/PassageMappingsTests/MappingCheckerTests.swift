import PassageDiagnostics
import PassageMappings
import PassageModels
import Testing

/// One test for each code, with its place; the mapping stands on line 2 of the file.
@Suite struct MappingCheckerTests {
  static let source = Model(
    name: "1",
    entities: [
      Entity(
        name: "Person",
        attributes: [
          Attribute(name: "name", type: .string), Attribute(name: "age", type: .integer16),
        ],
        relationships: [
          Relationship(
            name: "cars", destinationEntityName: "Car", inverseName: "owner", maximumCount: 0)
        ]),
      Entity(
        name: "Car", attributes: [Attribute(name: "plate", type: .string)],
        relationships: [
          Relationship(name: "owner", destinationEntityName: "Person", inverseName: "cars")
        ]),
      Entity(name: "Stone"),
    ])

  static let destination = Model(
    name: "2",
    entities: [
      Entity(name: "Thing", isAbstract: true),
      Entity(
        name: "Person", parentName: "Thing",
        attributes: [
          Attribute(name: "name", type: .string), Attribute(name: "years", type: .integer16),
          Attribute(name: "cache", type: .string, isTransient: true),
        ],
        relationships: [
          Relationship(
            name: "cars", destinationEntityName: "Car", inverseName: "owner", maximumCount: 0),
          Relationship(name: "best", destinationEntityName: "Car"),
        ]),
      Entity(
        name: "Car",
        attributes: [Attribute(name: "plate", type: .string, isOptional: false)],
        relationships: [
          Relationship(name: "owner", destinationEntityName: "Person", inverseName: "cars")
        ]),
    ])

  static let people =
    #"{"type": "transform", "source": "Person", "destination": "Person""#
  static let cars = """
    {"type": "transform", "source": "Car", "destination": "Car", "attributes": {"plate": {}}}
    """

  static func check(_ entityMappings: String) throws -> (isBound: Bool, found: Diagnostics) {
    let text = """
      {"source": "1", "destination": "2", "entityMappings": [
      \(entityMappings)
      ]}
      """
    let model = try MappingDocument.decode(Array(text.utf8), file: "Step.json")
    let (bound, found) = MappingChecker.check(
      model, source: source, destination: destination,
      policies: [PolicySignature(name: "Maker", functionSelectors: ["make:"])])
    return (bound != nil, found)
  }

  /// Two of them have the same plate.
  static let added = """
    {"type": "add", "name": "New", "destination": "Car",
     "objects": [{"plate": "x"}, {"plate": "y"}, {"plate": "x"}]}
    """

  static let named = "destinationInstancesForEntityMappingNamed:sourceInstances:"

  /// The code, the text that the place must point at, and the file.
  static let mistakes: [(code: String, at: String, mapping: String)] = [
    (
      "MAP-010", "\"Persn\"", #"{"type": "transform", "source": "Persn", "destination": "Person"}"#
    ),
    (
      "MAP-011", "\"Persom\"",
      #"{"type": "transform", "source": "Person", "destination": "Persom"}"#
    ),
    ("MAP-012", "\"Thing\"", #"{"type": "transform", "source": "Person", "destination": "Thing"}"#),
    (
      "MAP-013", "\"A\"}",
      #"{"type": "remove", "source": "Car", "name": "A"}, {"type": "remove", "source": "Stone", "name": "A"}"#
    ),
    ("MAP-014", "\"nane\"", #"\#(people), "attributes": {"nane": "'x'"}}"#),
    ("MAP-015", "\"cars\"", #"\#(people), "attributes": {"cars": {}}}"#),
    ("MAP-015", "\"name\"", #"\#(people), "relationships": {"name": {}}}"#),
    ("MAP-016", "\"years\"", #"\#(people), "attributes": {"years": {}}}"#),
    (
      "MAP-016", "\"plate\"",
      #"{"type": "add", "destination": "Car", "policy": "Maker", "attributes": {"plate": {}}}"#
    ),
    ("MAP-019", "\"Makr\"", #"\#(people), "policy": "Makr"}"#),
    ("MAP-021", "\"$source.cars\"", #"\#(people), "relationships": {"cars": "$source.cars"}}"#),
    (
      "MAP-021", "\"FUNCTION",
      #"\#(people), "relationships": {"cars": "FUNCTION($entityPolicy, \"cars:\", $source)"}}"#
    ),
    ("MAP-021", "\"1 + 1\"", #"\#(people), "relationships": {"cars": "1 + 1"}}"#),
    (
      "MAP-022", "\"FUNCTION",
      #"\#(people), "relationships": {"cars": "FUNCTION($manager, '\#(named)', 'Nobody', $source.cars)"}}"#
    ),
    (
      "MAP-023", "\"FUNCTION",
      #"\#(people), "relationships": {"best": "FUNCTION($manager, '\#(named)', 'PersonToPerson', $source)"}}"#
    ),
    (
      "MAP-024", "\"FUNCTION",
      #"\#(people), "relationships": {"cars": "FUNCTION($manager, '\#(named)', 'CarToCar', $source.boats)"}}, \#(cars)"#
    ),
    (
      "MAP-025", "\"FUNCTION",
      #"\#(people), "relationships": {"best": "FUNCTION($manager, '\#(named)', 'CarToCar', $source.cars)"}}, \#(cars)"#
    ),
    ("MAP-027", "\"cache\"", #"\#(people), "attributes": {"cache": "'x'"}}"#),
    (
      "MAP-021", "\"FUNCTION",
      #"\#(people), "relationships": {"cars": "FUNCTION($manager, '\#(named)', 'CarToCar', {1, 2})"}}, \#(cars)"#
    ),
    ("MAP-035", "\"$source", #"{"type": "remove", "source": "Person", "forEach": "$source.cars"}"#),
    ("MAP-035", "\"$source", #"\#(people), "policy": "Maker", "mergeBy": "$source.name"}"#),
    (
      "MAP-035", "\"name\"",
      #"\#(people), "attributes": {"name": {"combine": "first"}}}"#
    ),
    (
      "MAP-035", "\"FUNCTION",
      #"\#(people), "relationships": {"cars": "FUNCTION($manager, '\#(named)', 'CarToCar', $element)"}}, \#(cars)"#
    ),
    (
      "MAP-035", "\"$element",
      #"\#(people), "relationships": {"cars": {"sortedBy": "$element.plate"}}}, \#(cars)"#
    ),
    ("MAP-036", "\"1\"", #"\#(people), "mergeBy": "1"}"#),
    (
      "MAP-036", "\"name\"",
      #"\#(people), "mergeBy": "$source.name", "attributes": {"name": {"combine": "sum"}}}"#
    ),
    (
      "MAP-022", "\"added",
      #"\#(people), "relationships": {"best": "added('CarToCar')"}}, \#(cars)"#
    ),
    (
      "MAP-025", "\"added",
      #"\#(people), "relationships": {"best": "added('New', 'plate', $source.name)"}}, \#(added)"#
    ),
    (
      "MAP-025", "\"FUNCTION",
      #"\#(people), "relationships": {"best": "FUNCTION($manager, '\#(named)', 'CarToCar', SUBQUERY($source.cars, $c, $c.plate != nil))"}}, \#(cars)"#
    ),
    (
      "MAP-014", "\"plat\"",
      #"{"type": "add", "destination": "Car", "objects": [{"plat": "x"}]}"#
    ),
    ("PRE-017", "$element", #"\#(people), "attributes": {"name": "$element"}}"#),
    ("PRE-001", "> 3", #"\#(people), "filter": "age > > 3"}"#),
    ("PRE-010", "agee", #"\#(people), "filter": "agee > 3"}"#),
    ("PRE-010", "nam\"", #"\#(people), "attributes": {"name": "$source.nam"}}"#),
  ]

  @Test(arguments: mistakes)
  func `a mistake is reported with its code and place`(code: String, at: String, mapping: String)
    throws
  {
    let (isBound, found) = try Self.check(mapping)
    #expect(!isBound)
    let mistake = try #require(found.errors.first { $0.code == code }, "\(found)")
    #expect(found.errors.count == 1, "\(found)")
    #expect(mistake.location?.file == "Step.json")
    #expect(mistake.location?.line == 2)
    let column = try #require(mistake.location?.column)
    let rest = String(mapping.unicodeScalars.dropFirst(column - 1))
    #expect(rest.hasPrefix(at), "\(mistake) points at \(rest)")
  }

  @Test func `an attribute that the source spells otherwise is given as an expression`() throws {
    func model(_ name: String, _ attribute: String) -> Model {
      Model(
        name: name,
        entities: [Entity(name: "A", attributes: [Attribute(name: attribute, type: .date)])])
    }
    let text = """
      {"source": "1", "destination": "2", "entityMappings": [
      {"type": "transform", "source": "A", "destination": "A", "attributes": {"timestamp": {}}}]}
      """
    let (_, found) = MappingChecker.check(
      try MappingDocument.decode(Array(text.utf8), file: "Step.json"),
      source: model("1", "timeStamp"), destination: model("2", "timestamp"), policies: [])
    let mistake = try #require(found.all.first { $0.code == "MAP-016" })
    #expect(
      mistake.remedy
        == "write \"timestamp\": \"$source.timeStamp\"; or give an expression, or null for the "
        + "default")
  }

  @Test func `an element in a mapping without elements has a remedy`() throws {
    let (_, found) = try Self.check(#"\#(Self.people), "attributes": {"name": "$element"}}"#)
    #expect(found.errors.map(\.code) == ["PRE-017"])
    #expect(
      found.errors.first?.remedy
        == "begin at $source, or give the entity mapping a “forEach”")
  }

  /// The mistakes of a relationship that is sorted, and the text of the line from the first one's place on.
  private static func sorted(
    _ value: String, by key: String, forEach rule: String = ""
  ) throws -> (mistakes: [Diagnostic], rest: String) {
    func kennel(_ name: String) -> Model {
      Model(
        name: name,
        entities: [
          Entity(
            name: "Owner", attributes: [Attribute(name: "name", type: .string)],
            relationships: [
              Relationship(
                name: "pets", destinationEntityName: "Pet", maximumCount: 0, isOrdered: true),
              Relationship(name: "best", destinationEntityName: "Pet"),
            ]),
          Entity(
            name: "Pet", attributes: [Attribute(name: "age", type: .integer16)],
            relationships: [Relationship(name: "owner", destinationEntityName: "Owner")]),
        ])
    }
    let line = """
      {"type": "transform", "source": "Owner", "destination": "Owner", \(rule) "relationships": \
      {"pets": {"value": "FUNCTION($manager, '\(named)', 'PetToPet', \(value))", "sortedBy": "\(key)"}}},
      """
    let text = """
      {"source": "1", "destination": "2", "entityMappings": [
      \(line)
      {"type": "copy", "source": "Pet", "destination": "Pet"}]}
      """
    let mistakes = MappingChecker.check(
      try MappingDocument.decode(Array(text.utf8), file: "Step.json"), source: kennel("1"),
      destination: kennel("2"), policies: []
    ).diagnostics.errors
    let column = mistakes.first?.location?.column ?? 1
    return (mistakes, String(line.unicodeScalars.dropFirst(column - 1)))
  }

  @Test(
    arguments: [
      ("$source.best", "", nil), ("$source.pets[FIRST]", "", nil),
      ("lookupObject('Pet', 'age', 3)", "", nil),
      (
        "$element", #""forEach": "$source.pets","#,
        "$element is one element of the list of “forEach”"
      ),
    ] as [(String, String, String?)])
  func `a value that is one object is not sorted, whatever by`(
    value: String, rule: String, reason: String?
  ) throws {
    for key in ["$element.age", "$element.agee", "$element"] {
      let (mistakes, rest) = try Self.sorted(value, by: key, forEach: rule)
      #expect(mistakes.map(\.code) == ["MAP-035"])
      #expect(
        mistakes.first?.message
          == "the value of “pets” is one object at most, so nothing can be sorted")
      #expect(mistakes.first?.reason == reason)
      #expect(rest.hasPrefix("\"\(key)\""))
    }
  }

  @Test(
    arguments: [
      ("null", "the value of “cars” is nothing, so nothing can be sorted", nil),
      ("\"nil\"", "the value of “cars” is nothing, so nothing can be sorted", nil),
      (
        "\"added('New')\"",
        "the value of “cars” is objects that “New” adds, so nothing can be sorted",
        "“sortedBy” reads the source object of each, and these are made from none"
      ),
      (
        "\"TERNARY($source.age > 3, added('New', 'plate', 'x'), nil)\"",
        "the value of “cars” is objects that “New” adds, so nothing can be sorted",
        "“sortedBy” reads the source object of each, and these are made from none"
      ),
    ] as [(String, String, String?)])
  func `a value without source objects is not sorted`(
    value: String, message: String, reason: String?
  ) throws {
    let mapping = #"""
      \#(Self.people), "relationships": {"cars": {"value": \#(value), "sortedBy": "$element.plate"}}}
      """#
    let added =
      #"{"type": "add", "name": "New", "destination": "Car", "objects": [{"plate": "x"}]}"#
    let (isBound, found) = try Self.check("\(mapping), \(added)")
    #expect(!isBound)
    #expect(found.errors.map(\.code) == ["MAP-035"])
    let mistake = try #require(found.errors.first)
    #expect(mistake.message == message)
    #expect(mistake.reason == reason)
    let column = try #require(mistake.location?.column)
    #expect(
      String(mapping.unicodeScalars.dropFirst(column - 1)).hasPrefix("\"$element.plate\""))
  }

  @Test(arguments: [("$element", #""forEach": "split($source.name, ',')","#), ("{1, 2}", "")])
  func `values that are sorted are told as values`(value: String, rule: String) throws {
    let (mistakes, _) = try Self.sorted(value, by: "$element.age", forEach: rule)
    #expect(mistakes.map(\.code) == ["MAP-021"])
  }

  @Test func `objects of which nothing can be read are not sorted`() throws {
    let (mistakes, rest) = try Self.sorted(
      "$source.pets.@distinctUnionOfObjects.owner.best", by: "$element.age")
    #expect(mistakes.map(\.code) == ["MAP-035"])
    #expect(
      mistakes.first?.message == "the objects of the value of “pets” cannot be sorted")
    #expect(rest.hasPrefix("\"$element.age\""))
  }

  @Test func `a mistake in what is sorted by is told at its own place, with what is sorted`() throws
  {
    let (mistakes, rest) = try Self.sorted("$source.pets", by: "$element.agee")
    #expect(mistakes.map(\.code) == ["PRE-010"])
    #expect(
      mistakes.first?.reason
        == "in “sortedBy”, $element is each related object of the source, not what is made of it")
    #expect(rest.hasPrefix("agee\""))
  }

  @Test func `what may be meant is only warned of`() throws {
    let (isBound, found) = try Self.check(
      #"{"type": "transform", "source": "Person", "destination": "Car"}"#)
    #expect(isBound)
    #expect(found.all.map(\.code) == ["MAP-018"])
    #expect(found.all.map(\.severity) == [.warning])
    let (isBoundToo, related) = try Self.check(#"\#(Self.people), "relationships": {"cars": {}}}"#)
    #expect(isBoundToo)
    #expect(related.all.map(\.code) == ["MAP-022"])
    #expect(related.hasErrors == false)
  }

  @Test(arguments: [
    (AttributeType.integer16, #""x""#), (.integer64, #""x""#), (.double, #""x""#),
    (.decimal, #"{"date": "2024-01-31T12:00:00Z"}"#), (.boolean, #""x""#), (.string, "5"),
    (.date, "true"), (.date, #""x""#), (.uuid, "5"), (.uuid, #""x""#), (.uri, "5"),
    (.binary, #""x""#), (.integer32, "[1]"), (.string, #"{"keyPath": "name"}"#),
  ])
  func `the remedy for a constant of another type is a constant`(
    type: AttributeType, value: String
  ) throws {
    let destination = Model(
      name: "2", entities: [Entity(name: "A", attributes: [Attribute(name: "a", type: type)])])
    func found(_ value: String) throws -> Diagnostics {
      let text = """
        {"source": "1", "destination": "2", "entityMappings": [
        {"type": "add", "destination": "A", "objects": [{"a": \(value)}]}]}
        """
      let model = try MappingDocument.decode(Array(text.utf8), file: "Step.json")
      return MappingChecker.check(
        model, source: Model(name: "1", entities: []), destination: destination, policies: []
      ).diagnostics
    }
    let mistakes = try found(value).errors
    let remedy = try #require(mistakes.first?.remedy)
    #expect(mistakes.count == 1)
    // What is written as the remedy says is taken.
    let example = remedy.split(separator: "as in ").last ?? ""
    let written = example.hasPrefix("write ") ? example.dropFirst(6) : example
    let constant = written.split(separator: ", the").first ?? written
    let json = constant == "true or false" ? "true" : String(constant)
    #expect(try found(json).errors.isEmpty, "\(json)")
  }

  @Test func `several mistakes are reported at once, each with the nearest name`() throws {
    let (_, found) = try Self.check(
      #"""
      {"type": "transform", "source": "Persn", "destination": "Person"},
      {"type": "transform", "source": "Car", "destination": "Car", "filter": "plat = 'x'",
       "attributes": {"plate": {}, "colour": "1"}, "relationships": {"ownr": {}}, "policy": "Mker"}
      """#)
    #expect(
      found.errors.map { "\($0.code) \($0.location?.line ?? 0)" } == [
        "MAP-010 2", "MAP-019 4", "PRE-010 3", "MAP-014 4", "MAP-014 4",
      ])
    #expect(found.errors.filter { $0.remedy?.contains("did you mean") == true }.count >= 3)
  }

  @Test func `a copy takes over what both entities have, and what is listed as it is listed`()
    throws
  {
    let text = """
      {"source": "1", "destination": "2", "entityMappings": [
      {"type": "copy", "source": "Person", "destination": "Person",
       "attributes": {"years": "$source.age"}}, \(Self.cars)]}
      """
    let model = try MappingDocument.decode(Array(text.utf8), file: "Step.json")
    let bound = try #require(
      MappingChecker.check(
        model, source: Self.source, destination: Self.destination, policies: []
      ).bound)
    #expect(bound.entityMappings[0].attributes.map(\.attribute.name).sorted() == ["name", "years"])
    #expect(bound.entityMappings[0].relationships.map(\.relationship.name) == ["cars"])
  }

  @Test func `a null is left at its default and one not listed is not mapped`() throws {
    let text = """
      {"source": "1", "destination": "2", "entityMappings": [
      \(Self.people), "attributes": {"name": null}, "relationships": {"cars": null}}]}
      """
    let model = try MappingDocument.decode(Array(text.utf8), file: "Step.json")
    let bound = try #require(
      MappingChecker.check(
        model, source: Self.source, destination: Self.destination, policies: []
      ).bound)
    #expect(bound.entityMappings[0].attributes.isEmpty)
    #expect(bound.entityMappings[0].relationships.isEmpty)
  }
}
