import Foundation
import PassageEngine
import PassageStores
import PassageTesting
import TestSupport
import Testing

/// The danger that something is made under the name of a file that SQLite keeps beside a store.
@Suite struct SidecarNameTests {
  @Test(arguments: ["-wal", "-shm", "-journal"])
  func `the name of a file beside a store is known in any case`(end: String) throws {
    for (name, isExact) in [(end, true), (end.uppercased(), false), (end.capitalized, false)] {
      let found = try #require(SidecarName("a/b.sqlite" + name))
      #expect(found.owner == "a/b.sqlite")
      #expect(found.isExact == isExact)
    }
  }

  @Test(arguments: ["b.sqlite", "b.sqlite-wal2", "b.sqlite_wal", "wal", "", "b.sqlite-ẇal"])
  func `another name is that of no such file`(path: String) {
    #expect(SidecarName(path) == nil)
  }

  /// In a folder that tells case apart, it is a name like any other.
  @Test func `only where case is ignored is a name in other letters that of a store's file`() throws
  {
    let trial = try Safety.trial()
    let path = trial.directory.path("old.sqlite")
    let other = trial.directory.path("OLD.SQLITE")
    let names = FileManager.default.fileExists(atPath: other) ? ["-wal", "-WAL"] : ["-wal"]
    for end in ["-wal", "-WAL"] {
      let check = DestinationCheck(destination: StoreUnit(path: path + end))
      #expect((check.foreignName != nil) == names.contains(end))
    }
  }
}
