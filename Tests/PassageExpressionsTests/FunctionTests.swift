import PassageDiagnostics
import PassageExpressions
import PassageValues
import Testing

/// What each function of the library gives, by values written by hand.
@Suite struct FunctionTests {
  /// 2024-02-29 12:34:56 UTC.
  static let leapNoon = Value.real(730_902_896)

  static let cells: [String: Value] = [
    "title": .text("  Grüße, Welt \n"), "subtitle": .text("a-b-c"), "pages": .integer(1_234_567),
    "price": .real(1_234.5), "printed": leapNoon, "isLent": .integer(1),
    "identifier": .blob(Array(repeating: 7, count: 16)),
    "cover": .blob(Array(#"{"a": [1, {"b": "x"}, true, null, 2.5]}"#.utf8)),
    "extra": .blob([1, 2]),
  ]

  @Test(
    arguments: [
      ("formatDate($source.printed, 'yyyy', 'UTC', 'en_US')", .text("2024")),
      (
        "formatDate:pattern:timeZone:locale:($source.printed, 'EEEE d. MMMM yyyy HH:mm', 'Europe/Berlin', 'de_DE')",
        .text("Donnerstag 29. Februar 2024 13:34")
      ),
      ("formatDate($source.printed)", .text("2024-02-29T12:34:56Z")),
      (
        "parseDate('29.02.2024 13:34:56', 'dd.MM.yyyy HH:mm:ss', 'Europe/Berlin', 'de_DE')",
        leapNoon
      ),
      ("parseDate('1/2/49', 'M/d/yy', 'UTC', 'en_US')", .real(1_514_851_200)),
      ("parseDate('2024-02-29T12:34:56Z')", leapNoon),
      // Date.distantPast, which Foundation prints as 1 January 1, of the Julian calendar.
      (
        "formatDate(CAST(-63114076800, 'NSDate'), 'yyyy-MM-dd HH:mm', 'UTC', 'en_US')",
        .text("0001-01-01 00:00")
      ),
      ("parseDate('0001-01-01', 'yyyy-MM-dd', 'UTC', 'en_US')", .real(-63_114_076_800)),
      ("formatDate(CAST(-63114076800, 'NSDate'))", .text("0000-12-30T00:00:00Z")),
      ("CAST(1.5e15, 'NSString')", .text("1500000000000000")),
      ("CAST(1234567890123456.0, 'NSString')", .text("1234567890123456")),
      ("CAST(1e16, 'NSString')", .text("1e+16")),
      ("CAST(CAST(-63114076800, 'NSDate'), 'NSString')", .text("0000-12-30T00:00:00Z")),
      ("parseDate('0000-12-30T00:00:00Z')", .real(-63_114_076_800)),
      ("formatDate(CAST(-63145526401, 'NSDate'))", .null),
      ("parseDateOrNull('30.02.2024', 'dd.MM.yyyy', 'UTC', 'en_US')", .null),
      ("parseDateOrNull('soon')", .null),
      ("formatNumber($source.price, '#,##0.00', 'de_DE')", .text("1.234,50")),
      ("formatNumber($source.pages, '#,##0', 'en_US')", .text("1,234,567")),
      ("parseNumber('1.234,5', 'de_DE')", .real(1_234.5)),
      ("parseNumber(' -12 ', 'en_US')", .integer(-12)),
      ("parseNumber('1 234,5', 'fr_FR')", .real(1_234.5)),
      ("parseNumber('\\u0663\\u0664', 'en_US')", .integer(34)),
      ("parseNumber('2,5E3', 'de_DE')", .real(2_500)),
      ("parseNumberOrNull('12abc', 'en_US')", .null),
      ("parseNumberOrNull('1.2.3', 'en_US')", .null),
      ("parseNumberOrNull('', 'en_US')", .null),
      ("split($source.subtitle, '-', 1)", .text("b")),
      ("split($source.subtitle, '-', -1)", .text("c")),
      ("split($source.subtitle, '-', 3)", .null),
      ("split($source.subtitle, 'xx', 0)", .text("a-b-c")),
      ("join(', ', $source.subtitle, nil, 'z')", .text("a-b-c, z")),
      ("join(', ', nil, nil)", .null),
      ("concatenate($source.subtitle, '!')", .text("a-b-c!")),
      ("concatenate($source.subtitle, nil)", .null),
      ("trim($source.title)", .text("Grüße, Welt")),
      ("trim('--x-', '-')", .text("x")),
      ("replace($source.subtitle, '-', '–')", .text("a–b–c")),
      ("replace('aaa', 'aa', 'b')", .text("ba")),
      ("replaceMatches('2024-02', '(\\\\d+)-(\\\\d+)', '$2/$1')", .text("02/2024")),
      ("firstMatch('order 66 of 99', '\\\\d+')", .text("66")),
      ("firstMatch('order 66', '(\\\\w+) (\\\\d+)', 2)", .text("66")),
      ("firstMatch('none', '\\\\d+')", .null),
      ("substring('Größe', 2)", .text("öße")),
      ("substring('Größe', 1, 2)", .text("rö")),
      ("substring('a😀b', 2)", .text("b")),
      ("substring('abc', 9)", .text("")),
      ("substring('abc', -5, 2)", .text("ab")),
      ("coalesce(nil, $source.author.name, 'nobody')", .text("nobody")),
      ("coalesce($source.pages, 1)", .integer(1_234_567)),
      ("if($source.isLent, 'out', 'in')", .text("out")),
      ("if:then:else:($source.isLent, 1, 2)", .integer(1)),
      ("stringInJSON($source.cover, 'a[1].b')", .text("x")),
      ("integerInJSON($source.cover, 'a[0]')", .integer(1)),
      ("numberInJSON($source.cover, 'a[-1]')", .real(2.5)),
      ("booleanInJSON($source.cover, 'a[2]')", .integer(1)),
      ("stringInJSON($source.cover, 'a[3]')", .null),
      ("stringInJSON($source.cover, 'no.such')", .null),
      ("countInJSON($source.cover, 'a')", .integer(5)),
      ("stringInJSONOrNull($source.cover, 'a[0]')", .null),
      ("stringInJSONOrNull('{', '')", .null),
      (
        "sha256('abc')",
        .text("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
      ),
      ("uuidFromTextOrNull('x')", .null),
      (
        "CAST(uuidFromText('e621e1f8-c36c-495a-93fc-0c247a3e6e5f'), 'NSString')",
        .text("E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
      ),
      // RFC 9562, appendix A.4.
      (
        "CAST(uuidFromName('www.example.com', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'), 'NSString')",
        .text("2ED6657D-E927-568B-95E1-2665A8AEA6A2")
      ),
      ("round(2.675, 2)", .real(2.68)), ("round(-2.675, 2)", .real(-2.68)),
      ("round(0.05, 1)", .real(0.1)), ("round(0.049, 1)", .real(0)),
      ("round(9.995, 2)", .real(10)), ("round(1e20, 2)", .real(1e20)),
      ("round(1.5e-7, 7)", .real(2e-7)), ("round(1.5e-7, 3)", .real(0)),
      ("round(1234.5, -2)", .real(1_200)), ("round(1.5, 400)", .real(1.5)),
      ("round(0.5, 0)", .real(1)), ("round(0.4, 0)", .real(0)), ("round(1.5, -400)", .real(0)),
      ("round(1250, -2)", .integer(1_300)), ("round(-1250, -2)", .integer(-1_300)),
      ("round(1249, -2)", .integer(1_200)), ("round($source.pages, 3)", .integer(1_234_567)),
      ("round(9223372036854775807, -1)", .real(9.22337203685477581e18)),
      ("round(5, -19)", .integer(0)), ("round(nil, 2)", .null),
      ("hexadecimal(255)", .text("ff")), ("hexadecimal(-255)", .text("-ff")),
      ("hexadecimal(0)", .text("0")), ("hexadecimal(171, 6)", .text("0000ab")),
      ("hexadecimal(-1, 2)", .text("-01")), ("hexadecimal(1048575, 2)", .text("fffff")),
      ("hexadecimal(255, -9223372036854775808)", .text("ff")),
      ("integerFromHexadecimal('FF')", .integer(255)),
      ("integerFromHexadecimal('#ff8800')", .integer(0xFF8800)),
      ("integerFromHexadecimal('-0x10')", .integer(-16)),
      ("integerFromHexadecimalOrNull('0x')", .null),
      ("integerFromHexadecimalOrNull('--1')", .null),
      ("integerFromHexadecimalOrNull('0x-1')", .null),
      ("integerFromHexadecimalOrNull('8000000000000000')", .null),
      ("textFromData(dataFromText('Größe', 'utf-8'), 'hex')", .text("4772c3b6c39f65")),
      ("textFromData(dataFromText('4772C3b6c39f65', 'hex'), 'UTF-8')", .text("Größe")),
      ("textFromData(dataFromText('Größe', 'utf-8'), 'base64')", .text("R3LDtsOfZQ==")),
      ("textFromData(dataFromText('R3LDtsOfZQ==', 'base64'), 'utf-8')", .text("Größe")),
      ("dataFromText('', 'hex')", .blob([])), ("dataFromTextOrNull('abc', 'hex')", .null),
      ("dataFromTextOrNull('0g', 'hex')", .null), ("dataFromTextOrNull('é', 'hex')", .null),
      ("dataFromTextOrNull('R3L', 'base64')", .null),
      ("textFromDataOrNull(dataFromText('ff', 'hex'), 'utf-8')", .null),
      ("textFromData($source.extra, 'hex')", .text("0102")),
      ("objectKey() + 1", .integer(2)),
      ("randomn:(1)", .integer(0)),
      ("randomn:(0)", .null),
    ] as [(String, Value)])
  func `a function gives the expected value`(_ text: String, _ expected: Value) throws {
    #expect(try Library.value(text, Library.object(Self.cells)) == expected, "\(text)")
  }

  @Test(arguments: [
    "formatDate(nil, 'yyyy', 'UTC', 'en_US')", "parseDate($source.author.name)",
    "formatNumber($source.shelf, '0', 'en_US')", "parseNumber($source.author.name, 'en_US')",
    "split($source.author.name, '-', 0)", "trim($source.author.name)",
    "sha256($source.author.name)",
    "replace('a', 'a', $source.author.name)", "substring($source.author.name, 1)",
    "stringInJSON($source.author.name, 'a')", "uuidFromSeed($source.author.name)",
    "distanceFromLatitude:longitude:toLatitude:longitude:(1, 2, 3, $source.shelf)",
    // Cells of another kind than their attribute's.
    "trim($source.subtitle)", "formatNumber($source.weight, '0', 'en_US')",
  ])
  func `nil and cells of another kind give nil`(_ text: String) throws {
    let object = Library.object(["subtitle": .integer(5), "weight": .text("5")])
    #expect(try Library.value(text, object) == .null)
  }

  @Test(
    arguments: [
      ("parseDate($source.subtitle)", "PRE-040"),
      ("parseDate($source.subtitle, 'yyyy-MM-dd', 'UTC', 'en_US')", "PRE-040"),
      ("parseNumber($source.subtitle, 'en_US')", "PRE-040"),
      ("uuidFromText($source.subtitle)", "PRE-040"),
      ("stringInJSON($source.subtitle, '')", "PRE-040"),
      ("stringInJSON($source.cover, 'a[0]')", "PRE-040"),
      ("formatDate(CAST($source.weight, 'NSDate'), 'yyyy', 'UTC', 'en_US')", "PRE-040"),
      ("formatDate($source.printed, 'yyyy', $source.subtitle, 'en_US')", "PRE-044"),
      ("formatDate($source.printed, 'yyyy', 'UTC', $source.subtitle)", "PRE-044"),
      ("stringInJSON($source.cover, $source.page)", "PRE-044"),
      ("firstMatch($source.subtitle, 'a', $source.pages)", "PRE-044"),
      ("firstMatch($source.subtitle, $source.page)", "PRE-021"),
      ("trim($source.title)", "PRE-030"), ("split($source.title, 'b')[FIRST]", "PRE-030"),
      ("split($source.title, 'b').@count", "PRE-030"),
      ("split('a', $source.title).@count", "PRE-030"),
    ] as [(String, String)])
  func `a value that cannot be read is an error`(_ text: String, _ code: String) throws {
    var cells = Self.cells
    cells["weight"] = .real(1e300)
    cells["page"] = .text("[")
    cells["title"] = .malformedText([0xFF])
    do {
      let value = try Library.value(text, Library.object(cells))
      Issue.record("\(text) gave \(value)")
    } catch let diagnostic as Diagnostic {
      #expect(diagnostic.code == code, "\(diagnostic)")
    } catch let diagnostics as Diagnostics {
      #expect(diagnostics.all.map(\.code) == [code], "\(diagnostics)")
    }
  }

  @Test(
    arguments: [
      ("formatDate($source.printed, 'yyyy', 'Europe/Berln', 'en_US')", "PRE-044"),
      ("formatDate($source.printed, 'yyyy', 'UTC', 'de_XQ')", "PRE-044"),
      ("formatDate($source.printed, '', 'UTC', 'de_DE')", "PRE-044"),
      ("formatNumber($source.pages, 'x', 'de_DE')", "PRE-044"),
      ("formatDate($source.title, 'yyyy', 'UTC', 'de_DE')", "PRE-013"),
      ("split($source.title, '', 1)", "PRE-044"), ("replace($source.title, '', 'x')", "PRE-044"),
      ("replaceMatches($source.title, '(', '')", "PRE-021"),
      ("stringInJSON($source.cover, 'a[')", "PRE-044"),
      ("parseDate('soon')", "PRE-040"), ("formatDate($source.printed, 'yyyy')", "PRE-016"),
      ("formatDate(CAST(-63114076801, 'NSDate'), 'yyyy', 'UTC', 'en_US')", "PRE-040"),
      ("formatDte($source.printed)", "PRE-015"), ("coalesce($source.title, 1)", "PRE-013"),
      ("if($source.title, 1, 2)", "PRE-013"), ("if($source.isLent, 1, 'a')", "PRE-013"),
      ("split:at:index:($source.title, '-', 1)", "PRE-016"),
      ("distanceToLocation:fromLocation:($source.title, $source.title)", "PRE-018"),
    ] as [(String, String)])
  func `a wrong call is found before the run`(_ text: String, _ code: String) {
    #expect(throws: Diagnostics.self, "\(text)") { try Library.value(text, Library.object()) }
    do {
      _ = try Library.value(text, Library.object())
    } catch let diagnostics as Diagnostics {
      #expect(diagnostics.all.map(\.code) == [code], "\(diagnostics)")
    } catch {
      Issue.record(error)
    }
  }

  @Test func `a misspelt time zone gets a suggestion`() throws {
    do {
      _ = try Library.value(
        "formatDate($source.printed, 'yyyy', 'Europe/Berln', 'en_US')", Library.object())
      Issue.record("nothing was found")
    } catch let diagnostics as Diagnostics {
      #expect(diagnostics.all.first?.remedy == "did you mean “Europe/Berlin”?")
    }
  }

  @Test func `a text that would grow beyond all bounds is refused`() throws {
    let long = Value.text(String(repeating: "a", count: 100_000))
    let object = Library.object(["title": long])
    #expect {
      try Library.value("replace($source.title, 'a', $source.title)", object)
    } throws: {
      ($0 as? Diagnostic)?.code == "PRE-041"
    }
    #expect {
      try Library.value("replaceMatches($source.title, 'a', $source.title)", object)
    } throws: {
      ($0 as? Diagnostic)?.code == "PRE-041"
    }
  }

  @Test func `a regular expression that takes too long is given up`() throws {
    let object = Library.object(["title": .text(String(repeating: "a", count: 40) + "!")])
    #expect {
      try Library.value("replaceMatches($source.title, '^(a+)+$', '')", object)
    } throws: {
      ($0 as? Diagnostic)?.code == "PRE-031"
    }
  }

  @Test func `objects are not looked up where no store is`() {
    #expect {
      try Library.value("sequenceNumber()", Library.object())
    } throws: {
      ($0 as? Diagnostic)?.code == "PRE-045"
    }
  }

