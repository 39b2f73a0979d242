import PassageDiagnostics
import PassageExpressions
import PassageModels
import PassageValues
import Testing

@Suite struct BinderTests {
  static func codes(_ text: String) -> [String] {
    do throws(Diagnostics) {
      let bound = try Binder.predicate(FormatParser.predicate(text), in: Library.filter)
      return bound.warnings.all.map(\.code)
    } catch {
      return error.all.map(\.code)
    }
  }

  static func codes(value text: String, expecting type: AttributeType? = nil) -> [String] {
    do throws(Diagnostics) {
      let tree = try FormatParser.expression(text)
      return try Binder.expression(tree, in: Library.value, expecting: type).warnings.all.map(
        \.code)
    } catch {
      return error.all.map(\.code)
    }
  }

  @Test(arguments: [
    ("titel == 'x'", ["PRE-010"]), ("author.nam == 'x'", ["PRE-010"]),
    ("title.size == 1", ["PRE-010"]), ("$source.title == 'x'", ["PRE-011"]),
    ("$x == 1", ["PRE-017"]), ("readers == nil", ["PRE-012"]),
    ("author.books.title == 'x'", ["PRE-012"]), ("title == 5", ["PRE-013"]),
    ("pages == '5'", ["PRE-013"]), ("printed > 5", ["PRE-013"]), ("title + 1 == 2", ["PRE-013"]),
    ("pages CONTAINS '1'", ["PRE-013"]), ("pages ==[c] 1", ["PRE-013", "PRE-013"]),
    ("author == SELF", ["PRE-013"]), ("pages BETWEEN 5", ["PRE-013"]),
    ("extra == 'x'", ["PRE-013"]), ("identifier < identifier", ["PRE-013", "PRE-013"]),
    ("TERNARY(pages == 1, 'a', 1) == 1", ["PRE-013"]),
    ("identifier == 'nonsense'", ["PRE-014"]), ("printed > 'yesterday'", ["PRE-014"]),
    ("printed > CAST('2024-02-30', 'NSDate')", ["PRE-014"]),
    ("printed BETWEEN {'2020-01-01T00:00:00Z', '2021'}", ["PRE-014"]),
    ("printed BETWEEN {'2020', '2021'}", ["PRE-014", "PRE-014"]),
    ("printed IN {'2020'}", ["PRE-014"]),
    ("sin:(pages) == 1", ["PRE-015"]), ("FUNCTION(title, 'description:') == 1", ["PRE-015"]),
    ("FUNCTION(title, 'make:', 1) == 1", ["PRE-015"]), ("abs:(1, 2) == 1", ["PRE-016"]),
    ("SUBQUERY(title, $r, $r.age == 1).@count > 0", ["PRE-023"]),
    ("SUBQUERY(readers, $r, $r.agee == 1).@count > 0", ["PRE-010"]),
    ("SUBQUERY(readers, $r, $x.age == 1).@count > 0", ["PRE-017"]),
    ("ANY pages > 1", ["PRE-023"]), ("ANY readers.title == 'x'", ["PRE-010"]),
    ("ANY readers.age == 'x'", ["PRE-013"]), ("readers.name == 'x'", ["PRE-012"]),
    ("pages.@count > 1", ["PRE-023"]), ("readers.@cuont > 1", ["PRE-018"]),
    ("readers.@count.age > 1", ["PRE-010"]), ("readers.@avg.name > 1", ["PRE-013"]),
    ("readers.@sum == 1", ["PRE-013"]), ("readers[0].name == 'x'", ["PRE-018"]),
    ("pages IN readers", ["PRE-013"]), ("SELF IN readers", ["PRE-013"]),
    ("readers.age UNION {'x'} == {1}", ["PRE-013"]), ("title UNION {'x'} == {'x'}", ["PRE-023"]),
    ("objectFrom:withIndex:(readers) == nil", ["PRE-016"]),
    ("objectFrom:withIndex:({author}, 0).name == 'x'", ["PRE-018"]),
    ("objectFrom:withIndex:({author}, 0).nam == 'x'", ["PRE-010"]),
    ("TERNARY(pages == 1, author, nil).name == 'x'", ["PRE-018"]),
    ("readers == {1}", ["PRE-013"]), ("{1, 2}['a'] == 1", ["PRE-013"]),
    ("%K == 1", ["PRE-018"]), ("pages == %@", ["PRE-018"]), ("title == {1}", ["PRE-018"]),
    ("title[0] == 'a'", ["PRE-023"]), ("cached == 'x'", ["PRE-018"]),
    ("title UTI-EQUALS 'x'", ["PRE-018"]), ("sum:(pages) == 3", ["PRE-023"]),
    ("CAST(title, 'NSArray') == nil", ["PRE-018"]), ("title MATCHES '('", ["PRE-021"]),
    ("title MATCHES 'a)(b'", ["PRE-021"]), ("random(title) > 1", ["PRE-013"]),
    ("shelf == 40000", ["PRE-019"]), ("isLent == 2", ["PRE-019"]), ("pages == 1.5", ["PRE-019"]),
    ("#size == nil", ["PRE-019"]), ("pages < nil", ["PRE-019"]), ("pages IN {}", ["PRE-019"]),
    ("pages BETWEEN {2, 1}", ["PRE-019"]), ("title CONTAINS nil", ["PRE-019"]),
    ("shelf != 40000", ["PRE-019"]), ("shelf > 99999", ["PRE-019"]), ("shelf > 32767", ["PRE-019"]),
    ("shelf >= 32767.5", ["PRE-019"]), ("shelf < -32768", ["PRE-019"]),
    ("shelf < 32768", ["PRE-019"]), ("shelf <= 32767", ["PRE-019"]),
    ("shelf >= -32768", ["PRE-019"]), ("99999 > shelf", ["PRE-019"]),
    ("NOT (shelf > 99999)", ["PRE-019"]), ("#size > 2147483647", ["PRE-019"]),
    ("pages > 9223372036854775807", ["PRE-019"]), ("pages == 1e19", ["PRE-019"]),
    ("pages == -9223372036854775809", ["PRE-019"]),
    ("pages <= -9223372036854775809", ["PRE-019"]),
    ("-9223372036854775809 < pages", ["PRE-019"]),
    ("pages IN {0xFFFFFFFFFFFFFFFF, -0x8000000000000400}", ["PRE-019"]),
    ("isLent > YES", ["PRE-019"]), ("author.age < 99999", ["PRE-019"]),
    ("shelf IN {99999}", ["PRE-019"]), ("shelf IN {1, 99999, 1.5}", ["PRE-019"]),
    ("{99999, 2} CONTAINS shelf", ["PRE-019"]), ("99999 IN {shelf, pages}", ["PRE-019"]),
    ("shelf BETWEEN {99999, 100000}", ["PRE-019"]), ("shelf BETWEEN {-40000, 40000}", ["PRE-019"]),
    ("shelf BETWEEN {99999, #size}", ["PRE-019"]), ("shelf BETWEEN {1.2, 1.8}", ["PRE-019"]),
    ("99999 BETWEEN {#size, shelf}", ["PRE-019"]), ("shelf BETWEEN {100000, 99999}", ["PRE-019"]),
    ("title ==[l] 'x'", ["PRE-020"]),
    ("titel == 'x' AND pages == 'y' AND readers == nil", ["PRE-010", "PRE-013", "PRE-012"]),
  ])
  func `a mistake has its code`(text: String, codes: [String]) {
    #expect(Self.codes(text) == codes)
  }

