import Foundation
import TestSupport
import Testing

/// Messages for people have one kind of quotation mark, “ and ”. The straight one stands only in what is
/// to be pasted, and in what programs read: expressions, SQL, JSON, XML.
struct QuotationMarkTests {
  private static let sources = Repository.url("Sources")

  /// What a line with straight quotation marks in a text has, that is no sentence alone.
  private static let pasted = [
    // The expression language.
    "CAST(", "FUNCTION(", "parseNumber(", "lookup(", "<entity mapping>", "x-coredata:", "LIKE ",
    "predicate about the object", "isBare", "straight quotation marks", "IN {",
    "2024-01-31T12:00:00Z", "2001-01-01T00:00:00Z", "E621E1F8", "a collection, {} ==",
    // SQL.
    "Z_PK", "Z_ENT", "SELECT ", "quotedIdentifier", "replacing(",
    // JSON, XML and Swift.
    "keys", "=\\\"", "versionHashes", "{\\\"type\\\":", "{\\\"url\\\":", "{ \\\"level\\\":",
    #"write \"\(name)\": "#,
    "static let revision",
  ]

  @Test func `a sentence has no straight quotation marks`() throws {
    let pair = try Regex(#"\\"[^"\\]*(\\\([^"]*\)[^"\\]*)*\\""#)
    let files = try #require(FileManager.default.enumerator(atPath: Self.sources.path))
    var found: [String] = []
    var lineCount = 0
    for case let file as String in files where file.hasSuffix(".swift") {
      let text = try String(contentsOf: Self.sources.appending(path: file), encoding: .utf8)
      for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
      where !line.drop(while: { $0 == " " }).hasPrefix("//") {
        lineCount += 1
        guard line.contains(pair), !Self.pasted.contains(where: { line.contains($0) }) else {
          continue
        }
        found.append("\(file):\(number + 1): \(line)")
      }
    }
    #expect(lineCount > 10_000)
    #expect(found == [], "write “ and ” in sentences, or say in `pasted` what is pasted")
  }
}
