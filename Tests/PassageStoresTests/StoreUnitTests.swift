import PassageStores
import PassageTesting
import TestSupport
import Testing

struct StoreUnitTests {
  @Test(arguments: [
    ("/a/b/Model.sqlite", "/a/b", "Model.sqlite", "/a/b/.Model_SUPPORT"),
    ("Model.sqlite", ".", "Model.sqlite", "./.Model_SUPPORT"),
    ("/Model", "/", "Model", "/.Model_SUPPORT"),
    ("a/default.store", "a", "default.store", "a/.default_SUPPORT"),
    ("a/.hidden", "a", ".hidden", "a/..hidden_SUPPORT"),
    // A slash and the accent after it are one character in Swift.
    ("/a/\u{301}b.sqlite", "/a", "\u{301}b.sqlite", "/a/.\u{301}b_SUPPORT"),
    ("/a/b.\u{301}sqlite", "/a", "b.\u{301}sqlite", "/a/.b_SUPPORT"),
  ])
  func `the files of a store are found from its path`(
    path: String, folder: String, name: String, support: String
  ) {
    let unit = StoreUnit(path: path)
    #expect(unit.folder == folder)
    #expect(unit.name == name)
    #expect(unit.pathBeforeName + name == path)
    #expect(unit.supportPath == support)
    #expect(unit.sidecarPaths == [path + "-wal", path + "-shm", path + "-journal"])
  }

  @Test func `the bytes of a store are those of all its files`() throws {
    let folder = try TemporaryDirectory()
    let unit = StoreUnit(path: try folder.write([1, 2, 3], to: "s.sqlite"))
    #expect(unit.totalBytes == 3)
    _ = try folder.write([4, 5], to: "s.sqlite-wal")
    #expect(unit.totalBytes == 5)
    #expect(!StoreUnit(path: folder.path("none")).exists)
  }
}
