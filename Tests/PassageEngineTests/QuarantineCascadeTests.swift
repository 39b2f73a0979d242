import Foundation
import Passage
import PassageEngine
import PassageTesting
import Testing

/// What cannot be without an object that is quarantined is quarantined with it, and says with which
/// object it began.
@Suite struct QuarantineCascadeTests {
  static func model(_ name: String, day: Attribute, isStrict: Bool) -> Model {
    Model(
      name,
      [
        Entity(
          "Customer", [.text("name")],
          [
            .many(
              "invoices", "Invoice", inverse: "customer", isOptional: !isStrict,
              minimum: isStrict ? 1 : 0)
          ]),
        Entity(
          "Invoice", [day],
          [
            .one("customer", "Customer", inverse: "invoices"),
            .many("items", "Item", inverse: "invoice"),
            .many("labels", "Label", inverse: "invoices"),
          ]),
        Entity(
          "Item", [.text("name")],
          [
            .one("invoice", "Invoice", inverse: "items", isOptional: !isStrict),
            .many("remarks", "Remark", inverse: "item"),
          ]),
        Entity(
          "Remark", [.text("text")],
          [.one("item", "Item", inverse: "remarks", isOptional: !isStrict)]),
        Entity(
          "Label", [.text("name")],
          [
            .many(
              "invoices", "Invoice", inverse: "labels", isOptional: !isStrict,
              minimum: isStrict ? 2 : 0)
          ]),
      ])
  }

  static let source = model("1", day: .text("day"), isStrict: false)
  static let destination = model("2", day: .date("day"), isStrict: true)

  static let invoice = """
    {"type": "copy", "source": "Invoice", "destination": "Invoice",
     "attributes": {"day": "parseDate($source.day)"}}
    """
  static let others = ["Customer", "Item", "Remark", "Label"].map {
    #"{"type": "copy", "source": "\#($0)", "destination": "\#($0)"}"#
  }

  /// Three customers with two, one and one invoices; each invoice has two items with a remark each. The
  /// second customer's invoice has no readable day. The first label has three invoices, the second
  /// two, and each the bad one.
  static func trial(_ mappings: [MappingModel]) throws -> Trial {
    try Trial(source, destination, mappings) { store in
      let customers = try ["a", "b", "c"].map {
        try store.insert("Customer", ["name": .text($0)])
      }
      var invoices: [ObjectReference] = []
      for (number, customer) in [0, 0, 1, 2].enumerated() {
        let invoice = try store.insert(
          "Invoice", ["day": .text(number == 2 ? "someday" : "2020-01-01 10:00:00")],
          ["customer": [customers[customer]]])
        invoices.append(invoice)
        for place in 0..<2 {
          let item = try store.insert("Item", ["name": .text("\(place)")], ["invoice": [invoice]])
          try store.insert("Remark", ["text": .text("x")], ["item": [item]])
        }
      }
      for numbers in [[0, 1, 2], [2, 3]] {
        let label = try store.insert("Label", ["name": .text("l")])
        try store.relate(label, "invoices", to: numbers.map { invoices[$0] })
      }
    }
  }

  static let expected = [
    "Customer 2 VAL-021 Invoice 3 RUN-042", "Invoice 3 RUN-042 -",
    "Item 5 VAL-020 Invoice 3 RUN-042", "Item 6 VAL-020 Invoice 3 RUN-042",
    "Label 2 VAL-021 Invoice 3 RUN-042", "Remark 5 VAL-020 Invoice 3 RUN-042",
    "Remark 6 VAL-020 Invoice 3 RUN-042",
  ]

