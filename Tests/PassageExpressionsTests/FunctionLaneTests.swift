import PassageDiagnostics
import PassageExpressions
import PassageSQLite
import PassageValues
import TestSupport
import Testing

/// The danger that a function gives one value in SQL and another in memory, or an error in one only.
@Suite struct FunctionLaneTests {
  /// At least one call of every function of the library, about cells of every kind.
  static let calls = [
    "formatDate($source.printed)", "formatDate($source.printed, 'd. MMM y H:mm', 'UTC', 'fr_FR')",
    "formatDate($source.author.born, 'yyyy-MM-dd', 'America/New_York', 'en_US')",
    "parseDate($source.title)", "parseDateOrNull($source.title)",
    "parseDate(formatDate($source.printed))",
    "parseDate($source.title, 'yyyy-MM-dd', 'UTC', 'en_US')",
    "parseDateOrNull($source.subtitle, 'yyyy', 'UTC', 'en_US')",
    "formatNumber($source.price, '#,##0.###', 'de_DE')",
    "formatNumber($source.pages, '0.0', 'en_US')", "parseNumber($source.title, 'en_US')",
    "parseNumberOrNull($source.subtitle, 'de_DE')",
    "distanceFromLatitude:longitude:toLatitude:longitude:($source.price, $source.weight, 0, 0)",
    "split($source.title, 'a', 0)", "split($source.title, $source.subtitle, $source.shelf)",
    "join('-', $source.title, $source.subtitle, $source.author.name)",
    "concatenate($source.title, '|', $source.subtitle)", "trim($source.title)",
    "trim($source.title, $source.subtitle)", "replace($source.title, 'a', 'bb')",
    "replace($source.title, $source.subtitle, 'x')",
    "replaceMatches($source.title, '[a-c]', '<$0>')",
    "firstMatch($source.title, '\\\\w')", "firstMatch($source.title, '(\\\\w)(.)?', 2)",
    "substring($source.title, $source.shelf)", "substring($source.title, 1, $source.pages)",
    "coalesce($source.title, $source.subtitle, 'none')",
    "coalesce($source.pages, $source.price) + 1",
    "if($source.isLent, $source.title, $source.subtitle)", "if($source.price, 1, 2)",
    "stringInJSON($source.cover, 'a')", "stringInJSONOrNull($source.title, '')",
    "numberInJSON($source.title, '')", "numberInJSONOrNull($source.cover, '[0]')",
    "integerInJSON($source.title, '')", "integerInJSONOrNull($source.title, '')",
    "booleanInJSON($source.title, '')", "booleanInJSONOrNull($source.title, '')",
    "countInJSON($source.title, '')", "countInJSONOrNull($source.title, '')",
    "sha256($source.title)", "sha256($source.cover)", "uuidFromText($source.title)",
    "uuidFromTextOrNull($source.title)", "uuidFromSeed($source.title)",
    "uuidFromName($source.title, $source.identifier)", "random()", "randomn:($source.pages)",
    "textFromData($source.cover, 'utf-8')", "textFromDataOrNull($source.cover, 'utf-8')",
    "textFromData($source.extra, 'hex')", "dataFromText($source.title, 'base64')",
    "dataFromTextOrNull($source.title, 'hex')", "round($source.price, $source.shelf)",
    "round($source.pages, -1)", "round($source.weight, 1)", "hexadecimal($source.pages)",
    "hexadecimal($source.pages, 12)", "integerFromHexadecimal($source.title)",
    "integerFromHexadecimalOrNull($source.subtitle)", "objectKey() * 2",
    "random() + random()", "TERNARY(length(trim($source.title)) > 1, trim($source.title), nil)",
  ]

  /// Functions that are called by other names.
  static let hidden = ["randomOf", "randomUUIDOf", "objectURIOf", "joinedTexts"]

  private static let seed = RandomSeed.told(for: "FunctionLaneTests")

  /// What one lane gives for one object.
  private enum Outcome: Equatable {
    case value(Value)
    case failure
  }

