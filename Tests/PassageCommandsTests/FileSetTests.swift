import Foundation
import Passage
import PassageFiles
import PassageTesting
import TestSupport
import Testing

@testable import PassageCommands

/// Files that are written together.
struct FileSetTests {
  @Test func `a file that the system refuses tells its reason and what was written`() throws {
    let folder = try TemporaryDirectory()
    try folder.write("", to: "file")
    let names = ["file/a.json", "a.json", "file/b.json"]
    let files = names.map {
      ConvertedFile(path: folder.path($0), kind: .model, name: "M", contents: "new")
    }
    let alone = #expect(throws: MigrationError.self) { try ConvertedFile.write(files) }
    #expect(alone?.diskState == "nothing was written")
    #expect(alone?.diagnostics.first?.reason?.contains("written: ") == true)
    let second = #expect(throws: MigrationError.self) {
      try ConvertedFile.write(Array(files.dropFirst()))
    }
    #expect(second?.diskState?.hasPrefix("the files before this one are written") == true)
  }

  @Test func `a file that cannot be written takes back those before it`() throws {
    let folder = try TemporaryDirectory()
    try folder.write("mine", to: "a.json")
    let last = folder.path("new/b.json")
    let system = FileSystem(willPerform: { operation, path in
      guard operation == .rename, path == last else { return }
      throw FileSystem.Failure(operation: .rename, path: path, errorNumber: 5)
    })
    let files = [folder.path("a.json"), last].map {
      ConvertedFile(path: $0, kind: .model, name: "M", contents: "new")
    }
    let failure = #expect(throws: MigrationError.self) {
      var set = FileSet(files, system: system)
      try set.write()
    }
    #expect(failure?.kind == .inputOutput)
    #expect(failure?.diskState == "nothing was written")
    let reason = failure?.diagnostics.first?.reason
    #expect(reason == "the file cannot be written: Input/output error")
    #expect(folder.names == ["a.json"])
    #expect(folder.contents("a.json") == Array("mine".utf8))
  }

  @Test(arguments: [false, true])
  func `what is replaced keeps its links and its permissions`(isSet: Bool) throws {
    let folder = try TemporaryDirectory()
    try folder.write("old", to: "shared/a.json")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o664], ofItemAtPath: folder.path("shared/a.json"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("a.json"), withDestinationPath: "shared/a.json")
    let files = ["a.json", "b.json"].map {
      ConvertedFile(path: folder.path($0), kind: .model, name: "M", contents: "new")
    }
    if isSet {
      var set = FileSet(files)
      try set.write()
    } else {
      try ConvertedFile.write(files)
    }
    #expect(folder.contents("shared/a.json") == Array("new".utf8))
    #expect(folder.contents("b.json") == Array("new".utf8))
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("a.json"))
        == "shared/a.json")
    let attributes = try FileManager.default.attributesOfItem(
      atPath: folder.path("shared/a.json"))
    #expect(attributes[.posixPermissions] as? Int == 0o664)
    #expect(folder.everything == ["a.json", "b.json", "shared", "shared/a.json"])
  }
}
