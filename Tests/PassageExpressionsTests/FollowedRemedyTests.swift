import PassageDiagnostics
import PassageExpressions
import PassageModels
import Testing

/// What is written as a remedy says is accepted, and nothing is proposed that is not.
@Suite struct FollowedRemedyTests {
  private static let followed: [(text: String, remedy: String, result: String)] = [
    // A text beside a number.
    ("pages == '5'", "leave out the quotation marks around the number", "pages == 5"),
    ("'pages' > 5", "write pages without quotation marks for the property", "pages > 5"),
    ("title == 5", "write the number in quotation marks", "title == '5'"),
    (
      "pages == title", "write CAST(title, \"NSNumber\") for the number in the text",
      "pages == CAST(title, \"NSNumber\")"
    ),
    (
      "ANY readers.name == pages", "write CAST(pages, \"NSString\") for the number as a text",
      "ANY readers.name == CAST(pages, \"NSString\")"
    ),
    (
      "printed + 5 > 1",
      "write a text such as \"2024-01-31T12:00:00Z\", or compare (printed + 5).timeIntervalSince1970",
      "(printed + 5).timeIntervalSince1970 > 1"
    ),
    // A collection where one value is needed.
    (
      "readers.age > 1",
      "write ANY, ALL or NONE before the comparison, or compare readers.age.@count",
      "ANY readers.age > 1"
    ),
    (
      "readers.name == 'a'", "write ANY, ALL or NONE before the comparison",
      "ALL readers.name == 'a'"
    ),
    (
      "readers.age BETWEEN {1, 2}",
      "write ANY, ALL or NONE before the comparison, or compare readers.age.@count",
      "ANY readers.age BETWEEN {1, 2}"
    ),
    ("author == readers", "write author IN readers", "author IN readers"),
    ("author != readers", "write NOT author IN readers", "NOT author IN readers"),
    (
      "5 < readers.age", "write ANY readers.age > 5, or compare readers.age.@count",
      "ANY readers.age > 5"
    ),
    (
      "SUBQUERY(readers, $r, $r.age > 1) == 0",
      "write SUBQUERY(readers, $r, $r.age > 1).@count for the number of its elements",
      "SUBQUERY(readers, $r, $r.age > 1).@count == 0"
    ),
    (
      "ANY readers.age > author.books.pages",
      "write SUBQUERY(author.books.pages, $x, ANY readers.age > $x).@count > 0 for any element of each",
      "SUBQUERY(author.books.pages, $x, ANY readers.age > $x).@count > 0"
    ),
    (
      "readers IN author.books.author",
      "write SUBQUERY(readers, $x, $x IN author.books.author).@count > 0 for any element of each",
      "SUBQUERY(readers, $x, $x IN author.books.author).@count > 0"
    ),
    (
      "ANY -readers.age == 7",
      "test each element as $x in SUBQUERY(readers.age, $x, …).@count > 0, or take one value, such as readers.age.@count",
      "SUBQUERY(readers.age, $x, -$x == 7).@count > 0"
    ),
    (
      "ANY readers.age + 1 == 2",
      "test each element as $x in SUBQUERY(readers.age, $x, …).@count > 0, or take one value, such as readers.age.@count",
      "SUBQUERY(readers.age, $x, $x + 1 == 2).@count > 0"
    ),
    // Quantifiers and negations in other places.
    ("pages == ANY readers.age", "write ANY readers.age == pages", "ANY readers.age == pages"),
    ("pages >= ALL readers.age", "write ALL readers.age <= pages", "ALL readers.age <= pages"),
    (
      "ANY readers.age == ANY author.books.pages",
      "write SUBQUERY(author.books.pages, $x, ANY readers.age == $x).@count > 0",
      "SUBQUERY(author.books.pages, $x, ANY readers.age == $x).@count > 0"
    ),
    (
      "title CONTAINS ANY readers.name",
      "write SUBQUERY(readers.name, $x, title CONTAINS $x).@count > 0",
      "SUBQUERY(readers.name, $x, title CONTAINS $x).@count > 0"
    ),
    (
      "TERNARY(isLent, 1, 2) == 1", "compare it, as in “isLent == YES” or “isLent != nil”",
      "TERNARY(isLent == YES, 1, 2) == 1"
    ),
    (
      "pages NOT == 1", "NOT goes before the whole comparison: NOT (pages == …)",
      "NOT (pages == 1)"
    ),
    ("title NOT NULL", "write title != nil", "title != nil"),
    ("title IS LIKE 'a'", "write title LIKE … without IS", "title LIKE 'a'"),
    (
      "uppercase:(title)", "compare its value, as in uppercase:(title) != nil",
      "uppercase:(title) != nil"
    ),
  ]

