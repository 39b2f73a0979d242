import Foundation
import PassageTesting
import TestSupport
import Testing

/// `migrate restore` and `migrate prune`.
struct RestoreCommandTests {
  private static let kept = "\(ExampleProject.sample).before-1"
  private static let replaced = "\(ExampleProject.sample).after-2"

  @Test func `a migration in place is taken back, and the next one keeps a second store`() throws {
    let project = try ExampleProject()
    let before = try project.migrate("status").output
    #expect(try project.migrate("--in-place").status == 0)
    let back = try project.migrate("restore")
    #expect(back.status == 0)
    #expect(back.output.hasPrefix("Restored \(ExampleProject.sample) to version “1”"))
    #expect(back.output.contains("\(Self.replaced), version “2”"))
    #expect(project.names().contains(Self.kept))
    let status = try project.migrate("status")
    #expect(status.status == 10)
    let record = "  record\n"
    #expect(status.output.contains("put back from Events.sqlite.before-1, in place of version “2”"))
    #expect(status.output.contains(record) && !before.contains(record))
    let idle = try project.migrate("restore").output
    #expect(idle.hasPrefix("Nothing to do: \(ExampleProject.sample) is "), "\(idle)")
    let again = try project.migrate("--in-place", "--keep", "1", "--format", "json")
    let json = try again.json
    #expect(json["backup"]?.text?.hasSuffix("Events.sqlite.before-1~2") == true)
    #expect(json["removedStores"]?[0]?.text?.hasSuffix("Events.sqlite.before-1") == true)
    #expect(!project.names().contains(Self.kept))
  }

  /// A record does not have every character of a version's name; its version hashes tell which one it is.
  @Test func `a version is named with every character of its name`() throws {
    let project = try ExampleProject()
    for name in ["Migrations/history.json", "Mappings/StepOne.json", "Mappings/StepTwo.json"] {
      var text = try String(decoding: bytes(of: project.path(name)), as: UTF8.self)
      for member in ["name", "from", "source"] {
        text = text.replacing("\"\(member)\": \"1\"", with: "\"\(member)\": \"a\\u0001b\"")
      }
      try project.folder.write(text, to: name)
    }
    #expect(try project.migrate("--in-place").status == 0)
    let version = "a\u{1}b"
    for wanted in [version, "2", version] {
      let back = try project.migrate("restore", "--from", wanted)
      #expect(back.status == 0, "\(back.errors)")
    }
    #expect(project.names().contains("\(ExampleProject.sample).after-\(version)"))
    // A call that does not know the model finds what is recorded.
    try FileManager.default.removeItem(
      atPath: project.path("\(ExampleProject.sample).before-\(version)"))
    let bare = try project.migrate(
      "restore", "--store", ExampleProject.sample, "--migrations", "none", "--from", "2")
    #expect(bare.status == 0, "\(bare.errors)")
    let recorded = try project.migrate(
      "restore", "--store", ExampleProject.sample, "--migrations", "none", "--from", version)
    #expect(recorded.status == 0, "\(recorded.errors)")
  }

  @Test func `an old store that the limit removes at once is told as not kept`() throws {
    let project = try ExampleProject()
    #expect(try project.migrate("--in-place").status == 0)
    #expect(try project.migrate("restore").status == 0)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: 3_600)], ofItemAtPath: project.path(Self.kept))
    let output = try project.migrate("--in-place", "--keep", "1").output
    #expect(output.contains("  old store not kept\n"), "\(output)")
    #expect(output.contains("Events.sqlite.before-1~2\n"), "\(output)")
    #expect(project.names().contains(Self.kept))
  }

  @Test func `nothing is said of the objects of a store that is not there`() throws {
    let project = try ExampleProject()
    let outcome = try project.migrate("restore", "--store", "nope.sqlite")
    #expect(outcome.status == 64 && outcome.errors.contains("RST-001"), "\(outcome.errors)")
    #expect(outcome.errors.contains("disk: there is no store, and the kept stores are unchanged"))
  }

