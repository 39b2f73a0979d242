import Foundation
import PassageDiagnostics
import Testing

@testable import PassageReports

/// The page of a rehearsal.
struct RehearsalPageTests {
  private static let ways = ["direct", "page", "row"]

  private static func page(
    versions: Int, stores: Int, name: String = "", failing: Set<Int> = []
  ) -> RehearsalPage {
    var page = RehearsalPage(
      again: "migrate rehearse --seed 1 \(name)",
      ways: ways.map { .init($0, "What \($0) is \(name)") }, timeText: "2026-11-24T00:00:00Z",
      toolVersion: "0")
    page.target = "last \(name)"
    page.seed = 1
    for number in 0..<stores {
      let hasFailed = failing.contains(number)
      let finding = MigrationPage.Finding(
        Diagnostic("REH-010", "they differ \(name)", reason: "by one", remedy: "look \(name)"))
      page.stores.append(
        RehearsalPage.Store(
          path: "store \(number)\(name)", version: "v\(number % versions)\(name)", objects: 3,
          ways: [
            RehearsalPage.Way(name: "direct", outcome: .passed, seconds: 1),
            RehearsalPage.Way(
              name: "page", outcome: hasFailed ? .failed : .passed, seconds: 2,
              findings: hasFailed ? [finding] : []),
            RehearsalPage.Way(name: "row", outcome: .skipped, reason: "no row\(name)"),
          ]))
    }
    return page
  }

  @Test func `hostile names stay texts, and every element is closed`() {
    let html = Self.page(versions: 2, stores: 3, name: SamplePages.hostile, failing: [1]).html
    #expect(!html.contains("<script"))
    #expect(!html.contains("onload='"))
    #expect(html.contains("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&#39;&amp;"))
    #expect(ClosedElements.mistakes(in: html) == [])
    #expect(MigrationPage.isPage(Array(html.utf8.prefix(MigrationPage.prefixBytes))))
    for word in ["http://", "https://", "<link", "<img", "src=", "@import", "url("] {
      #expect(!html.contains(word), "\(word)")
    }
  }

  @Test func `a rehearsal of nothing is neither good nor bad`() {
    var page = Self.page(versions: 1, stores: 0)
    page.nothingRehearsed = "there is <no> store"
    let html = page.html
    #expect(html.contains("<strong>Nothing was rehearsed: there is &lt;no&gt; store</strong>"))
    #expect(!html.contains("class='outcome good'") && !html.contains("class='outcome bad'"))
    #expect(!html.contains("same stores"))
  }

  @Test func `a reason for which many ways failed is told once, before everything else`() throws {
    let html = Self.page(versions: 2, stores: 30, failing: [3, 4, 29]).html
    #expect(html.components(separatedBy: "they differ").count == 2)
    for words in [
      "3 ways failed", "<bdi>store 29</bdi></b>, version “<bdi>v1</bdi>”: page", "look",
      "no row: row of 30 stores", "<b>57</b> <span>ways passed</span>",
    ] {
      #expect(html.contains(words), "\(words)")
    }
    let failure = try #require(html.firstRange(of: "they differ")).lowerBound
    #expect(failure < (try #require(html.firstRange(of: "<table"))).lowerBound)
  }

  /// Each store is in the strands of each way once, and what did not pass does not arrive.
  @Test(arguments: [(1, 1), (3, 30), (30, 30), (120, 400)])
  func `all stores are drawn, and those that passed arrive`(versions: Int, stores: Int) {
    let flow = RehearsalFlow(Self.page(versions: versions, stores: stores, failing: [0]))
    for (position, name) in Self.ways.enumerated() {
      let node = flow.nodes.firstIndex { $0.column == 1 && $0.name == name } ?? 0
      #expect(flow.strands.filter { $0.to == node }.reduce(0) { $0 + $1.count } == stores)
      let arrived = flow.strands.filter { $0.from == node }.reduce(0) { $0 + $1.count }
      #expect(arrived == [stores, stores - 1, 0][position])
    }
    let shown = flow.nodes.filter { $0.column == 0 }
    #expect(shown.count == min(versions, RehearsalFlow.shownVersions))
    #expect(shown.contains { $0.name == "v0" })
    for (one, first) in flow.boxes.enumerated() {
      #expect(first.x + first.width <= flow.width && first.y + first.height <= flow.height)
      for second in flow.boxes[(one + 1)...] where second.x == first.x {
        #expect(first.y + first.height <= second.y)
      }
    }
  }
}
