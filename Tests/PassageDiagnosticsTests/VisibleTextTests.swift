import PassageDiagnostics
import TestSupport
import Testing

/// Names from files can hold anything, and a message is read in a terminal, a log or a pipe.
@Suite struct VisibleTextTests {
  @Test(arguments: [
    ("Straße 東京\u{200D}", "Straße 東京\u{200D}"), ("a\nerror[X]: b\tc", "a^Jerror[X]: b^Ic"),
    ("\u{1B}[31mred", "^[[31mred"), ("\u{202E}cba\u{2069}", "\\u{202E}cba\\u{2069}"),
    ("a\r\nb\u{2028}c", "a^M^Jb\\u{2028}c"), ("\u{9B}2J\u{7F}\0", "^[2J^?^@"),
  ])
  func `a name does not look like anything else`(text: String, line: String) {
    #expect(VisibleText.line(text) == line)
  }

  @Test func `a name in a message begins no line and has no colour`() {
    let name = "x\u{1B}[2J\nerror[RUN-001]: the disk is broken\u{202E}"
    let diagnostic = Diagnostic(
      "RUN-002", "no entity “\(name)”", at: SourceLocation(file: name, line: 1),
      reason: "two\nlines, and “\u{1B}[31m”", remedy: "rename “\u{7}”")
    #expect(
      diagnostic.description
        == """
        error[RUN-002]: no entity “x^[[2J^Jerror[RUN-001]: the disk is broken\\u{202E}”
          --> x^[[2J^Jerror[RUN-001]: the disk is broken\\u{202E}:1
          why   two
        lines, and “^[[31m”
          try   rename “^G”
        """)
  }
}