  @Test(arguments: [
    "title == 'x'", "author.name CONTAINS[cd] 'x'", "author == nil", "sequel == SELF",
    "isLent == YES", "isLent == 1", "price > 1",
    "identifier == 'E621E1F8-C36C-495A-93FC-0C247A3E6E5F'",
    "printed > CAST('2024-01-01', 'NSDate')", "printed > '2024-01-01T00:00:00Z'",
    "printed < now()", "page BEGINSWITH 'https:'", "page == title", "extra != nil",
    "printed.timeIntervalSince1970 > 0", "ANY {1, 2} == pages", "{1, 2} CONTAINS pages",
    "ANY readers.age > 1", "readers.@count > 1", "SUBQUERY(readers, $r, $r.age == 1).@count > 0",
    "ALL readers.name BEGINSWITH[c] title", "NONE author.books.title == title", "author IN readers",
    "readers.@avg.age > pages", "readers.age.@max == nil", "@sum.readers.age > 1",
    "readers.books.@count > 1", "author.name IN readers.name", "readers CONTAINS author",
    "readers[SIZE] == 0", "sum:({1, 2}) == 3", "sum(readers.age) == 3", "max(1, pages) == 3",
    "readers.@distinctUnionOfObjects.age.@count == 2", "readers.name UNION {'b'} == {'a', 'b'}",
    "readers.@unionOfSets.books.title CONTAINS title", "SELF['title'] == 'x'", "{1, 2}[0] == pages",
    "SUBQUERY(readers, $r, SUBQUERY($r.books, $b, $b == SELF).@count > 0)[SIZE] == 0",
    "($x := pages) == 1 AND $x < 5", "average:({pages, 2}) > 1", "SELF.self == SELF",
    "shelf > 32766", "shelf >= 32767", "shelf < -32767", "shelf <= -32768", "shelf < 32767",
    "shelf > -32768", "pages == -9223372036854775808", "pages == -9223372036854775808.0",
    "#size >= 2147483647", "pages >= 9223372036854775807", "isLent > NO",
    "weight < 1e300", "price > 1e30", "shelf > #size", "shelf IN {1, #size, nil}",
    "shelf BETWEEN {32767, 99999}", "shelf BETWEEN {-99999, 0}", "shelf BETWEEN {1.5, 2}",
    "shelf BETWEEN {#size, 99999}", "99999 BETWEEN {shelf, #size}", "weight IN {1.5}",
    "pages IN {1, nil}", "'x' IN title", "title IN {'a', 'b'}", "noindex:(pages) == 1",
  ])
  func `a well-typed predicate binds without a word`(text: String) {
    #expect(Self.codes(text) == [])
  }

