import Passage
import PassageEngine
import PassageTesting
import TestSupport
import Testing

/// Values of other objects by key, and numbers in the order of keys.
@Suite struct LookupTests {
  static let source = Model(
    "1",
    [
      Entity("Country", [.text("code"), .text("name")]),
      Entity("Region", parent: "Country"),
      Entity("City", [.text("country"), .text("name")]),
    ])
  static let destination = Model(
    "2", [Entity("City", [.text("name"), .text("land"), .number("number")])])

  static func trial(_ filter: String = "TRUEPREDICATE") throws -> Trial {
    let mappings = try mapping(
      """
      {"type": "transform", "source": "City", "destination": "City", "filter": "\(filter)",
       "attributes": {"name": {},
         "land": "lookup('Country', 'code', $source.country, 'name')",
         "number": "sequenceNumber() * 10"}},
      {"type": "remove", "source": "Country"}, {"type": "remove", "source": "Region"}
      """)
    return try Trial(Self.source, Self.destination, [mappings]) { store in
      for (code, name) in [("de", "Deutschland"), ("fr", "France"), ("de", "Germany")] {
        try store.insert("Country", ["code": .text(code), "name": .text(name)])
      }
      try store.insert("Region", ["code": .text("by"), "name": .text("Bayern")])
      try store.insert("Country", ["name": .text("nowhere")])
      let countries: [Value] = [.text("de"), .text("by"), .text("xx"), .null, .text("fr")]
      for (index, country) in countries.enumerated() {
        try store.insert("City", ["country": country, "name": .text("c\(index + 1)")])
      }
    }
  }

  @Test func `both lanes find the first object with the key and number by key`() throws {
    let (found, report) = try Self.trial().migrate()
    #expect(report.steps.flatMap(\.mappings).map(\.lane) == [.set, .set, .set])
    #expect(
      found["City"].map { $0["land"] } == [
        .text("Deutschland"), .text("Bayern"), .null, .null, .text("France"),
      ])
    #expect(found["City"].map { $0["number"] } == [10, 20, 30, 40, 50])
  }

  @Test func `a constant finds the Float that an app stores for it`() throws {
    let share = Attribute(name: "share", type: .float)
    let trial = try Trial(
      Model("1", [Entity("Rate", [share, .text("name")])]),
      Model("2", [Entity("Rate", [.text("tenth"), .text("other")])]),
      [
        mapping(
          """
          {"type": "transform", "source": "Rate", "destination": "Rate", "attributes": {
            "tenth": "lookup('Rate', 'share', 0.1, 'name')",
            "other": "lookup('Rate', 'share', $source.share, 'name')"}}
          """)
      ]
    ) { store in
      try store.insert("Rate", ["share": .real(0.5), "name": .text("half")])
      try store.insert("Rate", ["share": .real(Double(Float(0.1))), "name": .text("tenth")])
    }
    let (found, _) = try trial.migrate()
    #expect(found["Rate"].map { $0["tenth"] } == [.text("tenth"), .text("tenth")])
    #expect(found["Rate"].map { $0["other"] } == [.text("half"), .text("tenth")])
  }

  @Test func `a number counts the objects that a filter leaves out`() throws {
    let (found, _) = try Self.trial("lookup('Country', 'code', country, 'name') != nil").migrate()
    #expect(found["City"].map { $0["name"] } == [.text("c1"), .text("c2"), .text("c5")])
    #expect(found["City"].map { $0["number"] } == [10, 20, 50])
  }

  @Test(arguments: [
    ("lookup('Contry', 'code', country, 'name') == nil", "PRE-044"),
    ("lookup('Country', 'cod', country, 'name') == nil", "PRE-044"),
    ("lookup('Country', 'code', 5, 'name') == nil", "PRE-013"),
    ("lookup(name, 'code', country, 'name') == nil", "PRE-013"),
  ])
  func `a wrong lookup is found by the plan`(filter: String, code: String) throws {
    #expect(try Self.trial(filter).failure().codes == [code])
  }

  @Test(arguments: [false, true])
  func `a selection looks related objects up as a migration does`(isInMemory: Bool) throws {
    let trial = try Self.trial()
    var options = StoreSelection.Options()
    options.isInMemory = isInMemory
    let selection = try StoreSelection(
      of: StoreFile.open(path: trial.sourcePath), model: Self.source, entity: "City",
      filter: "lookup('Country', 'code', country, 'name') != nil AND sequenceNumber() > 1", now: 0,
      options: options)
    var keys: [Int64] = []
    try selection.forEachKey { keys.append($0) }
    #expect(keys == [2, 5])
  }
}
