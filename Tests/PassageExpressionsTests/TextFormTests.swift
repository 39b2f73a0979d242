import PassageDiagnostics
import PassageExpressions
import PassageModels
import PassageValues
import Testing

/// The danger that what is known about one text is used for another that Swift takes for equal: é as one scalar,
/// and as a letter and an accent.
@Suite struct TextFormTests {
  static let forms = ["\u{E9}", "e\u{301}"]

  @Test func `texts are one value if they have the same bytes`() {
    let values = Self.forms.map(Value.text)
    #expect(values[0] != values[1])
    #expect(Set(values + values).count == 2)
    #expect(values[0].distinctForm != values[1].distinctForm)
  }

  /// Both patterns of a predicate are compiled by one cache.
  @Test(arguments: forms) func `a pattern matches its own form, whatever was compiled before`(
    title: String
  ) throws {
    let object = Library.object(["title": .text(title)])
    for forms in [Self.forms, Self.forms.reversed()] {
      let text = "title MATCHES '\(forms[0])' OR title MATCHES '\(forms[1])'"
      #expect(try Library.holds(text, object), "\(Array(text.utf8))")
    }
    let other = Self.forms.first { !$0.utf8.elementsEqual(title.utf8) } ?? ""
    #expect(try !Library.holds("title MATCHES '\(other)'", object))
  }

  @Test(
    arguments: [
      (
        "replaceMatches(replaceMatches($source.title, '\u{E9}', 'one'), 'e\u{301}', 'two')",
        ["one", "two"]
      ),
      (
        "concatenate(firstMatch('\u{E9}-e\u{301}', '\u{E9}'), "
          + "firstMatch('\u{E9}-e\u{301}', 'e\u{301}'))",
        ["\u{E9}e\u{301}", "\u{E9}e\u{301}"]
      ),
      (
        "concatenate(stringInJSON($source.cover, '\u{E9}'), stringInJSON($source.cover, 'e\u{301}'))",
        ["12", "12"]
      ),
      (
        "concatenate(formatNumber($source.pages, '0\u{E9}', 'en_US'), formatNumber($source.pages, '0e\u{301}', 'en_US'))",
        ["7\u{E9}7e\u{301}", "7\u{E9}7e\u{301}"]
      ),
      (
        "concatenate(formatDate($source.printed, \"'\u{E9}'\", 'UTC', 'en_US'), "
          + "formatDate($source.printed, \"'e\u{301}'\", 'UTC', 'en_US'))",
        ["\u{E9}e\u{301}", "\u{E9}e\u{301}"]
      ),
    ] as [(String, [Value])])
  func `a function keeps apart what it made from each form`(text: String, values: [Value]) throws {
    let cover = Value.blob(Array("{\"\u{E9}\": \"1\", \"e\u{301}\": \"2\"}".utf8))
    for (title, value) in zip(Self.forms, values) {
      let object = Library.object([
        "title": .text(title), "cover": cover, "printed": .real(0), "pages": 7,
      ])
      #expect(try Library.value(text, object) == value)
    }
  }
}
