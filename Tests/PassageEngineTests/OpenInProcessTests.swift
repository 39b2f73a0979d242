import Passage
import PassageEngine
import PassageFiles
import PassagePlatform
import PassageSQLite
import PassageTesting
import TestSupport
import Testing

/// Stores that the process itself has open while they are read. Closing a descriptor of a file would
/// release the locks of the process on it, with which its own connection keeps others out.
@Suite struct OpenInProcessTests {
  @Test(arguments: ["wal", "delete"])
  func `reading a store leaves the app's own connection its locks`(journalMode: String) throws {
    let trial = try Trial(
      RelationshipTests.library("1"), RelationshipTests.library2, RelationshipTests.copies(),
      fill: RelationshipTests.fill)
    // Never closed while the app has the store open.
    let file = open(trial.sourcePath, O_RDONLY)
    defer { close(file) }
    guard isLockedByProcess(file) != nil else { return }
    do {
      let app = try Connection(path: trial.sourcePath, mode: .readWrite)
      try app.execute("PRAGMA journal_mode = \(journalMode)")
      try app.execute("BEGIN IMMEDIATE; UPDATE ZTAG SET Z_OPT = Z_OPT + 1")
      #expect(isLockedByProcess(file) == true)
      _ = try FileSystem.prefix(trial.sourcePath, count: 100)
      for _ in 0..<3 {
        let reading = try PositionalFile(trial.sourcePath, mode: .reading)
        #expect(try reading.prefix(6) == Array("SQLite".utf8))
      }
      #expect(isLockedByProcess(file) == true)
      let copy = trial.migration(to: .file(trial.directory.path("new.sqlite")))
      #expect(throws: Never.self) { try copy.run(control: RunControl()) }
      #expect(isLockedByProcess(file) == true)
      try app.execute("COMMIT")
    }
    // What has been kept is closed with the next descriptor, so that it has no locks any more.
    _ = try FileSystem.prefix(trial.sourcePath, count: 100)
    #expect(isLockedByProcess(file) == false)
  }
}
