import Foundation
import PassageDiagnostics
import PassageModels
import PassageStores
import PassageTesting
import PassageValues
import TestSupport
import Testing

@testable import PassageAtomicStores

/// Values as text come back as they were, to the last digit.
@Suite struct TextValueTests {
  @Test(arguments: TextStyle.Dates.allCases)
  func `every date comes back exactly`(_ dates: TextStyle.Dates) throws {
    let seed = UInt64(20_100_319)
    var numbers = SeededRandom(seed: seed)
    var style = TextStyle()
    style.dates = dates
    var text = AttributeText(style)
    let attribute = Attribute(name: "a", type: .date)
    var values: [Double] = [
      0, -0.25, 1e-7, -1e-7, .leastNonzeroMagnitude, 0.1, -63_113_904_000, 252_423_993_599,
    ]
    for _ in 0..<2_000 {
      let magnitude = pow(10, Double.random(in: -9...10, using: &numbers))
      values.append(Double.random(in: -1...1, using: &numbers) * magnitude)
    }
    for value in values {
      let written = try text.write(.real(value), of: attribute)
      #expect(try text.read(written, as: attribute) == .real(value), "seed \(seed): \(written)")
    }
  }

  @Test(arguments: [
    (AttributeType.integer16, "32768"), (.integer32, "2147483648"), (.integer64, "1.0"),
    (.boolean, "maybe"), (.double, "nan"), (.double, "1e999"), (.double, "1e-400"),
    (.float, "0x1p3"), (.float, ""), (.decimal, "1,5"),
    (.date, "2010-02-30"), (.date, "2010-03-19T08:30.5Z"), (.date, "now"), (.uuid, "E621E1F8"),
    (.binary, "a"), (.transformable, "!!!!"), (.objectID, "x"),
  ])
  func `text that is not a value is refused`(_ type: AttributeType, _ written: String) {
    var text = AttributeText(TextStyle())
    #expect(throws: ValueMistake.self) {
      try text.read(written, as: Attribute(name: "a", type: type))
    }
  }

  /// The white space of Unicode, as `Character.isWhitespace` tells it.
  private static let spaces: [Int] =
    [0x20, 0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000] + Array(0x09...0x0D)
    + Array(0x2000...0x200A)

  @Test(arguments: spaces)
  func `white space in base64 has no meaning`(_ value: Int) throws {
    let space = String(try #require(Unicode.Scalar(value)))
    #expect(try #require(space.first).isWhitespace)
    var text = AttributeText(TextStyle())
    let attribute = Attribute(name: "a", type: .binary)
    #expect(
      try text.read("\(space)AA\(space)\(space)ECAw=\(space)=\r\n", as: attribute)
        == .blob([0, 1, 2, 3]))
  }

  @Test(arguments: ["AAEC\u{200B}", "AA\u{0}EC", "AA-C", "é"])
  func `base64 with other characters is refused`(_ written: String) {
    var text = AttributeText(TextStyle())
    #expect(throws: ValueMistake.self) {
      try text.read(written, as: Attribute(name: "a", type: .binary))
    }
  }

  @Test(
    arguments: [
      ("", []), ("00fF7a", [0, 0xFF, 0x7A]), ("0", nil), ("0g", nil), ("0 1", nil), ("é0", nil),
    ] as [(String, [UInt8]?)])
  func `hexadecimal digits are read in pairs`(_ written: String, bytes: [UInt8]?) throws {
    var style = TextStyle()
    style.binary = .hex
    var text = AttributeText(style)
    let attribute = Attribute(name: "a", type: .binary)
    guard let bytes else {
      #expect(throws: ValueMistake.self) { try text.read(written, as: attribute) }
      return
    }
    #expect(try text.read(written, as: attribute) == .blob(bytes))
  }

  @Test(arguments: [
    ("9007199254740993", true), ("-9007199254740993", true), ("9007199254740992", false),
    ("100000000000000000000", false), ("0.1", false), ("0.0", false), ("-0e-999", false),
  ])
  func `a whole number that a double cannot hold is told as rounded`(
    _ written: String, isRounded: Bool
  ) throws {
    var text = AttributeText(TextStyle())
    _ = try text.read(written, as: Attribute(name: "a", type: .double))
    #expect(text.rounded == (isRounded ? ["a"] : []))
  }

  @Test(arguments: [
    (AttributeType.double, Value.real(.nan)), (.date, .real(.infinity)), (.date, .real(1e12)),
    (.integer16, 40_000), (.boolean, 2), (.string, .malformedText([0xFF])), (.uuid, .blob([1])),
    (.string, 1), (.binary, "text"),
  ])
  func `a value that text cannot hold is refused`(_ type: AttributeType, _ value: Value) {
    #expect(throws: ValueMistake.self) {
      try AttributeText(TextStyle()).write(value, of: Attribute(name: "a", type: type))
    }
  }

  @Test(arguments: [
    "<&>", "]]>", "\\u3c00", "\\", "\\\\u", " ", "\n", "\r\n", "\u{0}\u{1F}", "\u{FFFE}",
  ])
  func `every text comes back from XML`(_ text: String) throws {
    let encoded = XMLStoreText.encode(text)
    #expect(XMLStoreText.decode(encoded) == text)
    let element = try MarkupReader.read(
      Array("<a>\(encoded)</a>".utf8), file: "a.xml", keepsSpace: true)
    #expect(XMLStoreText.decode(element.text) == text)
  }

  @Test(arguments: TextEncoding.allCases)
  func `every encoding is read as it is written`(_ encoding: TextEncoding) throws {
    let text = encoding == .latin1 ? "Grüße\n" : "Grüße 👩‍👩‍👧\n"
    for withMark in [false, true] {
      let bytes = encoding.encode(Array(text.utf8), withMark: withMark)
      let file = AtomicStore.File(path: "a", bytes: bytes)
      #expect(try TextInput(file, encoding: encoding).text() == Array(text.utf8))
      if withMark, !encoding.mark.isEmpty {
        #expect(try TextInput(file, encoding: nil).text() == Array(text.utf8))
      }
    }
  }

  @Test(arguments: [0, 1, 2, 3])
  func `truncated and huge files end in bounded time`(_ number: Int) throws {
    let types: [any AtomicStoreType] = [
      DelimitedTextStoreType(), KeyedRecordsStoreType(), XMLStoreType(), JSONLinesStoreType(),
    ]
    let model = Model(
      name: "M", entities: [Entity(name: "A", attributes: [Attribute(name: "b", type: .string)])])
    let contents = AtomicStore.Contents(
      nodes: [
        CacheNode(
          AtomicStore.Identifier(entityName: "A", reference: .number(1)),
          values: ["b": "x\"\\:é<"])
      ])
    let bytes = try types[number].save(
      contents, of: model, to: "/nonexistent/a", options: .init())
    for length in bytes.indices.dropFirst() {
      let file = AtomicStore.File(path: "/nonexistent/a", bytes: Array(bytes[..<length]))
      _ = try? types[number].load(file, as: model)
      _ = try? types[number].declaredModel(file)
    }
    for filling in [
      "\"", ":", ",", "<a>", "\\", "A::", "\n\"", "a,\"b\"c\n", "\u{0}", "[", "{\"a\":",
    ] {
      let text = String(repeating: filling, count: 50_000)
      let file = AtomicStore.File(path: "/nonexistent/a", bytes: Array(text.utf8))
      let found = try? types[number].load(file, as: model)
      #expect(found?.nodes.isEmpty ?? true)
    }
  }

  @Test(arguments: [
    "<?x?><a/>", "<?x ?><a/>", "<?xml version=\"1.0\" encoding=\"ibm964\"?><a/>",
    "<!DOCTYPE a [<!ENTITY e \"&#60;?x?>\">]><a>&e;</a>",
  ])
  func `markup that the parser traps on is refused`(_ text: String) throws {
    #expect {
      _ = try MarkupReader.read(Array(text.utf8), file: "a.xml")
    } throws: { error in
      (error as? Diagnostics)?.all.map(\.code) == ["MOD-103"]
    }
  }

  /// UTF-16 and UTF-32 without a mark at the beginning: the place of a character's byte, and the number of
  /// bytes. The parser detects both.
  @Test(arguments: [(0, 2), (1, 2), (0, 4), (3, 4)])
  func `markup in another encoding is refused before it is parsed`(place: Int, width: Int) {
    let bytes = "<?xml version=\"1.0\"?><?x?><a/>".utf8.flatMap { byte in
      (0..<width).map { $0 == place ? byte : UInt8(0) }
    }
    let error = #expect(throws: Diagnostics.self) { try MarkupReader.read(bytes, file: "a.xml") }
    #expect(error?.all.map(\.code) == ["MOD-103"])
    #expect(error?.all.first?.reason == "it has a character NUL, as UTF-16 has")
  }
}

extension TextInput {
  /// All of the text.
  fileprivate func text() throws -> [UInt8] {
    var cursor = try cursor()
    var text: [UInt8] = []
    while let byte = try cursor.peek() {
      text.append(byte)
      cursor.skip()
    }
    return text
  }
}