  @Test(
    arguments: [
      ("title", nil, ["PRE-011"]), ("SELF.title", nil, ["PRE-011"]), ("$other.x", nil, ["PRE-017"]),
      ("$source.printed", .double, ["PRE-013"]), ("$source.pages", .string, ["PRE-013"]),
      ("$source.title", .integer64, ["PRE-013"]), ("$source.pages", .date, ["PRE-013"]),
      ("'x'", .uuid, ["PRE-014"]), ("$source.pages", .double, []),
      ("$source.weight", .integer16, []),
      ("YES", .boolean, []), ("nil", .string, []), ("$source.page", .string, []),
      ("now()", .date, []), ("'2024-01-01'", .date, []),
      ("FUNCTION($entityPolicy, 'fullName:', $source)", .string, []),
      ("FUNCTION($entityPolicy, 'fulName:', $source)", .string, ["PRE-015"]),
      ("FUNCTION($entityPolicy, 'join:with:', $source)", .string, ["PRE-016"]),
      (
        "FUNCTION($manager, 'destinationInstancesForSourceRelationshipNamed:sourceInstances:', 'a', $source.author)",
        nil, ["PRE-018"]
      ),
      ("FUNCTION($source, 'valueForKey:', 'title')", .string, []),
      ("FUNCTION($source, 'valueForKeyPath:', 'author.name')", .string, []),
      ("FUNCTION($source, 'valueForKeyPath:', 'readers.@count')", .integer64, []),
      ("$source.readers", nil, ["PRE-012"]),
    ] as [(String, AttributeType?, [String])])
  func `a value is checked against the attribute that takes it`(
    text: String, type: AttributeType?, codes: [String]
  ) {
    #expect(Self.codes(value: text, expecting: type) == codes)
  }

  @Test(arguments: [
    ("shelf > 99999", "no value of “shelf” is greater than 99999: this never holds"),
    ("99999 >= shelf", "every value of “shelf” is at most 99999: this holds unless it is nil"),
    ("#size < 3000000000", "every value of “size” is less than 3000000000: this always holds"),
    (
      "author.age >= -99999",
      "every value of “author.age” is at least -99999: this holds unless it is nil"
    ),
    ("shelf IN {99999}", "“shelf” cannot hold 99999: this never holds"),
    (
      "shelf IN {1, 99999}",
      "“shelf” cannot hold 99999: this element of the list is never equal to the value"
    ),
    (
      "shelf IN {1.5, 2.5, 3.5, 4.5, 5.5}",
      "“shelf” cannot hold 1.5, 2.5, 3.5 and 2 more: this never holds"
    ),
    ("shelf BETWEEN {99999, 100000}", "no value of “shelf” is at least 99999: this never holds"),
    ("shelf BETWEEN {1.2, 1.8}", "no value of “shelf” is between 1.2 and 1.8: this never holds"),
    (
      "#size BETWEEN {-3000000000, 3000000000}",
      "every value of “size” is at least -3000000000 and is at most 3000000000: this always holds"
    ),
  ])
  func `a number out of an attribute's range has one answer, which is named`(
    text: String, message: String
  ) throws {
    let bound = try Binder.predicate(FormatParser.predicate(text), in: Library.filter)
    #expect(bound.warnings.all.map(\.message) == [message])
  }

  @Test func `a mistake is reported where it occurs with the nearest name`() throws {
    let location = SourceLocation(file: "M.json", line: 3, column: 11)
    let tree = try FormatParser.predicate("pages > 1 AND titl == 'x'", at: location)
    let error = #expect(throws: Diagnostics.self) {
      try Binder.predicate(tree, in: Library.filter, at: location)
    }
    let diagnostic = try #require(error?.all.first)
    #expect(diagnostic.location == SourceLocation(file: "M.json", line: 3, column: 11 + 15))
    #expect(diagnostic.remedy == "did you mean “title”?")
  }

  @Test func `key paths are listed in the order of their first use`() throws {
    let bound = try Binder.predicate(
      FormatParser.predicate(
        "author.name == title AND pages > 1 AND author.name != nil AND SELF != nil"),
      in: Library.filter)
    #expect(bound.keyPaths.map(\.name) == ["author.name", "title", "pages"])
    let first = try #require(bound.keyPaths.first)
    #expect(first.relationships.map(\.name) == ["author"])
    #expect(first.entityName == "Book")
  }

  @Test(
    arguments: [
      ("60 * 60", .integer(3_600)), ("CAST('2001-01-01T00:00:01Z', 'NSDate')", .real(1)),
      ("uppercase:('straße')", "STRASSE"), ("4 + 5 - 2**3", 1), ("1/2", 0), ("1/2.0", .real(0.5)),
      ("-(5)", -5),
    ] as [(String, Value)])
  func `constants are computed once`(text: String, value: Value) throws {
    let bound = try Binder.expression(FormatParser.expression(text), in: Library.value)
    #expect(bound.constantValue == value)
  }
}
