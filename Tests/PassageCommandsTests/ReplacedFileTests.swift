import Foundation
import PassageFleets
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An output that replaces a device, a pipe or a folder.
struct ReplacedFileTests {
  private static let calls = [
    ["rehearse", "--size", "2", "--junit"], ["diagram", "Migrations", "--force", "--output"],
    ["fleet", "report", "fleet.jsonl", "--force", "--output"],
  ]

  @Test(arguments: calls, ["pipe", "link", "dangling", "Mappings"])
  func `only a regular file is ever replaced`(call: [String], path: String) throws {
    let project = try ExampleProject()
    var entry = LedgerEntry(store: "1.sqlite", outcome: .migrated)
    (entry.from, entry.to, entry.plan) = ("1", "2", "p")
    entry.time = "2026-11-24T10:00:00Z"
    try project.folder.write(entry.line, to: "fleet.jsonl")
    #expect(mkfifo(project.path("pipe"), 0o600) == 0)
    let manager = FileManager.default
    try manager.createSymbolicLink(atPath: project.path("link"), withDestinationPath: "pipe")
    try manager.createSymbolicLink(atPath: project.path("dangling"), withDestinationPath: "none")
    let before = try state(of: project)
    let outcome = try project.migrate(call + [path])
    #expect(outcome.status == 64, "\(outcome.errors)")
    #expect(outcome.errors.contains("error[RUN-002]"), "\(outcome.errors)")
    #expect(try state(of: project) == before)
  }

  @Test func `the XML replaces an empty file, and the target of a link`() throws {
    let project = try ExampleProject()
    try project.folder.write("", to: "result.xml")
    try FileManager.default.createSymbolicLink(
      atPath: project.path("link.xml"), withDestinationPath: "result.xml")
    let outcome = try project.migrate("rehearse", "--size", "2", "--junit", "link.xml")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try type(of: "link.xml", project) == .typeSymbolicLink)
    let text = try String(contentsOfFile: project.path("result.xml"), encoding: .utf8)
    #expect(text.contains("<testsuite"))
  }

  /// The names in a project, with what each of them is.
  private func state(of project: ExampleProject) throws -> [String] {
    try project.folder.everything.map { "\($0): \(try type(of: $0, project)?.rawValue ?? "")" }
  }

  private func type(of name: String, _ project: ExampleProject) throws -> FileAttributeType? {
    try FileManager.default.attributesOfItem(atPath: project.path(name))[.type]
      as? FileAttributeType
  }
}
