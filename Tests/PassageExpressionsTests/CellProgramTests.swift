import PassageExpressions
import PassagePages
import PassageValues
import TestSupport
import Testing

/// The danger that the steps over undecoded cells give another answer than the evaluation in memory.
/// They may leave a row undecided; they must where the evaluation fails.
@Suite struct CellProgramTests {
  static let seed = RandomSeed.told(for: "CellProgramTests")

  static func column(_ path: ResolvedKeyPath) -> Int? { Library.names.firstIndex(of: path.name) }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `a random predicate holds for the same rows in steps and in memory`(number: UInt64) throws {
    var random = RandomPredicate(generator: SeededRandom(seed: Self.seed &+ number))
    let rows = (1...60).map { OddRow(key: $0, &random) }
    var (written, decided, undecided) = (0, 0, 0)
    for _ in 0..<400 {
      let text = random.predicate(depth: 2)
      let bound = try Binder.predicate(FormatParser.predicate(text), in: Library.filter)
      guard let program = bound.cellProgram(now: Library.now, column: Self.column) else { continue }
      written += 1
      var programs = CellMachineBuilder()
      let place = programs.append(program)
      let machine = CellMachine(programs)
      let compiled = try CompiledPredicate(bound, slot: Library.slot)
      for row in rows {
        machine.beginRow()
        let expected = try? compiled.evaluate(row.object, in: Library.context)
        switch machine.answer(place, of: row) {
        case .holds: #expect(expected == true, "\(text) of \(row.object.values)")
        case .fails: #expect(expected == false, "\(text) of \(row.object.values)")
        case .undecided:
          undecided += 1
          continue
        }
        decided += 1
      }
    }
    #expect(written > 120, "only \(written) of 400 predicates became steps")
    #expect(decided > 6 * undecided, "\(undecided) of \(decided + undecided) rows are undecided")
  }

  static let expressions =
    TwoLanesTests.expressions + [
      "concatenate($source.title, \"-\", $source.subtitle)", "concatenate($source.title, nil)",
      "coalesce($source.title, $source.subtitle)", "coalesce($source.pages, $source.shelf, 7)",
      "join(\", \", $source.title, $source.page, $source.subtitle)",
      "join($source.page, $source.title, \"x\")", "substring($source.title, $source.shelf, 3)",
      "substring($source.title, 1)", "concatenate(\"no. \", CAST($source.pages, \"NSString\"))",
      "CAST($source.weight, \"NSString\")", "parseDateOrNull($source.title)",
      "parseDate($source.title)",
      "formatDate($source.printed, \"yyyy-MM-dd HH:mm:ss.SSS\", \"UTC\", \"en_US_POSIX\")",
      "formatDate($source.printed, \"EEEE, d. MMMM yy, h:mm a\", \"Europe/Berlin\", \"de_DE\")",
      "trim($source.title)", "lowercase:($source.title)", "length:($source.title)",
      "modulus:by:($source.weight, $source.pages)", "modulus:by:($source.pages, $source.shelf)",
      "TERNARY($source.title BEGINSWITH \"a\", $source.pages + 1, $source.weight)",
      "TERNARY($source.pages > 1 AND NOT ($source.title == nil), \"many\", $source.subtitle)",
      "TERNARY($source.title IN {\"a\", \"A\", nil}, uppercase:($source.title), $source.page)",
      "concatenate(uppercase:($source.title), TERNARY($source.shelf == nil, \"\", \"+\"))",
      "parseDateOrNull($source.title, \"yyyy-MM-dd HH:mm:ss\", \"UTC\", \"en_US_POSIX\")",
      "parseDate($source.title, \"yyyy-MM-dd\", \"GMT+02:00\", \"en_US\")",
      "parseDateOrNull($source.title, \"dd.MM.yyyy, HH:mm\", \"Europe/Berlin\", \"en_GB\")",
    ]