  @Test func `kept stores are listed and removed`() throws {
    let project = try ExampleProject()
    #expect(try project.migrate("restore", "--list").output.hasSuffix(" is kept.\n"))
    #expect(try project.migrate("--in-place").status == 0)
    #expect(try project.migrate("restore").status == 0)
    let list = try project.migrate("restore", "--list")
    #expect(list.output.contains("Events.sqlite.before-1  1"))
    #expect(list.output.contains("Events.sqlite.after-2   2"))
    let json = try project.migrate("restore", "--list", "--format", "json").json
    #expect(json["kept"]?[0]?["replacedBy"]?.text == "restoration")
    #expect(json["kept"]?[1]?["version"]?.text == "1")
    #expect(
      try project.migrate("prune", "--keep", "1", "--dry-run").output.hasPrefix("Would remove"))
    #expect(project.names().contains(Self.kept))
    let pruned = try project.migrate("prune", "--keep", "1", "--format", "json").json
    #expect(pruned["removed"]?[0]?["path"]?.text?.hasSuffix("before-1") == true)
    #expect(pruned["remaining"]?[0]?["path"]?.text?.hasSuffix("after-2") == true)
    #expect(!project.names().contains(Self.kept))
    #expect(try project.migrate("prune", "--keep", "1").output == "Nothing to remove.\n")
  }

  @Test func `the version of a copy elsewhere is told as status tells it`() throws {
    let project = try ExampleProject()
    try FileManager.default.createDirectory(
      atPath: project.path("away"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: project.path(ExampleProject.sample), toPath: project.path("away/copy.sqlite"))
    #expect(try project.migrate("--in-place").status == 0)
    let call = ["restore", "--store", ExampleProject.sample, "--from", "away/copy.sqlite"]
    let restored = try project.migrate(call + ["--format", "json"])
    #expect(restored.status == 0, "\(restored.errors)")
    #expect(try restored.json["version"]?.text == "1")
    #expect(try restored.json["replacedVersion"]?.text == "2")
  }

  /// Names as other systems' archives can have them.
  @Test(arguments: ["\u{301}a.sqlite", "a.\u{301}sqlite", "'\u{301}a.sqlite", "a\nb.sqlite"])
  func `a store is put back whatever it is called`(name: String) throws {
    let project = try ExampleProject()
    try FileManager.default.copyItem(
      atPath: project.path(ExampleProject.sample), toPath: project.path(name))
    #expect(try project.migrate("--store", name, "--in-place").status == 0)
    #expect(FileManager.default.fileExists(atPath: project.path(name) + ".before-1"))
    let restored = try project.migrate("restore", "--store", name)
    #expect(restored.status == 0, "\(restored.errors)")
    #expect(restored.output.contains("to version “1”"), "\(restored.output)")
  }

  @Test func `the folder is named in which a changed store would be kept`() throws {
    let project = try ExampleProject()
    try FileManager.default.createDirectory(
      atPath: project.path("Old"), withIntermediateDirectories: true)
    #expect(try project.migrate("--in-place", "--backup-dir", "Old").status == 0)
    try project.change(ExampleProject.sample, "DELETE FROM ZEVENTTIMESTAMP WHERE Z_PK = 1")
    let outcome = try project.migrate("restore", "--backup-dir", "Old")
    #expect(outcome.status == 43 && outcome.errors.contains("error[RST-003]"), "\(outcome.errors)")
    let remedy = /the store as it is now is kept in (.*\/)?Old\n/
    #expect(outcome.errors.contains(remedy), "\(outcome.errors)")
  }

  @Test func `old stores are kept in a folder of their own`() throws {
    let project = try ExampleProject()
    for call in [["--in-place"], ["restore", "--list"], ["restore"], ["prune", "--keep", "1"]] {
      let missing = try project.migrate(call + ["--backup-dir", "Old"])
      #expect(missing.status == 64)
      #expect(missing.errors.contains("RUN-003"))
    }
    try FileManager.default.createDirectory(
      atPath: project.path("Old"), withIntermediateDirectories: true)
    #expect(try project.migrate("--in-place", "--backup-dir", "Old").status == 0)
    func names(_ end: String) -> [String] {
      project.names().filter { $0.hasPrefix("Old/Events.sqlite.") && $0.hasSuffix(end) }
    }
    #expect(names(".before-1").count == 1)
    #expect(try project.migrate("restore").errors.contains("RST-001"))
    #expect(try project.migrate("restore", "--backup-dir", "Old", "--from", "1").status == 0)
    #expect(names(".after-2").count == 1)
  }

  @Test(arguments: [
    (["--keep", "1"], "CMD-044"), (["--backup-dir", "Old"], "CMD-044"),
    (["--in-place", "--no-backup", "--keep", "1"], "CMD-044"),
    (["--in-place", "--keep", "0"], "CMD-002"), (["restore", "--list", "--from", "1"], "CMD-045"),
    (["restore", "--list", "--discard-changes"], "CMD-045"),
    (["prune", "--keep=-1"], "CMD-002"),
    (["restore"], "RST-001"), (["restore", "--from", "7"], "RST-001"),
    (["restore", "--store", "missing.sqlite"], "RST-001"),
    (["restore", "--from", ExampleProject.sample], "RST-002"),
  ])
  func `wrong calls change nothing`(arguments: [String], code: String) throws {
    let project = try ExampleProject()
    let before = (names: project.names(), bytes: try project.sampleBytes())
    let outcome = try project.migrate(arguments)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(code))
    #expect(try project.sampleBytes() == before.bytes)
    #expect(project.names() == before.names)
  }
}
