import Passage
import PassageEngine
import PassageSQLite
import PassageTesting
import TestSupport
import Testing

/// Filters and values that are computed from the stored cells of a page give what the other lanes
/// give, and rows with odd cells go the long way.
@Suite struct PageStepsTests {
  static let source = Model(
    "1",
    [
      Entity(
        "Car",
        [
          .text("plate"), .text("note"), .number("age"), .real("weight"), .date("built"),
          .text("day"), .number("kind"),
        ])
    ])
  static let destination = Model(
    "2",
    [
      Entity(
        "Car",
        [
          .text("plate"), .text("label"), .text("size"), .number("age"), .date("day"),
          .real("weight"), .number("length"),
        ])
    ])

  static let seed = RandomSeed.told(for: "PageStepsTests")

  static let plates = [
    "AB 12", "ab 12", " cd\t", "", "é 7", "E\u{301} 7", "ẞ", "a\r\nb", "12", "Ab", "x\u{1F600}",
  ]
  static let days = [
    "2001-02-03 04:05:06", "1999-12-31 23:59:59", "2000-02-30 00:00:00", "2001-2-3 4:5:6", "",
    "1600-01-01 00:00:00", "1500-01-01 00:00:00", "someday",
  ]

  static func trial(_ mappings: [MappingModel], isOdd: Bool = true) throws -> Trial {
    var random = SeededRandom(seed: seed)
    let trial = try Trial(source, destination, mappings) { store in
      for number in 1...400 {
        var values: [String: Value] = [:]
        func set(_ name: String, _ value: Value) {
          if !random.chance(12) { values[name] = value }
        }
        set("plate", .text(random.pick(plates)))
        set("note", .text(random.pick(["", "new", "Old", "öl"])))
        set("age", .integer(Int64(number % 13) - 2))
        set("weight", random.pick([.real(0.5), .real(-0.0), .real(2), .integer(7), .real(1e300)]))
        set("built", .real(Double(number) * 1_000.5))
        set("day", .text(random.pick(days)))
        set("kind", .integer(Int64(number % 4)))
        try store.insert("Car", values)
      }
    }
    guard isOdd else { return trial }
    let connection = try Connection(path: trial.sourcePath, mode: .readWrite)
    // Cells of kinds that no program of Core Data's writes.
    try connection.execute(
      """
      UPDATE ZCAR SET ZKIND = 'three' WHERE Z_PK % 17 = 1;
      UPDATE ZCAR SET ZKIND = x'33' WHERE Z_PK % 17 = 2;
      UPDATE ZCAR SET ZKIND = 2.5 WHERE Z_PK % 17 = 3;
      UPDATE ZCAR SET ZDAY = x'32303031' WHERE Z_PK % 19 = 4;
      UPDATE ZCAR SET ZNOTE = x'616263' WHERE Z_PK % 19 = 5;
      UPDATE ZCAR SET ZAGE = 1.5 WHERE Z_PK % 23 = 6;
      UPDATE ZCAR SET ZAGE = 9223372036854775807 WHERE Z_PK % 23 = 7;
      """)
    return trial
  }