  @Test(arguments: calls)
  func `a call gives the same in SQL and in memory`(_ text: String) throws {
    var random = RandomPredicate(generator: SeededRandom(seed: Self.seed))
    let connection = try Library.connection()
    try TwoLanesTests.fill(connection, &random)
    let bound = try Binder.expression(FormatParser.expression(text), in: Library.value)
    guard
      case .sql(let sql) = SQLTranslator.expression(
        bound, now: Library.now, column: Library.column)
    else {
      Issue.record("no SQL for \(text)")
      return
    }
    let compiled = try CompiledExpression(bound, slot: Library.slot)
    let statement = try connection.prepare("SELECT \(sql.sql) \(Library.from) WHERE b.Z_PK = ?")
    try statement.bind(sql.bindings)
    for object in try Library.objects(connection) {
      let inMemory = Self.outcome { try compiled.evaluate(object, in: Library.context) }
      let inSQL = Self.outcome {
        defer { statement.reset() }
        try statement.bind(object.key, at: sql.bindings.count + 1)
        return try statement.step() ? statement.value(at: 0) : nil
      }
      #expect(inSQL == inMemory, "seed \(Self.seed), object \(object.key): \(text)\n\(sql)")
    }
  }

  @Test(arguments: ["objectURI()", "randomUUID()", "CAST(randomUUID(), 'NSString')"])
  func `a form about the store gives the same in SQL and in memory`(_ text: String) throws {
    let connection = try Library.connection()
    try connection.execute(
      """
      INSERT INTO ZBOOK (Z_PK) VALUES (3), (4);
      CREATE TABLE temp.passage_store (key PRIMARY KEY, result) WITHOUT ROWID;
      INSERT INTO temp.passage_store VALUES (0, '6E1C');
      """)
    var scope = Library.value
    scope.place = "M BookToBook id"
    let bound = try Binder.expression(FormatParser.expression(text), in: scope)
    #expect(bound.lookups.count == 1)
    guard
      case .sql(let sql) = SQLTranslator.expression(
        bound, now: Library.now, column: Library.column)
    else {
      Issue.record("no SQL for \(text)")
      return
    }
    var context = Library.context
    context.lookUp = { $1 == .integer(0) ? .text("6E1C") : .null }
    let compiled = try CompiledExpression(bound, slot: Library.slot)
    let statement = try connection.prepare("SELECT \(sql.sql) \(Library.from) ORDER BY b.Z_PK")
    try statement.bind(sql.bindings)
    var values: Set<Value> = []
    for object in try Library.objects(connection) {
      #expect(try statement.step())
      let value = try compiled.evaluate(object, in: context)
      #expect(statement.value(at: 0) == value)
      values.insert(value)
    }
    #expect(values.count == 2)
    if text == "objectURI()" {
      #expect(values == ["x-coredata://6E1C/Book/p3", "x-coredata://6E1C/Book/p4"])
    }
  }

  @Test func `a random UUID depends on the migration, the store, the object and its place`() throws
  {
    func uuid(
      now: Double = 5, store: String = "6E1C", key: Int64 = 1, place: String = "M A.id",
      _ text: String = "randomUUID()"
    ) throws -> Value {
      var scope = Library.value
      scope.place = place
      let bound = try Binder.expression(FormatParser.expression(text), in: scope)
      var context = EvaluationContext(now: now)
      context.lookUp = { _, _ in .text(store) }
      return try CompiledExpression(bound, slot: Library.slot)
        .evaluate(Library.object(key: key), in: context)
    }
    let first = try uuid()
    #expect(try uuid() == first)
    let others = try [
      uuid(now: 6), uuid(store: "6E1D"), uuid(key: 2), uuid(place: "M A.other"),
      uuid("coalesce(nil, randomUUID())"),
    ]
    #expect(Set(others + [first]).count == 6)
    for value in others + [first] {
      let bytes = try #require(value.bytes)
      #expect(bytes.count == 16 && bytes[6] >> 4 == 4 && bytes[8] >> 6 == 2)
    }
  }