  @Test(arguments: expressions)
  func `an expression gives the same values in steps and in memory`(text: String) throws {
    var random = RandomPredicate(generator: SeededRandom(seed: Self.seed))
    let bound = try Binder.expression(FormatParser.expression(text), in: Library.value)
    guard let program = bound.cellProgram(now: Library.now, column: Self.column) else { return }
    var programs = CellMachineBuilder()
    let place = programs.append(program)
    let machine = CellMachine(programs)
    let compiled = try CompiledExpression(bound, slot: Library.slot)
    var decided = 0
    for key in 1...600 {
      let row = OddRow(key: Int64(key), &random)
      machine.beginRow()
      let expected = try? compiled.evaluate(row.object, in: Library.context)
      guard let found = machine.value(place, of: row) else { continue }
      decided += 1
      let value = OddRow.value(found)
      // Texts are compared by their bytes: Swift compares them by canonical equivalence.
      #expect(
        expected.map { OddRow.bytes($0) } == OddRow.bytes(value),
        "\(text) of \(row.object.values)")
    }
    #expect(decided > 60, "\(decided) of 600 rows are decided")
  }

  @Test(arguments: [
    "$source.author.name", "parseNumber($source.title, \"en_US\")",
    "uppercase:($source.author.name)",
    "TERNARY($source.title MATCHES \"a+\", 1, 2)", "$source.pages ** 2",
    "parseDate($source.title, $source.subtitle, \"UTC\", \"en_US\")",
    "parseDate($source.title, \"yyyy-MM-dd\", \"Europe/Berlin\", \"en_US\")",
    "FUNCTION($entityPolicy, \"epoch\")",
  ])
  func `other expressions are left to the evaluation in memory`(text: String) throws {
    let bound = try Binder.expression(FormatParser.expression(text), in: Library.value)
    #expect(bound.cellProgram(now: Library.now, column: Self.column) == nil)
  }
}

/// An object whose cells hold what a store may hold, whatever its model says, as undecoded cells too.
final class OddRow: CellReader {
  let object: SourceObject
  private var cells: [RawCell] = []
  private var memory: [UnsafeMutableRawBufferPointer] = []

  static let texts = [
    "abc", "Abc ", "\t a\n", "12", "-7", "+5", "007", "12.50", "-0.0", "1.", ".5", "1e5", "-",
    "123456789012345", "1234567890123456", "0.000000000000001", "a\r\nb", "\r", "\n",
    "2001-02-03T04:05:06Z", "2001-02-03T04:05:06", "2001-02-03 04:05:06Z", "2001-02-03T04:05:06.5Z",
    "2001-02-03", "2001-02-29", "2004-02-29", "2001-02-03 04:05:06", "2001-02-03 24:05:06",
    "1599-12-31", "9999-01-01", "03.02.2001, 23:59", "2001-2-3", " 2001-02-03", "2001-02-03 ",
    "aaaaaaaaaaaaaaaaab", "Ünïcödé text of some length", "\u{1F600}\u{301}x",
  ]
  static let malformed: [[UInt8]] = [
    [0x61, 0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82],
  ]

  init(key: Int64, _ random: inout RandomPredicate) {
    let values = Library.names.map { name -> Value in
      let value = Self.value(of: name, &random)
      // SQLite reads what is not a number as NULL.
      return value.double?.isNaN == true ? .null : value
    }
    object = SourceObject(shape: Library.shape, key: key, values: values)
    cells = values.map { keep($0) }
  }

  private static func value(of name: String, _ random: inout RandomPredicate) -> Value {
    switch Int.random(in: 0..<100, using: &random.generator) {
    case 0..<3: return .malformedText(random.generator.pick(Self.malformed))
    case 3..<8: return random.numberCell()
    case 8..<12: return random.blobCell()
    case 12..<15:
      return .text(String(repeating: "ab", count: random.generator.pick([300, 4_000, 20_000])))
    case 15..<45 where ["title", "subtitle", "page"].contains(name):
      return .text(random.generator.pick(Self.texts))
    default: break
    }
    switch name {
    case "title", "subtitle", "page", "author.name": return random.textCell()
    case "identifier", "cover", "extra": return random.blobCell()
    default: return random.numberCell()
    }
  }

  deinit { for part in memory { part.deallocate() } }

  private func keep(_ value: Value) -> RawCell {
    func copy(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
      let part = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
      part.copyBytes(from: bytes)
      memory.append(part)
      return UnsafeRawBufferPointer(part)
    }
    return switch value {
    case .null: .null
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .text(let text): .text(copy(Array(text.utf8)))
    case .malformedText(let bytes): .text(copy(bytes))
    case .blob(let bytes): .blob(copy(bytes))
    }
  }

  var key: Int64 { object.key }

  func cell(_ column: Int) -> RawCell { cells[column] }

  /// A cell, decoded.
  static func value(_ cell: RawCell) -> Value {
    switch cell {
    case .null: .null
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .text(let bytes):
      String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .malformedText(Array(bytes))
    case .blob(let bytes): .blob(Array(bytes))
    }
  }

  /// A value with the bytes of its text, and a number with its bits.
  static func bytes(_ value: Value) -> [UInt8] {
    switch value {
    case .null: [0]
    case .integer(let number): [1] + Array("\(number)".utf8)
    case .real(let number): number.isNaN ? [0] : [2] + Array("\(number.bitPattern)".utf8)
    case .text(let text): [3] + Array(text.utf8)
    case .malformedText(let bytes): [3] + bytes
    case .blob(let bytes): [4] + bytes
    }
  }
}
