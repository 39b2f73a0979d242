import Passage
import PassageEngine
import PassageTesting
import TestSupport
import Testing

/// The danger that a small mapping model over a small store makes texts of any size.
@Suite(.serialized) struct TextGrowthTests {
  private static let source = Model("1", [Entity("Note", [.text("title")])])
  private static let destination = Model("2", [Entity("Note", [.text("title"), .text("more")])])

  private static func trial(_ expression: String) throws -> Trial {
    let mappings = try mapping(
      """
      {"type": "transform", "source": "Note", "destination": "Note",
       "attributes": {"title": "\(expression)"}}
      """)
    return try Trial(source, destination, [mappings]) { store in
      try store.insert("Note", ["title": "b"])
      try store.insert("Note", ["title": .text(String(repeating: "a", count: 3_200))])
    }
  }

  /// 10 MB where the title is long, and more than memory has where it is nested.
  private static func nested(_ count: Int) -> String {
    (0..<count).reduce("$source.title") { text, _ in "replace(\(text), 'a', $source.title)" }
  }

  @Test(arguments: [
    nested(4),
    "concatenate(\(nested(1)), \(nested(1)), \(nested(1)), \(nested(1)), \(nested(1)), \(nested(1)), \(nested(1)))",
    "replaceMatches(\(nested(1)), '^.*$', '\(String(repeating: "$0", count: 2_000))')",
    "join($source.title, \(Array(repeating: nested(1), count: 40).joined(separator: ", ")))",
  ])
  func `a text that would become too large is an error that names its place`(
    expression: String
  ) throws {
    let trial = try Self.trial(expression)
    for options in Trial.ways.prefix(2) {
      let failure = try trial.failure(options: options)
      #expect(failure.codes == ["RUN-042"])
      let diagnostic = try #require(failure.diagnostics.all.first)
      #expect(diagnostic.message.contains("Note"), "\(diagnostic)")
      #expect(diagnostic.message.contains("object with key 2"), "\(diagnostic)")
      #expect(diagnostic.reason?.contains("PRE-041: “title”: ") == true, "\(diagnostic)")
    }
  }

  @Test func `many texts that may be large are put together in memory`() throws {
    let parts = (0..<12).map { "replace($source.title, 'b', '\($0)')" }.joined(separator: ", ")
    let trial = try Self.trial("join('-', \(parts))")
    let (found, report) = try trial.migrate()
    #expect(found["Note"].first?["title"] == "0-1-2-3-4-5-6-7-8-9-10-11")
    #expect(report.steps.flatMap(\.mappings).map(\.lane) == [.row])
  }
}
