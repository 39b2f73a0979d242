import PassageDiagnostics
import PassageValues
import Testing

@testable import PassageExpressions

/// The bound of the matches that are replaced in one text.
struct PatternSearchTests {
  @Test func `as many matches as the bound are replaced, and no more`() throws {
    let search = PatternSearch(maximumMatches: 3)
    #expect(try search.replacing("a", in: "aaab", with: "$0$0") == .text("aaaaaab"))
    let error = #expect(throws: Diagnostic.self) {
      try search.replacing("a", in: "aaaab", with: "$0$0")
    }
    #expect(error?.code == "PRE-031")
    #expect(error?.message.contains("more than 3 times in a text of 5 code units") == true)
  }

  /// ICU reports every place at which it has looked in vain.
  @Test(arguments: [1_000, 1_020, 5_000, 200_000])
  func `long texts are searched to their end`(length: Int) throws {
    let search = PatternSearch(maximumMatches: 3)
    let text = String(repeating: "lorem ipsum ", count: length / 12 + 1)
    #expect(try search.first("[0-9]+", in: text, group: 0) == .null)
    #expect(try search.first("[0-9]+", in: text + "7", group: 0) == .text("7"))
    #expect(try search.replacing("<[^>]+>", in: text + "<b>", with: "") == .text(text))
  }

  @Test func `a search that tries every way is given up`() {
    let search = PatternSearch(maximumMatches: 3)
    let error = #expect(throws: Diagnostic.self) {
      try search.first("(a+)+b", in: String(repeating: "a", count: 60), group: 0)
    }
    #expect(error?.code == "PRE-031")
  }
}
