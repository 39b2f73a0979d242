import PassageDiagnostics
import PassageExpressions
import Testing

/// What a person writes who knows SQL, Swift or another language better: the message points at the
/// character and says what to write.
@Suite struct RemedyTests {
  /// The first message about a filter of the library.
  static func message(_ text: String) throws -> Diagnostic? {
    let location = SourceLocation(file: "--filter", line: 1, column: 0)
    do throws(Diagnostics) {
      let tree = try FormatParser.predicate(text, at: location)
      return try Binder.predicate(tree, in: Library.filter, at: location).warnings.all.first
    } catch {
      return error.all.first
    }
  }

  private static let habits: [(text: String, column: Int, words: String)] = [
    ("title IS NULL", 7, "write title == nil"), ("title IS NOT NULL", 7, "write title != nil"),
    ("title is 'x'", 7, "write title =="), ("readers IS EMPTY", 9, "write readers.@count == 0"),
    ("readers is not empty", 9, "write readers.@count > 0"),
    ("title NOT IN {'a'}", 7, "NOT goes before the whole comparison: NOT (title IN …)"),
    ("title not like 'a'", 7, "NOT goes before the whole comparison: NOT (title LIKE …)"),
    ("title ILIKE 'a'", 7, "write title LIKE[c]"), ("title GLOB 'a'", 7, "write title LIKE"),
    ("title REGEXP 'a'", 7, "write title MATCHES"), ("title =~ 'a'", 10, "write MATCHES"),
    ("title ~= 'a'", 7, "write title MATCHES"), ("title STARTSWITH 'a'", 7, "title BEGINSWITH"),
    ("title INCLUDES 'a'", 7, "write title CONTAINS"), ("pages gt 5", 7, "write pages >"),
    ("pages equals 5", 7, "write pages =="), ("pages BETWEEN 1 AND 5", 17, "BETWEEN {1, 5}"),
    ("printed BETWEEN '2024-01-01' AND '2024-02-01'", 30, "{\"2024-01-01\", \"2024-02-01\"}"),
    ("pages BETWEEN (1, 5)", 17, "put a list in braces"),
    ("pages IN (1, 2)", 12, "put a list in braces"), ("pages IN [1, 2]", 11, "write {1, 2}"),
    ("pages IN 1", 10, "write pages == 1, or pages IN {1}"),
    ("pages IN 1,2", 11, "put a list in braces, as in pages IN {1, …}"),
    ("isLent == YES AND pages BETWEEN 1, 2", 34, "as in pages BETWEEN {1, …}"),
    ("title == a@x", 11, "put a text in quotation marks, as in 'a@x'"),
    ("pages > readers@count", 16, "put a point before it: readers.@count"),
    ("pages > $x", 9, "declare it in “variables” of the mapping model"),
    ("pages === 1", 9, "write one sign"), ("pages ! = 1", 7, "write != without a space"),
    ("pages > 5 & shelf < 3", 19, "AND or OR, && or ||"),
    ("pages > 5 | shelf < 3", 19, "AND or OR, && or ||"),
    ("5 < pages < 9", 11, "a > 1 AND a < 9"),
    ("pages > 5, shelf < 3", 10, "join conditions with AND"),
    ("pages > 5; shelf < 3", 10, "join several conditions with AND"),
    ("pages >= 5 && <= 10", 15, "on both sides of AND"), ("> 5", 1, "on both sides of AND"),
    ("title == 'a' OR 'b'", 20, "a == 1 OR a == 2"),
    ("pages > 5 ORDER BY title", 11, "without ORDER"),
    ("pages > 5 LIMIT 3", 11, "without LIMIT"),
    ("SELECT * FROM Book WHERE pages > 5", 15, "the condition alone"),
    ("WHERE pages > 5", 7, "the condition alone"), ("EXISTS readers", 8, "@count > 0"),
    ("EXISTS(readers)", 16, "@count > 0"), ("CASE WHEN pages > 1 THEN 1 END == 1", 6, "TERNARY("),
    ("IF(pages > 1, 1, 0) == 1", 10, "TERNARY("), ("pages > 1 ? 1 : 0", 11, "TERNARY("),
    ("CAST(pages AS TEXT) == '1'", 12, "CAST(pages, \"NSString\")"),
    ("CAST(pages, NSString) == '1'", 1, "CAST(pages, \"NSString\")"),
    ("title LIKE '%x%'", 12, "as in “*x*”"), ("title LIKE 'a_c%'", 12, "as in “a?c*”"),
    ("title IN ('a')", 7, "write IN {\"a\"}"),
    ("'title' == 'x'", 9, "title without quotation marks"),
    ("title || 'x' == 'ax'", 7, "concatenate(a, b)"),
    ("title + 'x' == 'ax'", 1, "concatenate(a, b)"),
    ("title == “x”", 10, "straight quotation marks"),
    ("title == ‘x’", 10, "straight quotation marks"),
    ("title == 'x", 10, "inside a text, write the mark as \\'"),
    ("title == @'x'", 11, "without “@”"), ("pages == @5", 11, "without “@”"),
    ("isLent == @YES", 11, "YES without “@”"), ("weight > .5", 10, "0 before the point"),
    ("pages == +5", 10, "leave out the plus"),
    ("`title` == 'x'", 1, "leave out the quotation marks"),
    ("[title] == 'x'", 1, "leave out the brackets"),
    ("pages ≠ 1", 7, "write !="), ("pages ≤ 1", 7, "write <="),
    ("title.contains('a')", 15, "write title CONTAINS"),
    ("title.hasPrefix('a')", 16, "write title BEGINSWITH"),
    ("readers.count() > 1", 14, "write readers.@count"),
    ("title.lowercased() == 'a'", 17, "lowercase:(title)"),
    ("author->name == 'x'", 8, "owner.name"), ("readers@count > 1", 8, "readers.@count"),
    ("readers.count > 1", 9, "write readers.@count"),
    ("readers.size > 1", 9, "write readers.@count"),
    ("readers.first == 1", 9, "write readers[FIRST]"),
    ("SUBQUERY(readers, $r, $r.age > 1).count > 0", 35, ".@count"),
    ("SUBQUERY(readers, $r, $r.age > 1) > 0", 1, "write SUBQUERY(readers, $r, $r.age > 1).@count"),
    ("SUBQUERY(readers, $r, age > 1).@count > 0", 23, "write $r.age"),
    ("SUBQUERY(readers, r, r.age > 1).@count > 0", 19, "write $r"),
    ("ANY(readers.age > 5)", 21, "ANY before the comparison"),
    ("readers == nil", 1, "readers.@count == 0"),
    ("readers != nil", 1, "readers.@count > 0"), ("readers.@cnt > 1", 1, "@count, "),
    ("readers.@sum > 1", 1, "as in .age"), ("COUNT(*) > 1", 7, "collection.@count"),
    ("len(title) > 3", 1, "length:(text)"), ("UPPER(title) == 'A'", 1, "uppercase:(text)"),
    ("SUBSTR(title, 1, 2) == 'x'", 1, "substring(text, start, length)"),
    ("IFNULL(pages, 0) == 1", 1, "coalesce(a, b)"), ("MOD(pages, 2) == 0", 1, "modulus:by:(a, b)"),
    ("pages % 2 == 0", 7, "modulus:by:(a, b)"), ("pages MOD 2 == 0", 7, "modulus:by:(pages, …)"),
    ("COALESCE(pages, 0) == 1", 1, "coalesce:"), ("length:(cover) > 1", 9, "cover.length"),
    ("printed > now", 11, "write now()"), ("printed > NOW()", 11, "did you mean “now”?"),
    ("printed > CURRENT_TIMESTAMP", 11, "write now()"), ("printed > date('now')", 11, "now()"),
    ("printed > '2024'", 11, "ISO 8601"),
    ("printed > 1700000000", 11, "printed.timeIntervalSince1970"),
    ("printed - '2024-01-01' > 0", 1, "parseDate(\"2024-01-01\")"),
    ("isLent", 7, "“isLent == YES”"), ("NOT isLent", 11, "“isLent == YES”"),
    ("isLent AND pages > 1", 8, "“isLent == YES”"), ("isLent == 'YES'", 11, "write YES or NO"),
    ("isLent == Y", 11, "write YES"), ("TRUE", 5, "TRUEPREDICATE"),
    ("pages == '5'", 10, "leave out"),
    ("title == Alpha", 10, "\"Alpha\""), ("titel == 'x'", 1, "did you mean “title”?"),
    ("author.nmae == 'x'", 8, "did you mean “name”?"), ("Author.name == 'x'", 1, "“author”"),
    ("book.title == 'x'", 1, "name the property alone"),
    ("$source.title == 'x'", 1, "the name alone"),
    ("author == 'Ann'", 11, "author.name"), ("author == 1", 11, "author.age"),
    ("SELF == 1", 9, "a property of the object, as in "),
    ("title.count > 1", 1, "length"), ("weight == NaN", 11, "write == nil"),
    ("size > 3", 1, "#size"),
    ("cover == 'AA=='", 10, "CAST(\"AA==\", \"NSData\")"),
    ("CONTAINS(title, 'a')", 1, "between two values"),
    ("identifier == E621E1F8-C36C-495A-93FC-0C247A3E6E5F", 32, "quotation marks"),
    ("SELF isKindOfClass: 'Book'", 6, "leave it out"),
    ("title isEqualToString: 'a'", 7, "write title =="),
    ("title hasPrefix: 'a'", 7, "write title BEGINSWITH"),
    ("title caseInsensitiveCompare: 'a'", 7, "write title ==[c]"),
    ("pages compare: 1", 7, "write pages <"), ("author.$name == 'x'", 8, "write $name alone"),
    ("ABS(pages) > 1", 1, "“abs:”"), ("SUM(readers.age) > 1", 1, "“sum:”"),
    ("title.doubleValue > 1", 1, "CAST(title, \"NSNumber\")"),
    ("pages.unsignedIntegerValue > 1", 1, "write pages.integerValue"),
    ("FUNCTION(title, 'compare:', 'a') == 0", 1, "write a < b"),
    ("title == '\\u{E9}'", 11, "\\U0001F44D"), ("title == '\\U00E91'", 11, "\\U0001F44D"),
    ("pages > 5 // all", 12, "no comments"), ("(pages > 5", 11, "opens at character 1"),
    ("pages > 5 /* all */", 12, "no comments"), ("title ==[i] 'x'", 10, "c, d, n and l"),
  ]

