import Foundation
import PassageTesting
import TestSupport
import Testing

/// Every step of the tutorial, in its order, in a folder of its own.
struct TutorialTests {
  /// A step: a file to write, or a session of a terminal.
  struct Step: CustomStringConvertible {
    let name: String
    let file: String
    let contents: String
    var description: String { file }

    /// The commands of a session, each with what it prints.
    var commands: [(line: String, shown: String)] {
      contents.components(separatedBy: "$ ").dropFirst().map { part in
        let lines = part.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(lines[0]), lines.count > 1 ? String(lines[1]) : "")
      }
    }
  }

  private static let catalogue = "Sources/Passage/Passage.docc"

  static let steps: [Step] = {
    let page = (try? Repository.text("\(catalogue)/Tutorials/FirstMigration.tutorial")) ?? ""
    return page.matches(of: /@Code\(name: "([^"]+)", file: "([^"]+)"\)/).map { match in
      let file = String(match.output.2)
      return Step(
        name: String(match.output.1), file: file,
        contents: (try? Repository.text("\(catalogue)/Resources/Tutorial/\(file)")) ?? "")
    }
  }()

  private static let hasShell = ["/bin/bash", "/usr/bin/sqlite3"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// Whether a text is one that is shown with `…` for what differs from call to call.
  static func isShown(_ text: String, as shown: String) -> Bool {
    var rest = Substring(text)
    let parts = shown.components(separatedBy: "…")
    guard rest.hasPrefix(parts[0]) else { return false }
    rest = rest.dropFirst(parts[0].count)
    for part in parts.dropFirst() {
      guard let range = part.isEmpty ? rest.endIndex..<rest.endIndex : rest.firstRange(of: part)
      else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.isEmpty || parts.count > 1 && text.hasSuffix(parts[parts.count - 1])
  }

  @Test(arguments: [
    ("a\nb\n", "a\nb\n", true), ("a 12 b\n", "a … b\n", true), ("a\nb\nc\n", "a\n…\nc\n", true),
    ("a\n", "a\nb\n", false), ("a\nb\n", "a\n", false), ("a 12 c\n", "a … b\n", false),
    ("b\n", "…\na\n", false), ("x a y a\n", "x …a\n", true), ("x a y\n", "x …a\n", false),
  ])
  func `what differs may differ, and nothing else`(text: String, shown: String, holds: Bool) {
    #expect(Self.isShown(text, as: shown) == holds)
  }

  @Test func `every file of the tutorial is a step, and none is missing`() throws {
    let files = try FileManager.default.contentsOfDirectory(
      atPath: Repository.file("\(Self.catalogue)/Resources/Tutorial"))
    #expect(Self.steps.map(\.file) == files.sorted())
    #expect(Self.steps.count > 15)
  }

  @Test(.enabled(if: hasShell))
  func `every step does what the tutorial shows`() throws {
    let project = try TutorialProject()
    var commands = 0
    for step in Self.steps {
      guard step.name == "Terminal" else {
        try project.write(step.contents, to: step.name)
        continue
      }
      for (line, shown) in step.commands {
        commands += 1
        let outcome = try project.shell(line)
        #expect(
          Self.isShown(outcome.output, as: shown), "\(step.file): \(line)\n\(outcome.output)")
        // A step that shows an error shows what it is about.
        #expect((outcome.status == 0) == !shown.hasPrefix("error["), "\(step.file): \(line)")
      }
    }
    #expect(commands > 12)
  }

  /// Links would show nothing where the tutorial shows code.
  @Test func `the package that is made is the one that the tutorial shows`() throws {
    let shown = try #require(Self.steps.first { $0.name == "Package.swift" }).contents
    let project = try NotesProject()
    try project.folder.write("// swift-tools-version: 6.2", to: "passage/Package.swift")
    try #require(
      try project.migrate(
        "init", NotesProject.bundle, "--output", "app", "--package", "--dependency", "passage"
      ).status == 0)
    let made = try #require(project.folder.contents("app/Package.swift"))
    let app = try #require(shown.range(of: "    // The app"))
    let after = try #require(shown.range(of: "    .testTarget("))
    #expect(
      String(decoding: made, as: UTF8.self)
        == shown[..<app.lowerBound] + shown[after.lowerBound...])
  }
}
