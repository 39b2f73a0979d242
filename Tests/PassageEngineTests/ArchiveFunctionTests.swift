import Foundation
import Passage
import PassageEngine
import PassageExpressions
import PassageStores
import PassageTesting
import PassageValues
import TestSupport
import Testing

/// Values in keyed archives of transformable attributes, read and written.
@Suite struct ArchiveFunctionTests {
  static let library = FunctionLibrary(registering: PropertyListFunctions.all)

  /// The value of an expression without an object.
  static func value(_ text: String) throws -> Value {
    let entity = Entity("Note", [])
    var scope = BindingScope.value(model: Model("1", [entity]), entity: entity)
    scope.functions = library
    let bound = try Binder.expression(FormatParser.expression(text), in: scope)
    let shape = ObjectShape(entityName: "Note", names: [])
    return try CompiledExpression(bound) { _ in 0 }.evaluate(
      SourceObject(shape: shape, key: 1, values: []), in: EvaluationContext(now: 0))
  }

  // MARK: The page

  /// What stands as `` `call` is `result` `` in the section of the page.
  static let examples: [(String, String)] = {
    let page = (try? Repository.text("Sources/Passage/Passage.docc/Functions.md")) ?? ""
    let section =
      page.components(separatedBy: "\n### ").first { $0.hasPrefix("Property lists") } ?? ""
    return section.split(separator: "\n").compactMap { line in
      guard line.hasPrefix("| `"), let cell = line.components(separatedBy: " | ").last else {
        return nil
      }
      let parts = cell.components(separatedBy: "`")
      return parts.count == 5 && parts[2] == " is " ? (parts[1], parts[3]) : nil
    }
  }()

  @Test func `the page names every function, and has an example in each row`() throws {
    let page = try Repository.text("Sources/Passage/Passage.docc/Functions.md")
    let names = PropertyListFunctions.all.map(\.selector).filter {
      !$0.prefix { $0 != ":" }.hasSuffix("OrNull")
    }
    #expect(names.filter { !page.contains("`\($0)`") } == [])
    #expect(Self.examples.count == 14)
  }

  @Test(arguments: examples)
  func `an example gives what the page says`(_ call: String, _ result: String) throws {
    var value = try Self.value(call)
    if case .real = value, call.hasPrefix("date") {
      value = try Self.value("CAST(\(call), 'NSString')")
    }
    let text = value.string ?? value.integer.map(String.init) ?? value.double.map { "\($0)" }
    #expect(text == result, "\(call)")
  }

  // MARK: Transformable attributes

  static let source = Model("1", [Entity("Note", [Attribute(name: "extra", type: .transformable)])])
  static let destination = Model(
    "2",
    [
      Entity(
        "Note",
        [
          .text("title"), .number("size"), .date("day"), .text("all"),
          Attribute(name: "extra", type: .transformable),
        ])
    ])

  static let value = PlainValue.dictionary([
    .init("title", .string("Größe")), .init("list", .list([.real(1.5), .integer(7), .null])),
    .init("day", .date(5)), .init("old", .bool(true)), .init("body", .data([1, 2])),
  ])

  static func trial(_ suffix: String, _ bytes: [UInt8]) throws -> Trial {
    let mappings = try mapping(
      """
      {"type": "transform", "source": "Note", "destination": "Note", "attributes": {
        "title": "stringInArchive\(suffix)($source.extra, 'title')",
        "size": "integerInArchive\(suffix)($source.extra, 'list[1]')",
        "day": "dateInArchive\(suffix)($source.extra, 'day')",
        "all": "JSONInArchive\(suffix)($source.extra, '')",
        "extra": "archiveFromJSON\(suffix)(JSONInArchive\(suffix)($source.extra, 'list'))"}}
      """)
    return try Trial(source, destination, [mappings]) { store in
      try store.insert("Note", ["extra": .blob(bytes)])
      try store.insert("Note", ["extra": .null])
    }
  }