  @Test(arguments: habits)
  func `a habit from elsewhere is answered with what to write, at its character`(
    text: String, column: Int, remedy: String
  ) throws {
    let message = try #require(try Self.message(text))
    #expect(message.location?.column == column, "\(message)")
    #expect(message.remedy?.contains(remedy) == true, "\(message)")
  }

  @Test(arguments: [
    "title LIKE '50%*'", "title LIKE 'a_c'", "title IN subtitle", "'a' IN title", "title IN {'a'}",
    "pages BETWEEN {1, 5} AND shelf == 1", "pages & 3 == 3", "TRUEPREDICATE AND pages > 1",
  ])
  func `what is meant as it is written is not warned of`(text: String) throws {
    #expect(try Self.message(text) == nil)
  }

  // MARK: Pasting

  /// What a remedy may mean by “write …”: all that follows, or a beginning of it that an explanation
  /// follows; an operator alone wants a value behind it.
  private static func readings(_ remedy: String) -> [String] {
    guard remedy.hasPrefix("write ") else { return [] }
    let all = String(remedy.dropFirst("write ".count))
    var beginnings = [all]
    for end in [" for ", ", ", "; ", " in ", " without ", " alone", " with "] {
      beginnings += all.ranges(of: end).map { String(all[..<$0.lowerBound]) }
    }
    beginnings = beginnings.map {
      $0.replacing(", …", with: ", 2").replacing(" …", with: " 'x'").replacing(
        "(condition,", with: "(a == 1,")
    }
    return beginnings + beginnings.map { "\($0) 'x'" } + beginnings.map { "title \($0)" }
      + beginnings.map { "pages \($0) 1" }
  }

