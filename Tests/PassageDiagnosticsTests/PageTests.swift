import Foundation
import TestSupport
import Testing

/// Pages that name files of the sources name files that exist.
struct PageTests {
  private static let root = URL(filePath: Repository.root)

  private static func swiftFiles() throws -> [String] {
    let names = try #require(
      FileManager.default.enumerator(atPath: root.appending(path: "Sources").path))
    return names.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
  }

  @Test(arguments: ["Sources/Passage/Passage.docc/Architecture.md", "CONTRIBUTING.md"])
  func `every file a page names exists`(_ page: String) throws {
    let text = try String(contentsOf: Self.root.appending(path: page), encoding: .utf8)
    let files = try Self.swiftFiles()
    let named = text.matches(of: /`([A-Za-z+\/]+\.swift)`/).map { String($0.output.1) }
    #expect(named.count > 2)
    let missing = named.filter { name in !files.contains { "/\($0)".hasSuffix("/\(name)") } }
    #expect(missing == [])
  }

  /// A map that lacks a module, or has one too many, leads astray.
  @Test func `the map of the sources names every module`() throws {
    let text = try String(
      contentsOf: Self.root.appending(path: "CONTRIBUTING.md"), encoding: .utf8)
    let named = text.matches(of: /(?m)^\| `([A-Za-z]+)` \|/).map { String($0.output.1) }
    let modules = try FileManager.default.contentsOfDirectory(
      atPath: Self.root.appending(path: "Sources").path)
    #expect(named.sorted() == modules.filter { !$0.hasPrefix(".") }.sorted())
  }

  /// Links between the pages at the top and those of the catalogue.
  @Test(arguments: ["README.md", "CONTRIBUTING.md", "SECURITY.md"])
  func `every link to a file of the repository leads somewhere`(_ page: String) throws {
    let text = try String(contentsOf: Self.root.appending(path: page), encoding: .utf8)
    let targets = text.matches(of: /\]\(([^)#:]+)\)/).map { String($0.output.1) }
    let missing = targets.filter {
      !FileManager.default.fileExists(atPath: Self.root.appending(path: $0).path)
    }
    #expect(missing == [])
  }
}