  @Test(arguments: followed)
  func `what a remedy says is accepted`(text: String, remedy: String, result: String) throws {
    let message = try #require(try RemedyTests.message(text))
    #expect(message.severity == .error, "\(message)")
    #expect(message.remedy == remedy, "\(message)")
    let location = SourceLocation(file: "--filter", line: 1, column: 0)
    let tree = try FormatParser.predicate(result, at: location)
    #expect(throws: Never.self) {
      try Binder.predicate(tree, in: Library.filter, at: location)
    }
  }

  @Test(arguments: [
    "pages == 'abc'", "1 < 'a'", "pages IN {1, 'a'}", "cover == title", "pages IN author",
    "ALL readers.age > author.books.pages", "pages IN ANY readers.age",
    "isLent == title", "'abc' * 2 == 4",
  ])
  func `nothing is proposed where nothing is certain`(text: String) throws {
    let message = try #require(try RemedyTests.message(text))
    #expect(message.severity == .error, "\(message)")
    #expect(message.remedy == nil, "\(message)")
  }

  @Test func `a name beside a number is not taken for a text`() throws {
    let message = try #require(try RemedyTests.message("pages == abc"))
    #expect(message.remedy?.hasPrefix("its properties are ") == true, "\(message)")
  }

  @Test func `what is made of a mistake is not a second one`() {
    #expect(BinderTests.codes("ANY -readers.age == 7") == ["PRE-012"])
  }

  @Test(
    arguments: [
      ("$source.readers", "“$source.readers.@count” is the number of its elements"),
      ("$source.author", nil), ("'5'", "leave out the quotation marks around the number"),
      ("'abc'", nil),
      ("$source.title", "write CAST($source.title, \"NSNumber\") for the number in the text"),
    ] as [(String, String?)])
  func `a value that an attribute does not take has a remedy that works`(
    text: String, remedy: String?
  ) {
    let error = #expect(throws: Diagnostics.self) {
      try Binder.expression(
        FormatParser.expression(text), in: Library.value, expecting: .integer64)
    }
    #expect(error?.all.first?.remedy == remedy)
  }

  @Test(
    arguments: [
      (
        "$source.title", .binary,
        "write dataFromText($source.title, 'utf-8'), or another encoding such as 'base64' or 'hex'"
      ),
      (
        "$source.cover", .string,
        "write textFromData($source.cover, 'utf-8'), or another encoding such as 'base64' or 'hex'"
      ),
      (
        "$source.title", .boolean,
        "write TERNARY($source.title IN {'1', 'true', 'yes', 'YES'}, YES, NO) "
          + "for the texts that mean yes"
      ),
      ("'yes'", .boolean, "write YES or NO, without quotation marks"),
      ("$source.cover", .integer16, nil), ("$source.extra", .string, nil),
    ] as [(String, AttributeType, String?)])
  func `texts, data and truth values have remedies that work`(
    text: String, type: AttributeType, remedy: String?
  ) throws {
    let error = #expect(throws: Diagnostics.self) {
      try Binder.expression(FormatParser.expression(text), in: Library.value, expecting: type)
    }
    #expect(error?.all.first?.remedy == remedy)
    guard let call = remedy?.firstMatch(of: /write (\w+\(.*\))/)?.1 else { return }
    _ = try Binder.expression(
      FormatParser.expression(String(call)), in: Library.value, expecting: type)
  }
}
