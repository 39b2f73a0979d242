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
}
