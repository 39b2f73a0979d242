import Passage
import PassageEngine
import PassageStores
import PassageTesting
import TestSupport
import Testing

/// Values out of property lists in a store.
@Suite struct PropertyListFunctionTests {
  static let source = Model("1", [Entity("Note", [Attribute(name: "extra", type: .binary)])])
  static let destination = Model(
    "2",
    [
      Entity(
        "Note",
        [
          .text("title"), .number("size"), .real("price"), .date("day"),
          Attribute(name: "isOld", type: .boolean), Attribute(name: "body", type: .binary),
          .number("lines"),
        ])
    ])

  static func mappings(_ suffix: String) throws -> MappingModel {
    func value(_ kind: String, _ path: String) -> String {
      "\(kind)InPropertyList\(suffix)($source.extra, '\(path)')"
    }
    return try mapping(
      """
      {"type": "transform", "source": "Note", "destination": "Note", "attributes": {
        "title": "\(value("string", "a.title"))", "size": "\(value("integer", "list[-1]"))",
        "price": "\(value("number", "list[0]"))", "day": "\(value("date", "day"))",
        "isOld": "\(value("boolean", "old"))", "body": "\(value("data", "body"))",
        "lines": "\(value("count", "list"))"}}
      """)
  }

  static let list = PropertyList.dictionary([
    .init("a", .dictionary([.init("title", .string("Größe"))])),
    .init("list", .array([.real(1.5), .integer(7)])), .init("day", .date(5)),
    .init("old", .bool(true)), .init("body", .data([1, 2])),
  ])

  @Test func `both lanes take the same values out`() throws {
    let bytes = Self.list.binaryPropertyList
    let trial = try Trial(Self.source, Self.destination, [Self.mappings("")]) { store in
      try store.insert("Note", ["extra": .blob(bytes)])
      try store.insert("Note", ["extra": .null])
    }
    let (found, report) = try trial.migrate()
    #expect(report.steps.flatMap(\.mappings).map(\.lane) == [.set])
    let note = found["Note"][0]
    #expect(note["title"] == .text("Größe"))
    #expect(note["size"] == .integer(7))
    #expect(note["price"].double == 1.5)
    #expect(note["day"].double == 5)
    #expect(note["isOld"].bool == true)
    #expect(note["body"] == .blob([1, 2]))
    #expect(note["lines"] == .integer(2))
    #expect(found["Note"][1]["title"].isNull)
  }

  /// The same text of 1 MiB, some times; each of its characters takes six bytes in JSON.
  private static func repetitions(_ count: UInt8) -> [UInt8] {
    let array: [UInt8] = [0xAF, 0x10, count] + [UInt8](repeating: 1, count: Int(count))
    let text: [UInt8] =
      [0x5F, 0x12, 0x00, 0x10, 0x00, 0x00] + [UInt8](repeating: 0x01, count: 1 << 20)
    func big(_ number: Int, _ count: Int) -> [UInt8] {
      (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    let start = Array("bplist00".utf8)
    let offsets = big(start.count, 4) + big(start.count + array.count, 4)
    return start + array + text + offsets + [0, 0, 0, 0, 0, 0, 4, 1] + big(2, 8) + big(0, 8)
      + big(start.count + array.count + text.count, 8)
  }

  /// 100 times are too much for a property list, 20 for its text.
  @Test(arguments: [(100, "too many, or too long"), (20, "67108864 bytes")] as [(UInt8, String)])
  func `a value that is referred to often becomes no text without bound`(
    count: UInt8, reason: String
  ) throws {
    func mappings(_ suffix: String) throws -> MappingModel {
      try mapping(
        """
        {"type": "transform", "source": "Note", "destination": "Note", "attributes": {
          "title": "JSONInPropertyList\(suffix)($source.extra, '')"}}
        """)
    }
    func fill(_ store: TestStore) throws {
      try store.insert("Note", ["extra": .blob(Self.repetitions(count))])
    }
    let failure = try Trial(Self.source, Self.destination, [mappings("")], fill: fill).failure()
    #expect(failure.codes == ["RUN-042"])
    #expect(failure.diagnostics.all[0].reason?.contains(reason) == true)
    let (found, _) = try Trial(Self.source, Self.destination, [mappings("OrNull")], fill: fill)
      .migrate()
    #expect(found["Note"][0]["title"].isNull)
  }

  /// 240 references to a list of 240 references: some hundred bytes, and 57,600 values.
  @Test func `a small list that expands to many values is not read`() throws {
    func array(_ element: UInt8) -> [UInt8] {
      [0xAF, 0x10, 240] + [UInt8](repeating: element, count: 240)
    }
    var bytes = Array("bplist00".utf8) + array(1) + array(2)
    bytes.append(0xA0)
    let table = bytes.count
    bytes += [0, 8, 0, 251, 1, 238]
    bytes += [0, 0, 0, 0, 0, 0, 2, 1]
    for number in [3, 0, table] {
      bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    let counting = try mapping(
      """
      {"type": "transform", "source": "Note", "destination": "Note", "attributes": {
        "title": "JSONInPropertyList($source.extra, '')"}}
      """)
    let failure = try Trial(Self.source, Self.destination, [counting]) { store in
      try store.insert("Note", ["extra": .blob(bytes)])
    }.failure()
    #expect(failure.codes == ["RUN-042"])
    #expect(failure.diagnostics.all[0].reason?.contains("too many, or too long") == true)
  }

  @Test func `bytes that are no property list are an error, or nil on request`() throws {
    func fill(_ store: TestStore) throws { try store.insert("Note", ["extra": .blob([1, 2, 3])]) }
    let trial = try Trial(Self.source, Self.destination, [Self.mappings("")], fill: fill)
    for options in Trial.ways {
      let failure = try trial.failure(options: options)
      #expect(failure.codes == ["RUN-042"])
      #expect(failure.diagnostics.all[0].reason?.hasPrefix("PRE-040") == true)
    }
    let lenient = try Trial(Self.source, Self.destination, [Self.mappings("OrNull")], fill: fill)
    #expect(try lenient.migrate().contents["Note"][0]["title"].isNull)
  }
}
