import Passage
import PassageEngine
import PassageSQLite
import PassageTesting
import TestSupport
import Testing

/// A value that is taken over as it is arrives bit for bit, in both lanes and whatever the batch.
@Suite struct ValueFidelityTests {
  /// The types a column of Core Data's has, and cells that go wrong easily, each as it is written to
  /// the source and as it must be found.
  static let kinds: [(type: AttributeType, cells: [Value])] = [
    (
      .integer64,
      [.integer(.min), .integer(.max), 0, -1, .integer(1 << 53), .integer((1 << 53) + 1), .null]
    ),
    (.integer16, [.integer(-32_768), .integer(32_767), .integer(40_000)]),
    (.boolean, [0, 1, 2, .null]),
    (
      .double,
      [
        .real(.infinity), .real(-.infinity), .real(.leastNonzeroMagnitude),
        .real(.greatestFiniteMagnitude), .real(-0.0), .real(0.1), .real(1.0 / 3.0), .real(1e300),
        .real(9_007_199_254_740_992),
      ]
    ),
    (.float, [.real(Double(Float(0.1))), .real(16_777_217)]),
    (
      .date,
      [
        .real(700_000_000.123_456_7), .integer(0), .integer(-63_114_076_800), .real(-0.5),
        .real(0.000_000_1), .real(1_169_176_448.999_999_9),
      ]
    ),
    (
      .decimal,
      [
        .real(10.11), .real(3.333_333_333_299_999_3), .integer(12), .integer(.max),
        .real(1e40), .real(123_456_789.123_456_79), .text("not a number"),
      ]
    ),
    (
      .string,
      [
        "", "a", .text("inside\u{0}out"), .text("e\u{301}"), .text("\u{E9}"), .text("👩‍👩‍👧‍👦"),
        .malformedText([0x61, 0xFF, 0x62]), .malformedText([0xED, 0xA0, 0x80]), .text(" 12"),
        .text("12"), .text("1e3"), .null,
      ]
    ),
    (.uri, ["https://example.org/ä?x=%20#f", "x-coredata://A/B/p1", ""]),
    (.uuid, [.blob(Array(0...15)), .blob([]), .blob([1])]),
    (.transformable, [.blob([0x62, 0x70]), .blob([]), .blob([0, 0, 0])]),
    (.binary, [.blob([]), .blob([0]), .blob([1, 2]), .blob([2, 0]), .blob([255, 0, 255])]),
  ]

  private static func model(_ name: String) -> Model {
    Model(
      name,
      [
        Entity(
          "Thing",
          kinds.map { Attribute(name: "\($0.type)", type: $0.type) }
            + (name == "1" ? [] : [.number("new")]))
      ])
  }

  @Test func `every kind of value arrives as it was stored`() throws {
    let trial = try Trial(
      Self.model("1"), Self.model("2"),
      [mapping(#"{"type": "copy", "source": "Thing", "destination": "Thing"}"#)]
    ) { store in
      for kind in Self.kinds {
        for cell in kind.cells { try store.insert("Thing", ["\(kind.type)": cell]) }
      }
    }
    let before = try Self.cells(trial.sourcePath)
    _ = try trial.migrate()
    for (number, options) in Trial.ways.enumerated() {
      var way = trial
      way.worksInMemory = options.limits.workMemoryBytes > 0
      try way.run(to: "way-\(number).sqlite", options: options)
      #expect(try Self.cells(trial.directory.path("way-\(number).sqlite")) == before)
    }
    // What was written is what is stored, but for what an affinity does at once.
    let stored = try StoreContents(path: trial.sourcePath, model: Self.model("1"))["Thing"]
    let written = Self.kinds.flatMap { kind in kind.cells.map { (kind.type, $0) } }
    for (object, (type, cell)) in zip(stored, written) where type == .string || type == .binary {
      #expect(object["\(type)"] == cell)
    }
  }

  /// Every cell with its storage class and its bits.
  private static func cells(_ path: String) throws -> [[String]] {
    let connection = try Connection(path: path, mode: .readOnly)
    let columns = kinds.map { "Z\("\($0.type)".uppercased())" }
    let list = columns.map { "typeof(\($0)), hex(CAST(\($0) AS BLOB)), \($0)" }
      .joined(separator: ", ")
    return try connection.rows("SELECT Z_PK, \(list) FROM ZTHING ORDER BY Z_PK").map { row in
      row.map { value in
        if case .real(let real) = value { "\(real.bitPattern)" } else { "\(value)" }
      }
    }
  }

  @Test func `a missing optional value stays missing in a copy, in spite of a default`() throws {
    let source = Model("1", [Entity("Thing", [.text("text", "default"), .number("count", 5)])])
    let destination = Model(
      "2",
      [Entity("Thing", [.text("text", "default"), .number("count", 5), .number("new", 9)])])
    let trial = try Trial(
      source, destination,
      [mapping(#"{"type": "copy", "source": "Thing", "destination": "Thing"}"#)]
    ) { try $0.insert("Thing", ["text": .null, "count": .null]) }
    let found = try trial.migrate().contents["Thing"]
    #expect(found.map { $0["text"] } == [.null])
    #expect(found.map { $0["count"] } == [.null])
    #expect(found.map { $0["new"] } == [9])
  }

  @Test(arguments: [0, 1, 100, 4_000, 5_000, 70_000, 3_000_000])
  func `blobs of any size arrive whole`(count: Int) throws {
    let trial = try Trial(
      Self.model("1"), Self.model("2"),
      [mapping(#"{"type": "copy", "source": "Thing", "destination": "Thing"}"#)]
    ) { store in
      for number in 0..<3 {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) }
        try store.insert("Thing", ["binary": .blob(bytes), "string": .text("after")])
      }
    }
    var options = MigrationOptions()
    for isForcedToRows in [false, true] {
      options.lane = isForcedToRows ? .row : .automatic
      let name = "new-\(isForcedToRows).sqlite"
      try trial.run(to: name, options: options)
      let found = try StoreContents(path: trial.directory.path(name), model: trial.destination)
      for (number, object) in found["Thing"].enumerated() {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) }
        #expect(object["binary"] == .blob(bytes))
        #expect(object["string"] == "after")
      }
    }
  }
}