  @Test(
    arguments: [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0]],
    [QuarantineTests.options(7), QuarantineTests.options(7, lane: .page)] + [
      QuarantineTests.options(7, lane: .row), QuarantineTests.options(7, lane: .row, batch: 1),
      QuarantineTests.options(7, batch: 1), QuarantineTests.options(.max),
    ])
  func `whatever needs an object that is quarantined goes with it, and names the cause`(
    order: [Int], options: MigrationOptions
  ) throws {
    let all = [Self.invoice] + Self.others
    let trial = try Self.trial([mapping(order.map { all[$0] }.joined(separator: ", "))])
    try Self.judge(try trial.run(options: options), trial)
  }

  @Test(arguments: [false, true])
  func `it goes across the passes of a step, and where links are looked up`(rows: Bool) throws {
    let filtered = Self.invoice.replacing(
      #""attributes""#, with: #""filter": "day != 'never'", "attributes""#)
    let trial = try Self.trial([
      mapping(Self.others[1...2].joined(separator: ", "), named: "A"),
      mapping(filtered + ", " + Self.others[3], named: "B"), mapping(Self.others[0], named: "C"),
    ])
    try Self.judge(
      try trial.run(options: QuarantineTests.options(7, lane: rows ? .row : .automatic)), trial)
  }

  @Test(arguments: [0, 1, 3, 6])
  func `the maximum bounds what goes along`(maximum: Int) throws {
    let trial = try Self.trial([mapping(([Self.invoice] + Self.others).joined(separator: ", "))])
    let error = try trial.failure(options: QuarantineTests.options(maximum))
    #expect(error.kind == .policyFailed)
    #expect(error.codes.first == (maximum == 0 ? "RUN-042" : "RUN-043"))
    try Self.judge(try trial.run(options: QuarantineTests.options(7)), trial)
  }

  /// A line of objects, each of which needs the one before.
  @Test func `a long chain goes as a whole`() throws {
    func chain(_ name: String, _ isOptional: Bool, _ day: Attribute) -> Model {
      Model(
        name,
        [
          Entity(
            "Link", [day],
            [
              .one("before", "Link", inverse: "after", isOptional: isOptional),
              .many("after", "Link", inverse: "before"),
            ])
        ])
    }
    let trial = try Trial(
      chain("1", true, .text("day")), chain("2", false, .date("day")),
      [
        mapping(
          """
          {"type": "copy", "source": "Link", "destination": "Link",
           "attributes": {"day": "parseDate($source.day)"}}
          """)
      ]
    ) { store in
      let links = try (0..<400).map {
        try store.insert("Link", ["day": .text($0 == 100 ? "" : "2020-01-01")])
      }
      for (number, link) in links.enumerated() {
        try store.relate(link, "before", to: [links[max(0, number - 1)]])
      }
    }
    let report = try trial.run(options: QuarantineTests.options(300))
    #expect(report.quarantined == 300)
    let path = trial.directory.path("new.sqlite")
    #expect(try StoreContents(path: path, model: trial.destination)["Link"].count == 100)
    #expect(
      try trial.failure(to: "b.sqlite", options: QuarantineTests.options(299)).codes.first
        == "RUN-043")
  }

  private static func judge(_ report: MigrationReport, _ trial: Trial) throws {
    let path = trial.directory.path("new.sqlite")
    #expect(try StoreAudit(path: path, model: destination).findings == [])
    let found = try StoreContents(path: path, model: destination)
    #expect(found["Customer"].map(\.key) == [1, 3])
    #expect(found["Invoice"].map(\.key) == [1, 2, 4])
    #expect(found["Item"].map(\.key) == [1, 2, 3, 4, 7, 8])
    #expect(found["Remark"].map(\.key) == [1, 2, 3, 4, 7, 8])
    #expect(found["Label"].map { $0.keys("invoices") } == [[1, 2]])
    #expect(report.quarantined == 7)
    #expect(report.steps.flatMap(\.mappings).filter { !$0.isBalanced } == [])
    #expect(try lines(trial) == expected)
  }

  // MARK: The file

  private struct Line: Decodable {
    struct Cause: Decodable {
      var entity: String
      var key: Int64
      var code: String
    }

    var entity: String
    var key: Int64
    var code: String
    var cause: Cause?
  }

  private static func lines(_ trial: Trial) throws -> [String] {
    let bytes = try #require(trial.directory.contents("new.sqlite.quarantine.jsonl"))
    return try String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
      let line = try JSONDecoder().decode(Line.self, from: Data($0.utf8))
      let cause = line.cause.map { "\($0.entity) \($0.key) \($0.code)" } ?? "-"
      return "\(line.entity) \(line.key) \(line.code) \(cause)"
    }
  }
}
