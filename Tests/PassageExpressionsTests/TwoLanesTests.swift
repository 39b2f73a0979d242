import PassageDiagnostics
import PassageExpressions
import PassageSQLite
import PassageValues
import TestSupport
import Testing

/// The danger that SQL and memory give two answers to one question.
@Suite struct TwoLanesTests {
  private static let count = 250

  static func fill(_ connection: Connection, _ random: inout RandomPredicate) throws {
    for key in 1...12 {
      try connection.execute(
        "INSERT INTO ZPERSON VALUES (?, ?, ?, ?)",
        [.integer(Int64(key)), random.textCell(), random.numberCell(), random.numberCell()])
    }
    for key in 1...60 {
      let text = [random.textCell(), random.textCell()]
      let numbers = (0..<6).map { _ in random.numberCell() }
      let author = random.generator.chance(20) ? Value.null : .integer(Int64(key % 15))
      let sequel = random.generator.chance(30) ? Value.null : .integer(Int64(key / 2 * 2))
      let values =
        [.integer(Int64(key))] + text + numbers
        + [random.blobCell(), random.textCell(), random.blobCell(), random.blobCell()]
        + [random.numberCell(), author, sequel]
      let marks = values.map { _ in "?" }.joined(separator: ",")
      try connection.execute("INSERT INTO ZBOOK VALUES (\(marks))", values)
    }
  }

  @Test(arguments: [11, 22, 33, 44, 55, 66, 77, 88] as [UInt64])
  func `a random predicate holds for the same objects in SQL and in memory`(seed: UInt64) throws {
    var random = RandomPredicate(generator: SeededRandom(seed: seed))
    let connection = try Library.connection()
    try Self.fill(connection, &random)
    let objects = try Library.objects(connection)
    var decided = 0
    for _ in 0..<Self.count {
      let text = random.predicate(depth: 2)
      let bound = try Binder.predicate(FormatParser.predicate(text), in: Library.filter)
      let negation = try Binder.predicate(
        .not(FormatParser.predicate(text)), in: Library.filter)
      guard
        case .sql(let sql) = SQLTranslator.predicate(
          bound, now: Library.now, column: Library.column),
        case .sql(let opposite) = SQLTranslator.predicate(
          negation, now: Library.now, column: Library.column)
      else {
        Issue.record("no SQL for \(text)")
        continue
      }
      let compiled = try CompiledPredicate(bound, slot: Library.slot)
      let inMemory = try objects.filter { try compiled.evaluate($0, in: Library.context) }
        .map(\.key)
      let inSQL = try Library.keys(connection, sql)
      #expect(inSQL == inMemory, "seed \(seed): \(text)\n\(sql)")
      let others = try Library.keys(connection, opposite)
      #expect(Set(inSQL).isDisjoint(with: others), "seed \(seed): \(text)\n\(sql)")
      #expect(inSQL.count + others.count == objects.count, "seed \(seed): \(text)\n\(sql)")
      if !inMemory.isEmpty, inMemory.count < objects.count { decided += 1 }
    }
    print("seed \(seed): \(decided) of \(Self.count) predicates tell objects apart")
    #expect(decided > Self.count / 3, "too few predicates tell objects apart: \(decided)")
  }

  static let expressions = [
    "$source.pages + 1", "$source.pages * $source.shelf", "$source.pages / 2", "$source.price / 2",
    "1 / 0", "$source.pages / $source.shelf", "$source.weight - $source.pages",
    "modulus:by:($source.pages, 7)", "$source.pages ** 2", "-$source.pages", "abs:($source.pages)",
    "~$source.pages", "$source.pages << $source.shelf", "$source.pages >> $source.shelf",
    "uppercase:($source.title)", "$source.title.length", "canonical:($source.title)",
    "CAST($source.price, \"NSString\")", "CAST($source.printed, \"NSString\")",
    "CAST($source.isLent, \"NSString\")", "CAST($source.title, \"NSNumber\")",
    "CAST($source.title, \"NSDate\")", "CAST($source.title, \"NSUUID\")",
    "$source.identifier.UUIDString", "$source.printed.timeIntervalSince1970",
    "$source.printed.timeIntervalSinceReferenceDate", "now()", "$source", "$source.author",
    "$source.author.name", "TERNARY($source.isLent == YES, $source.title, 'none')",
    "($source.weight - 32.0) / 1.8", "FUNCTION($source, \"valueForKey:\", \"title\")", "nil",
    "floor:($source.weight)", "$source.weight.intValue", "$source.cover.length",
  ]

  @Test(arguments: expressions)
  func `an expression gives the same values in SQL and in memory`(text: String) throws {
    var random = RandomPredicate(generator: SeededRandom(seed: 4_711))
    let connection = try Library.connection()
    try Self.fill(connection, &random)
    let bound = try Binder.expression(FormatParser.expression(text), in: Library.value)
    guard
      case .sql(let sql) = SQLTranslator.expression(
        bound, now: Library.now, column: Library.column)
    else {
      Issue.record("no SQL for \(text)")
      return
    }
    let compiled = try CompiledExpression(bound, slot: Library.slot)
    let statement = try connection.prepare(
      "SELECT \(sql.sql) \(Library.from) ORDER BY b.Z_PK")
    try statement.bind(sql.bindings)
    for object in try Library.objects(connection) {
      #expect(try statement.step())
      let inMemory = try compiled.evaluate(object, in: Library.context)
      #expect(statement.value(at: 0) == inMemory, "\(text) of object \(object.key)\n\(sql)")
    }
  }
}
