import Foundation
import TestSupport
import Testing

/// The page of errors lists every code of the sources, and no other.
struct ErrorsPageTests {
  private static let root = URL(filePath: Repository.root)

  /// The codes that are between the delimiters, with how often each does.
  private static func codes(in text: String, between delimiter: String) -> [String: Int] {
    // The text between two delimiters is a code when it has the form of one.
    var counts: [String: Int] = [:]
    for part in text.components(separatedBy: delimiter)
    where part.wholeMatch(of: /[A-Z]{3}-[0-9]{3}/) != nil {
      counts[part, default: 0] += 1
    }
    return counts
  }

  private static func codesOfSources() throws -> Set<String> {
    let sources = root.appending(path: "Sources")
    let files = try #require(FileManager.default.enumerator(atPath: sources.path))
    var codes: Set<String> = []
    for case let name as String in files where name.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appending(path: name), encoding: .utf8)
      codes.formUnion(self.codes(in: text, between: "\"").keys)
    }
    return codes
  }

  /// The first cells of the page's tables.
  private static func codesOfPage() throws -> [String] {
    let page = root.appending(path: "Sources/Passage/Passage.docc/Errors.md")
    let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
    return lines.compactMap { line in
      line.hasPrefix("| `") ? codes(in: String(line.prefix(11)), between: "`").keys.first : nil
    }
  }

  @Test func `every code of the sources is on the page`() throws {
    let missing = try Self.codesOfSources().subtracting(Self.codesOfPage()).sorted()
    #expect(missing == [], "Errors.md lacks \(missing.joined(separator: ", "))")
  }

  @Test func `every code on the page is in the sources`() throws {
    let unused = try Set(Self.codesOfPage()).subtracting(Self.codesOfSources()).sorted()
    #expect(unused == [], "nothing has the codes \(unused.joined(separator: ", "))")
  }

  @Test func `every code occurs once and in order of its group`() throws {
    let codes = try Self.codesOfPage()
    #expect(codes.count == Set(codes).count && codes.count > 100)
    for (_, group) in Dictionary(grouping: codes, by: { $0.prefix(3) }) {
      #expect(group == group.sorted())
    }
  }
}
