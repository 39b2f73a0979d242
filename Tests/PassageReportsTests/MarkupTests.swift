import Testing

@testable import PassageReports

/// What stands between the literals of a page cannot become markup.
struct MarkupTests {
  @Test(arguments: [
    ("<script>", "&lt;script&gt;"), ("a & b", "a &amp; b"),
    ("\"x\" 'y'", "&quot;x&quot; &#39;y&#39;"),
    ("tab\tand\nline", "tab\tand\nline"), ("nul\0, escape\u{1B}", "nul\u{FFFD}, escape\u{FFFD}"),
    ("\u{202E}evil", "\u{FFFD}evil"), ("\u{2028}\u{FEFF}", "\u{FFFD}\u{FFFD}"),
    ("Größe 数", "Größe 数"),
  ])
  func `texts are escaped`(_ text: String, _ escaped: String) {
    let markup: Markup = "<b title='\(text)'>\(text)</b>"
    #expect(markup.text == "<b title='\(escaped)'>\(escaped)</b>")
    #expect(Markup(escaping: text).text == escaped)
  }

  @Test func `a piece of markup is put in as it is`() {
    let inner: Markup = "<i>\("<")</i>"
    let outer: Markup = "<b>\(inner)</b>"
    #expect(outer.text == "<b><i>&lt;</i></b>")
  }

  @Test(arguments: [
    (0.0, "0"), (1.04, "1"), (-0.26, "-0.3"), (1_234.56, "1234.6"), (.infinity, "0"), (.nan, "0"),
    (1e300, "0"),
  ])
  func `lengths have one digit after the point`(_ length: Double, _ text: String) {
    let markup: Markup = "\(length)"
    #expect(markup.text == text)
  }

  @Test(arguments: [
    "Event", "AnEntityWithANameThatIsFarTooLongForAnyBox", "数据库实体名称数据库实体名称数据库实体名称",
    "👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦", "line\nbreak\u{202E}", "",
  ])
  func `a fitted text is not wider than its room`(_ text: String) {
    let measure = TextMeasure(size: 13, isBold: true)
    for room in [60.0, 120, 240, 480] {
      let fitted = measure.fitted(text, into: room)
      #expect(measure.width(fitted) <= room)
      #expect(!fitted.contains("\n"))
      if measure.width(text) <= room, !text.contains("\n") { #expect(fitted == text) }
    }
  }
}