  static func mapping(
    _ filter: String?, _ attributes: [(String, String)] = []
  ) throws -> MappingModel {
    func quoted(_ text: String) -> String {
      "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
    let filter = filter.map { "\"filter\": \(quoted($0))," } ?? ""
    let values = ([("plate", nil)] + attributes).map { name, value in
      "\(quoted(name)): \(value.map(quoted) ?? "{}")"
    }
    return try PassageEngineTests.mapping(
      """
      {"type": "transform", "source": "Car", "destination": "Car", \(filter)
       "attributes": {\(values.joined(separator: ", "))}}
      """)
  }

  @Test(arguments: [
    "kind == 2", "kind != 2", "kind == nil", "NOT (kind > 1 OR age < 3)", "kind IN {1, 2.5, nil}",
    "plate BEGINSWITH 'a'", "plate BEGINSWITH[c] 'A'", "plate CONTAINS[cd] 'e'",
    "plate == 'É 7'", "plate ==[d] 'E 7'", "note ENDSWITH 'd' AND age BETWEEN {1, 9}",
    "weight == 2 OR weight < kind", "weight >= 0 AND plate MATCHES '.*7'", "SELF != nil",
    "length:(plate) > 3", "uppercase:(plate) == 'AB 12'", "built == nil OR kind > 2",
    "TERNARY(kind > 1, age, weight) > 2", "plate LIKE 'A*'", "plate LIKE[cd] '*7' OR note LIKE '*'",
    "note LIKE[c] 'old'", "age == 9223372036854775807",
  ])
  func `a filter keeps the same objects in all lanes`(filter: String) throws {
    let (contents, report) = try Self.trial([Self.mapping(filter)]).migrate()
    let account = try #require(report.steps.first?.mappings.first)
    #expect(account.migrated == contents["Car"].count)
    #expect(account.migrated + account.filtered == 400 && account.filtered >= 0)
  }

  @Test(arguments: [
    ("label", "concatenate($source.plate, \"-\", $source.note)"),
    ("label", "TERNARY($source.kind == 2, $source.plate, uppercase:($source.note))"),
    ("size", "TERNARY($source.age > 5 AND $source.kind != nil, \"old\", nil)"),
    ("label", "coalesce($source.note, $source.plate, \"none\")"),
    ("label", "trim(lowercase:($source.plate))"),
    ("age", "coalesce($source.age, $source.kind + 1)"),
    ("age", "TERNARY($source.kind == 1, modulus:by:($source.age, 3), -$source.age)"),
    ("length", "$source.plate.length"), ("length", "TERNARY($source.plate == nil, 0, 1)"),
    (
      "day", "parseDateOrNull($source.day, \"yyyy-MM-dd HH:mm:ss\", \"UTC\", \"en_US_POSIX\")"
    ),
    ("weight", "TERNARY($source.weight > 1, $source.weight / 2, $source.kind)"),
    ("weight", "CAST($source.plate, \"NSNumber\")"),
    ("label", "join(\"; \", $source.note, $source.plate)"),
    ("label", "formatDate($source.built, \"d. MMMM yyyy\", \"Europe/Berlin\", \"de_DE\")"),
  ])
  func `a value is the same in all lanes`(name: String, value: String) throws {
    for filter in [nil, "kind != 3", "age > 2 AND plate MATCHES '.*[27]'"] {
      let (contents, _) = try Self.trial([Self.mapping(filter, [(name, value)])]).migrate()
      #expect(!contents["Car"].isEmpty)
    }
  }

  @Test func `objects without a required value are quarantined in both lanes alike`() throws {
    let destination = Model(
      "2",
      [
        Entity(
          "Car",
          [.text("plate", isOptional: false), .text("label", isOptional: false), .date("day")])
      ])
    let mapping = try Self.mapping(
      "kind != 3",
      [
        ("label", "concatenate($source.plate, $source.note)"),
        ("day", "parseDate($source.day, \"yyyy-MM-dd HH:mm:ss\", \"UTC\", \"en_US_POSIX\")"),
      ])
    var found: [(StoreRows, [Int])] = []
    var trial = try Self.trial([mapping])
    trial.destination = destination
    for lane in [MigrationOptions.Lane.row, .page] {
      var options = MigrationOptions()
      options.lane = lane
      options.allowed.quarantined = 400
      let report = try trial.run(to: "\(lane).sqlite", options: options)
      let account = report.steps[0].mappings[0]
      #expect(account.lane.rawValue == lane.rawValue)
      #expect(account.isBalanced && account.quarantined > 50 && account.migrated > 50)
      found.append(
        (
          try StoreRows(path: trial.directory.path("\(lane).sqlite")),
          [account.read, account.migrated, account.filtered, account.quarantined].map { Int($0) }
            + account.becameNil.values.map { Int($0) }
        ))
    }
    #expect(found[1].0.differences(from: found[0].0) == [])
    #expect(found[1].1 == found[0].1)
  }
}