  @Test func `a filter has the object's key, but no other form about the object`() throws {
    #expect(try Library.holds("objectKey() == 7", Library.object(key: 7)))
    for call in ["objectURI() == 'a'", "randomUUID() != nil"] {
      #expect {
        try Binder.predicate(FormatParser.predicate(call), in: Library.filter)
      } throws: {
        ($0 as? Diagnostics)?.all.map(\.code) == ["PRE-018"]
      }
    }
  }

  @Test(arguments: [
    ("textFromData($source.cover, 'latin')", "PRE-044"),
    ("dataFromText($source.title, 'binary')", "PRE-044"),
    ("textFromData($source.title, 'hex')", "PRE-013"),
    ("join(', ', $source.readers.age)", "PRE-013"), ("join(1, $source.readers.name)", "PRE-013"),
    ("round('a', 1)", "PRE-013"), ("hexadecimal(1.5)", "PRE-013"), ("objectKey(1)", "PRE-015"),
  ])
  func `arguments of another kind are found before the run`(_ text: String, _ code: String) {
    #expect {
      try Binder.expression(FormatParser.expression(text), in: Library.value)
    } throws: {
      ($0 as? Diagnostics)?.all.map(\.code) == [code]
    }
  }

  @Test func `a random number is the same for the same object and differs for another`() throws {
    let first = try Library.value("random()", Library.object(key: 1))
    #expect(try Library.value("random()", Library.object(key: 1)) == first)
    #expect(try Library.value("random()", Library.object(key: 2)) != first)
    #expect(try Library.value("random() + random() - random()", Library.object(key: 1)) != first)
    var seen: Set<Value> = []
    for key in 0..<1_000 {
      let value = try Library.value("randomn:(6)", Library.object(key: Int64(key)))
      #expect((0..<6).contains(value.integer ?? -1))
      seen.insert(value)
      let unit = try Library.value("random()", Library.object(key: Int64(key)))
      #expect((0..<1).contains(unit.double ?? -1))
    }
    #expect(seen.count == 6)
  }
}
