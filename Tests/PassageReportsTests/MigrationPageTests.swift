import PassageDiagnostics
import PassageReports
import Testing

/// The page of a migration.
struct MigrationPageTests {
  @Test func `hostile names stay texts`() throws {
    let html = SamplePages.hostilePage.html
    #expect(!html.contains("<script"))
    #expect(!html.contains("alert(\""))
    #expect(!html.contains("onload='"))
    #expect(html.contains("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&#39;&amp;"))
    let controls = html.unicodeScalars.filter {
      $0.value < 0x20 && $0 != "\n" || (0x7F...0x9F).contains($0.value) || $0.value == 0x202E
    }
    #expect(controls.isEmpty)
  }

  @Test(arguments: [true, false])
  func `every element is closed`(isHostile: Bool) throws {
    let html = isHostile ? SamplePages.hostilePage.html : SamplePages.page([]).html
    #expect(ClosedElements.mistakes(in: html) == [])
  }

  @Test(arguments: [true, false])
  func `a page loads nothing and runs nothing`(isHostile: Bool) {
    let html = isHostile ? SamplePages.hostilePage.html : SamplePages.page([]).html
    for word in [
      "http://", "https://", "<script", "<link", "<img", "<iframe", "src=", "@import", "url(",
    ] {
      #expect(!html.contains(word), "\(word)")
    }
    #expect(html.contains("default-src 'none'"))
    #expect(html.contains("prefers-color-scheme: dark"))
    #expect(html.contains("@media print"))
  }

  @Test func `a page is known by its beginning, and nothing else is`() {
    let bytes = Array(SamplePages.hostilePage.html.utf8)
    #expect(MigrationPage.isPage(Array(bytes.prefix(MigrationPage.prefixBytes))))
    for text in ["", "SQLite format 3\0", "<!doctype html><title>mine</title>", "{}"] {
      #expect(!MigrationPage.isPage(Array(text.utf8)))
    }
  }

  @Test func `what became of the objects is said in words`() {
    let html = SamplePages.hostilePage.html
    for words in [
      "3 filtered", "7 migrated", "4 values lost", "no mapping reads it", "left behind by a filter",
    ] {
      #expect(html.contains(words), "\(words)")
    }
  }

  @Test func `what happens to many entities is listed, and what is done to some is drawn`() throws {
    let plain = (0..<199).map { SamplePages.mapping("Entity\($0)", count: Int64($0)) }
    var special = SamplePages.mapping("Special", count: 5)
    special.counts?.merged = 2
    special.counts?.read = 7
    let step = MigrationPage.Step(
      source: "1", destination: "2",
      passes: [.init(name: "One", isInferred: false, mappings: plain + [special])])
    let html = SamplePages.page([step]).html
    #expect(html.contains("199 entities carried over unchanged"))
    let drawing = try #require(html.firstRange(of: "<svg")).lowerBound
    let end = try #require(html.firstRange(of: "</svg>")).upperBound
    #expect(html[drawing..<end].contains("Special"))
    #expect(!html[drawing..<end].contains("Entity7"))
    #expect(html[end...].contains("Entity7"))
  }
}
