import Passage
import PassageFiles
import PassageTesting
import TestSupport
import Testing

@testable import PassageCommands

/// Files that are written together.
struct FileSetTests {
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
    #expect(folder.names == ["a.json"])
    #expect(folder.contents("a.json") == Array("mine".utf8))
  }
}