  private static func outcome(_ body: () throws -> Value?) -> Outcome {
    do {
      let value = try body() ?? .text("no row")
      if case .real(let real) = value, real.isNaN { return .value(.null) }
      return .value(value)
    } catch {
      return .failure
    }
  }

  @Test func `every function of the library is among the calls`() {
    let names = FunctionLibrary.standard.selectors.map { String($0.prefix { $0 != ":" }) }
    let untried = Set(names).filter { name in
      !Self.hidden.contains(name)
        && !Self.calls.contains { $0.contains(name + "(") || $0.contains(name + ":") }
    }
    #expect(untried == [])
  }

  // MARK: Registered functions

  private static let initials = ValueFunction(
    "initialsOf:and:", takes: [.string, .string], gives: .string
  ) { values in
    .text(values.compactMap { $0.string?.first }.map { String($0) }.joined())
  }

  @Test func `one registration serves the check, memory and SQL`() throws {
    let wrong = ValueFunction("serial", takes: [], gives: .integer) { _ in .text("one") }
    let library = FunctionLibrary(registering: [Self.initials, wrong])
    #expect(library.diagnostics.all.isEmpty)
    var scope = Library.value
    scope.functions = library
    func bind(_ text: String) throws -> BoundExpression {
      try Binder.expression(FormatParser.expression(text), in: scope)
    }
    let bound = try bind("initialsOf($source.title, $source.subtitle)")
    #expect(bound.type == .string)
    #expect(throws: Diagnostics.self) { try bind("initialsOf($source.title, 1)") }
    let object = Library.object(["title": .text("Ada"), "subtitle": .text("Lovelace")])
    let compiled = try CompiledExpression(bound, slot: Library.slot)
    #expect(try compiled.evaluate(object, in: Library.context) == .text("AL"))
    #expect(
      try compiled.evaluate(Library.object(["title": .text("Ada")]), in: Library.context) == .null)
    let connection = try Library.connection()
    for function in library.registeredSQLFunctions {
      try connection.register(
        SQLFunction(
          name: function.name, argumentCount: Int32(function.argumentCount),
          isDeterministic: function.isDeterministic, evaluate: function.evaluate))
    }
    try connection.execute(
      "INSERT INTO ZBOOK (Z_PK, ZTITLE, ZSUBTITLE) VALUES (1, 'Ada', 'Lovelace')")
    guard
      case .sql(let sql) = SQLTranslator.expression(
        bound, now: Library.now, column: Library.column)
    else {
      Issue.record("no SQL")
      return
    }
    let statement = try connection.prepare("SELECT \(sql.sql) \(Library.from)")
    try statement.bind(sql.bindings)
    #expect(try statement.step())
    #expect(statement.value(at: 0) == .text("AL"))
    do {
      _ = try bind("serial()")
      Issue.record("a text was taken for an integer")
    } catch let diagnostics as Diagnostics {
      #expect(diagnostics.all.map(\.code) == ["PRE-042"])
    }
  }

  @Test(arguments: [
    ValueFunction("trim:", takes: [.string], gives: .string) { $0[0] },
    ValueFunction("TRIM:", takes: [.string], gives: .string) { $0[0] },
    ValueFunction("uppercase:", takes: [.string], gives: .string) { $0[0] },
    ValueFunction("join:and:", takes: [.string, .string], gives: .string) { $0[0] },
    ValueFunction("one:two:", takes: [.string], gives: .string) { $0[0] },
    ValueFunction("size:", takes: [.string], gives: .string) { $0[0] },
    ValueFunction("a b:", takes: [.string], gives: .string) { $0[0] },
    ValueFunction("1st:", takes: [.string], gives: .string) { $0[0] },
    ValueFunction("", takes: [], gives: .string) { _ in .null },
    ValueFunction("if:then:else:", takes: [.any, .any, .any], gives: .any) { $0[0] },
  ])
  func `a function that no call could mean is refused`(_ function: ValueFunction) {
    let library = FunctionLibrary(registering: [function])
    #expect(library.diagnostics.all.map(\.code) == ["PRE-043"])
    #expect(library.registered.isEmpty)
  }
}