  @Test func `both lanes read values and write archives`() throws {
    let (found, report) = try Self.trial("", Self.value.keyedArchive).migrate()
    #expect(report.steps.flatMap(\.mappings).map(\.lane) == [.set])
    let note = found["Note"][0]
    #expect(note["title"] == .text("Größe"))
    #expect(note["size"] == .integer(7))
    #expect(note["day"].double == 5)
    #expect(
      note["all"].string
        == #"{ "title": "Größe", "list": [1.5, 7, null], "day": "2001-01-01T00:00:05Z", "#
        + #""old": true, "body": "AQI=" }"#)
    var written = try ArchivedValues(try #require(note["extra"].bytes))
    #expect(try written.value(at: []) == .list([.real(1.5), .integer(7), .null]))
    #expect(found["Note"][1]["all"].isNull && found["Note"][1]["extra"].isNull)
  }

  @Test func `bytes that are no archive are an error, or nil on request`() throws {
    for bytes in [[1, 2, 3], PropertyList.array([.integer(1)]).binaryPropertyList] {
      let failure = try Self.trial("", bytes).failure()
      #expect(failure.codes == ["RUN-042"])
      #expect(failure.diagnostics.all[0].reason?.hasPrefix("PRE-040") == true)
      #expect(try Self.trial("OrNull", bytes).migrate().contents["Note"][0]["title"].isNull)
    }
  }

  // MARK: Archives of others

  /// An archive with these objects after `$null`; the first is the root.
  static func archive(_ objects: [PropertyList]) -> [UInt8] {
    PropertyList.dictionary([
      .init("$version", .integer(100_000)), .init("$archiver", .string("NSKeyedArchiver")),
      .init("$top", .dictionary([.init("root", .uid(1))])),
      .init("$objects", .array([.string("$null")] + objects)),
    ]).binaryPropertyList
  }

  static func described(_ name: String, _ others: String...) -> PropertyList {
    .dictionary([
      .init("$classname", .string(name)),
      .init("$classes", .array(([name] + others).map { .string($0) })),
    ])
  }

  @Test func `mutable classes, sets, UUIDs and URLs are read, and other classes refused`() throws {
    let uuid = Array(repeating: UInt8(0xAB), count: 16)
    let bytes = Self.archive([
      .dictionary([
        .init("NS.objects", .array([3, 5, 7].map { .uid($0) })), .init("$class", .uid(2)),
      ]),
      Self.described("NSMutableSet", "NSSet", "NSObject"),
      .dictionary([.init("NS.uuidbytes", .data(uuid)), .init("$class", .uid(4))]),
      Self.described("NSUUID", "NSObject"),
      .dictionary([
        .init("NS.base", .uid(0)), .init("NS.relative", .string("https://example.com")),
        .init("$class", .uid(6)),
      ]), Self.described("NSURL", "NSObject"),
      .dictionary([.init("red", .real(1)), .init("$class", .uid(8))]),
      Self.described("UIColor", "NSObject"),
    ])
    var values = try ArchivedValues(bytes)
    #expect(
      try values.value(at: [.index(0)]) == .string("ABABABAB-ABAB-ABAB-ABAB-ABABABABABAB"))
    #expect(try values.value(at: [.index(-2)]) == .string("https://example.com"))
    #expect(try values.value(at: [.index(3)]) == nil)
    #expect(try values.value(at: [.key("red")]) == nil)
    #expect(
      throws: KeyedArchiveError.wrongClass(
        "UIColor", expected: "a text, number, date, data, list or dictionary")
    ) { try values.value(at: [.index(2)]) }
  }

  @Test func `an archive that contains itself or expands without bound ends in an error`() throws {
    let cycle = Self.archive([
      .dictionary([.init("NS.objects", .array([.uid(1)])), .init("$class", .uid(2))]),
      Self.described("NSArray", "NSObject"),
    ])
    #expect(throws: KeyedArchiveError.tooDeep) {
      var values = try ArchivedValues(cycle)
      _ = try values.value(at: [])
    }
    // Each list holds the next one twenty times.
    let lists = (0..<20).map { number in
      PropertyList.dictionary([
        .init("NS.objects", .array(Array(repeating: .uid(UInt64(number + 2)), count: 20))),
        .init("$class", .uid(22)),
      ])
    }
    let bomb = Self.archive(lists + [.string("x"), Self.described("NSArray", "NSObject")])
    #expect(throws: KeyedArchiveError.tooLarge) {
      var values = try ArchivedValues(bomb)
      _ = try values.value(at: [])
    }
  }

  /// A list that holds a list of objects without values, `count` times each: their class has a chain of
  /// names before the one that is known.
  private static func sharing(_ count: Int) -> [UInt8] {
    func list(of number: UInt64) -> PropertyList {
      .dictionary([
        .init("NS.objects", .array(Array(repeating: .uid(number), count: count))),
        .init("$class", .uid(4)),
      ])
    }
    let names = (0..<30).map { "Class\($0)" + String(repeating: "y", count: 200) } + ["NSNull"]
    return archive([
      list(of: 2), list(of: 3), .dictionary([.init("$class", .uid(5))]), described("NSArray"),
      .dictionary([
        .init("$classname", .string(names[0])),
        .init("$classes", .array(names.map { .string($0) })),
      ]),
    ])
  }

  @Test func `an archive takes steps in proportion to its size`() throws {
    var few = try ArchivedValues(Self.sharing(100))
    #expect(try few.value(at: [.index(7)]) == .list(Array(repeating: .null, count: 100)))
    guard case .list(let lists) = try few.value(at: []) else {
      Issue.record("the list became something else")
      return
    }
    #expect(lists.count == 100)
    #expect(throws: KeyedArchiveError.tooLarge) {
      var many = try ArchivedValues(Self.sharing(690))
      _ = try many.value(at: [])
    }
  }
}
