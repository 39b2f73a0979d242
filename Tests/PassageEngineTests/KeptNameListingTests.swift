import Foundation
import Passage
import PassageEngine
import PassageFiles
import PassageTesting
import Testing

/// A fleet lists a folder once for the names of all the stores that it keeps there.
@Suite struct KeptNameListingTests {
  private static func files() -> FileSystem {
    FileSystem(keptNames: NameBeginnings(mark: KeptName.mark(.before)))
  }

  private static func kept(_ trial: Trial) -> [String] {
    trial.directory.names.filter { $0.contains(".before-") }.sorted()
  }

  @Test func `how names begin is known as it was when the folder was listed`() throws {
    let folder = try TemporaryDirectory()
    for name in ["a.sqlite", "a.sqlite.before-1", "b.before-x.sqlite.before-2~3", "c.before-"] {
      try folder.write([], to: name)
    }
    let names = NameBeginnings(mark: ".before-")
    #expect(try names.had("a.sqlite.before-", in: folder.path))
    #expect(try names.had("b.before-", in: folder.path))
    #expect(try names.had("b.before-x.sqlite.before-", in: folder.path))
    #expect(try names.had("c.before-", in: folder.path))
    #expect(try !names.had("d.sqlite.before-", in: folder.path))
    try folder.write([], to: "d.sqlite.before-1")
    #expect(try !names.had("d.sqlite.before-", in: folder.path))
    #expect(throws: (any Error).self) { try names.had("a.before-", in: folder.path("missing")) }
  }

  @Test func `a name that was asked for counts as one that is there`() throws {
    let folder = try TemporaryDirectory()
    try folder.write([], to: "a.sqlite")
    let names = NameBeginnings(mark: ".")
    #expect(try names.hadOrAdded("a.", in: folder.path))
    #expect(try !names.hadOrAdded("b.", in: folder.path))
    #expect(try names.hadOrAdded("b.", in: folder.path))
    #expect(try names.had("b.", in: folder.path) && !names.had("c.", in: folder.path))
  }

  @Test func `the first store that is kept needs no other listing`() throws {
    let trial = try Safety.trial()
    try trial.runInPlace(files: Self.files())
    #expect(Self.kept(trial) == ["old.sqlite.before-1"])
  }

  @Test func `numbers rise above those that were there before`() throws {
    let trial = try Safety.trial()
    try trial.directory.write([1], to: "old.sqlite.before-1~4")
    try trial.runInPlace(files: Self.files())
    #expect(Self.kept(trial) == ["old.sqlite.before-1~4", "old.sqlite.before-1~5"])
  }

  @Test func `a name that came after the listing is not taken`() throws {
    let trial = try Safety.trial()
    let files = Self.files()
    #expect(
      try !KeptStores(of: StoreUnit(path: trial.sourcePath), files: files).mayHaveHadOldStores)
    try trial.directory.write([1], to: "old.sqlite.before-1")
    try trial.runInPlace(files: files)
    #expect(Self.kept(trial) == ["old.sqlite.before-1", "old.sqlite.before-1~2"])
    #expect(trial.directory.contents("old.sqlite.before-1") == [1])
  }

  /// A runner that was killed in its cut-over has given the store a second name.
  @Test func `a second name of the store itself is taken away`() throws {
    let trial = try Safety.trial()
    let files = Self.files()
    #expect(
      try !KeptStores(of: StoreUnit(path: trial.sourcePath), files: files).mayHaveHadOldStores)
    try FileManager.default.linkItem(
      atPath: trial.sourcePath, toPath: trial.directory.path("old.sqlite.before-1"))
    try trial.runInPlace(files: files)
    #expect(Self.kept(trial) == ["old.sqlite.before-1"])
    #expect(try Safety.version(trial.directory.path("old.sqlite.before-1")) == "1")
  }

  @Test func `letters that can be spelled in several ways are always looked up`() throws {
    let folder = try TemporaryDirectory()
    let store = StoreUnit(path: folder.path("ü.sqlite"))
    #expect(try KeptStores(of: store, files: Self.files()).mayHaveHadOldStores)
    #expect(try KeptStores(of: store).mayHaveHadOldStores)
  }
}