  private static func isAccepted(_ text: String) -> Bool {
    let location = SourceLocation(file: "--filter", line: 1, column: 0)
    do throws(Diagnostics) {
      _ = try FormatParser.predicate(text, at: location)
      return true
    } catch {}
    do throws(Diagnostics) {
      _ = try FormatParser.expression(text, at: location)
      return true
    } catch { return false }
  }

  @Test func `an expression that a remedy says to write is accepted unchanged`() throws {
    var rest: [String] = []
    var accepted = 0
    for habit in Self.habits {
      guard let remedy = try Self.message(habit.text)?.remedy, remedy.hasPrefix("write ")
      else { continue }
      if Self.readings(remedy).contains(where: Self.isAccepted) {
        accepted += 1
      } else {
        rest.append(remedy)
      }
    }
    #expect(accepted >= 30)
    #expect(Set(rest) == Self.forms)
  }

  /// What is said in words: there is nothing to paste.
  private static let forms: Set<String> = [
    "write 0 before the point of a number",
    "write ANY before the comparison, without parentheses around it",
    "write ISO 8601 with its zone, as in “2024-01-31T12:00:00Z”",
    "write SUBQUERY(readers, …).@count",
    "write YES or NO, without quotation marks",
    "write \\u and 4 digits, or \\U and 8, as in \\U0001F44D",
    "write a text such as \"2024-01-31T12:00:00Z\", or compare printed.timeIntervalSince1970",
    "write a value; placeholders are %@ and $NAME, and TERNARY(condition, a, b) chooses",
    "write one sign: ==, !=, <, <=, > or >=", "write straight quotation marks, as in \"text\"",
    "write the character itself, or \\U and 8 digits, as in \\U0001F44D",
    "write the condition alone, without LIMIT", "write the condition alone, without ORDER",
    "write the condition alone, without SELECT, FROM and WHERE",
    "write the date as a text, as in \"2024-01-31T12:00:00Z\"; the present is now()",
    "write the value without “@”",
    "write what is compared in each condition, as in a == 1 OR a == 2, or a IN {1, 2}",
    "write what is compared on both sides of AND, as in a >= 1 AND a <= 9",
  ]
}
