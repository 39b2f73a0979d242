import Foundation
import PassageDiagnostics
import PassageModels
import PassageProjects
import PassageTesting
import TestSupport
import Testing

@testable import PassageChecking

/// Levels, exceptions and recorded hashes of a history.
struct SettingsTests {
  private static let mapping = CheckedFolder.mapping(
    #"{ "type": "transform", "source": "Note", "destination": "Note","#
      + #" "attributes": { "text": {}, "size": {}, "kind": {} }, "#
      + #""relationships": { "pages": {} } },"#
      + #" { "type": "copy", "source": "Page", "destination": "Page" }"#)

  private func check(_ settings: String, version: String = "") throws -> HistoryCheck {
    try CheckedFolder(
      history: CheckedFolder.history(",\n\"check\": \(settings)", version: version),
      mappings: ["M": Self.mapping]
    ).check()
  }

  private func codes(_ check: HistoryCheck) -> [String] { check.findings.map(\.code).sorted() }

  @Test func `what is found without settings`() throws {
    #expect(try codes(check("{}")) == ["CHK-001", "CHK-003", "CHK-004", "CHK-013", "MAP-018"])
  }

  @Test func `a version named like an option is recorded as the remedy says`() throws {
    let check = try CheckedFolder(
      history: CheckedFolder.history().replacing(#""1""#, with: #""-1""#),
      mappings: ["M": Self.mapping.replacing(#""1""#, with: #""-1""#)]
    ).check()
    let found = check.findings.first { $0.code == "CHK-013" }
    #expect(found?.diagnostic.remedy?.hasPrefix("migrate check --record=-1 ") == true)
  }

  @Test(arguments: [
    (#"{"code": "CHK-001", "reason": "r"}"#, true),
    (
      #"{"code": "CHK-001", "mapping": "M", "entityMapping": "NoteToNote", "entity": "Note", "property": "year", "reason": "r"}"#,
      true
    ), (#"{"code": "CHK-001", "property": "text", "reason": "r"}"#, false),
    (#"{"code": "CHK-001", "version": "1", "reason": "r"}"#, false),
  ])
  func `an exception fits a finding with all of its names`(_ text: String, _ fits: Bool) throws {
    let check = try check(#"{"exceptions": [\#(text)]}"#)
    #expect(check.findings.contains { $0.code == "CHK-001" } != fits)
    #expect(check.excepted.map(\.reason) == (fits ? ["r"] : []))
    // One that fits nothing is itself found, where its code is written.
    let unused = check.findings.first { $0.code == "CHK-020" }
    #expect((unused == nil) == fits)
    #expect(fits || unused?.diagnostic.location?.line == 5)
    #expect(unused?.diagnostic.severity ?? .note == .note)
  }

  @Test func `a level is raised without a reason and lowered with one`() throws {
    let raised = try check(#"{"levels": {"CHK-003": "error"}}"#)
    #expect(raised.reaches(.error) && raised.count(of: .error) == 1)
    let lowered = try check(#"{"levels": {"CHK-003": {"level": "note", "reason": "r"}}}"#)
    #expect(lowered.findings.first { $0.code == "CHK-003" }?.diagnostic.severity == .note)
    #expect(!codes(lowered).contains("CHK-022") && !lowered.reaches(.error))
    let unexplained = try check(#"{"levels": {"CHK-003": "note"}}"#)
    let finding = try #require(unexplained.findings.first { $0.code == "CHK-022" })
    #expect(finding.diagnostic.location?.line == 5 && finding.diagnostic.location?.column == 22)
  }

  @Test(arguments: [
    #"{"levels": {"CHK-099": "error"}}"#, #"{"exceptions": [{"code": "CHK-099", "reason": "r"}]}"#,
    #"{"levels": {"chk-1": "error"}}"#,
  ])
  func `a code that is none is found`(_ settings: String) throws {
    let found = try check(settings)
    #expect(found.findings.filter { $0.code == "CHK-021" }.map(\.diagnostic.severity) == [.error])
    #expect(!codes(found).contains("CHK-020"))
  }

  /// A plan's own warnings can be excepted too.
  @Test func `a warning of a plan is a finding`() throws {
    let check = try check(#"{"exceptions": [{"code": "MAP-018", "mapping": "M", "reason": "r"}]}"#)
    #expect(!codes(check).contains("MAP-018") && check.excepted.count == 1)
  }

  @Test(arguments: [
    (#"{"exceptions": [{"code": "CHK-001"}]}"#, "4:26"),
    (#"{"exceptions": [{"code": "CHK-001", "reason": " "}]}"#, "4:56"),
    (#"{"levels": {"CHK-001": "fatal"}}"#, "4:33"),
    (#"{"levels": {"CHK-001": {"level": "note"}}}"#, "4:33"),
    (#"{"rules": []}"#, "4:11"),
  ])
  func `settings that cannot be read are refused at their place`(
    _ settings: String, _ place: String
  ) throws {
    let text = CheckedFolder.history(",\"check\": \(settings)")
    let error = try #require(throws: Diagnostics.self) {
      try HistoryDocument.decode(Array(text.utf8), file: "h.json")
    }
    #expect(error.errors.map(\.code) == ["PLN-001"])
    #expect(error.errors[0].location?.line == 4)
  }

  /// The hash of “Page”, made another one.
  @Test func `a model that changed after its release is found with what changed`() throws {
    let folder = try CheckedFolder(mappings: ["M": Self.mapping])
    let project = try Project(
      migrationsDirectory: folder.folder.path("Migrations"),
      mappingsDirectory: folder.folder.path("Mappings"))
    var hashes = try #require(project.models["1"]?.versionHashes)
    func written() -> String {
      let members = hashes.map { "\"\($0)\": \"\(Data($1).base64EncodedString())\"" }
      return ", \"versionHashes\": { \(members.joined(separator: ", ")) }"
    }
    #expect(try !codes(check("{}", version: written())).contains("CHK-012"))
    #expect(try !codes(check("{}", version: written())).contains("CHK-013"))
    hashes["Page"]?[0] ^= 1
    hashes["Gone"] = hashes["Note"]
    let finding = try #require(
      check("{}", version: written()).findings.first { $0.code == "CHK-012" })
    #expect(finding.diagnostic.severity == .error && finding.places == [.version: "1"])
    #expect(finding.diagnostic.reason == "changed: “Page”; removed: “Gone”")
    #expect(finding.diagnostic.location?.line == 2 && finding.diagnostic.location?.column == 29)
  }

  @Test func `a history with all members is written as it was read`() throws {
    let text = CheckedFolder.history(
      #"""
      , "check": { "levels": {"CHK-003": "error", "CHK-004": {"level": "note", "reason": "r"}},
        "exceptions": [{"code": "CHK-001", "mapping": "M", "entity": "E", "reason": "r"}] }
      """#, version: #", "versionHashes": { "A": "\#(String(repeating: "A", count: 43))=" }"#)
    let history = try HistoryDocument.decode(Array(text.utf8), file: "h.json")
    #expect(history.versions[0].hashes == ["A": [UInt8](repeating: 0, count: 32)])
    let again = HistoryDocument.encode(history)
    #expect(try HistoryDocument.decode(Array(again.utf8), file: "h.json") == history)
  }
}
