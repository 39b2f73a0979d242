import Foundation
import Passage
import PassageEngine
import PassageStores
import PassageTesting
import TestSupport
import Testing

/// What is at the names of files and folders that belong to the destination, although no store is there.
@Suite struct OccupiedUnitTests {
  /// Data behind a link would be in no store's own folder, and are not found when they are read.
  @Test(arguments: ["", "/_EXTERNAL_DATA"], [true, false])
  func `something else than a folder in the way is refused`(inside: String, isLink: Bool) throws {
    let trial = try ExternalDataTests.trial()
    let files = FileManager.default
    try files.createDirectory(
      atPath: trial.directory.path("elsewhere"), withIntermediateDirectories: true)
    let path = trial.directory.path(".new_SUPPORT\(inside)")
    try files.createDirectory(
      atPath: StoreUnit(path: path).folder, withIntermediateDirectories: true)
    if isLink {
      try files.createSymbolicLink(
        atPath: path, withDestinationPath: trial.directory.path("elsewhere"))
    } else {
      try trial.directory.write([7], to: ".new_SUPPORT\(inside)")
    }
    let error = try trial.failure()
    #expect(error.codes == ["STO-316"] && error.kind == .wrongCall)
    #expect(try files.contentsOfDirectory(atPath: trial.directory.path("elsewhere")) == [])
    #expect(trial.directory.contents("new.sqlite") == nil)
    guard inside.isEmpty else { return }
    // That is seen before anything is made.
    #expect(!files.fileExists(atPath: trial.directory.path("new.sqlite.passage")))
  }

  @Test(arguments: ["-wal", "-journal"])
  func `the log of a store that is not there is left alone`(suffix: String) throws {
    let trial = try ExternalDataTests.trial()
    try trial.directory.write([1, 2, 3], to: "new.sqlite" + suffix)
    let error = try trial.failure()
    #expect(error.codes == ["RUN-002"] && error.kind == .wrongCall)
    #expect(trial.directory.contents("new.sqlite" + suffix) == [1, 2, 3])
    try trial.directory.write([], to: "new.sqlite" + suffix)
    #expect(try trial.run().outcome == .migrated)
  }

  @Test(arguments: ["-wal", "-shm", "-journal"])
  func `a folder with the name of one of SQLite's files is refused first`(suffix: String) throws {
    let trial = try ExternalDataTests.trial()
    try FileManager.default.createDirectory(
      atPath: trial.directory.path("new.sqlite" + suffix), withIntermediateDirectories: true)
    let error = try trial.failure()
    #expect(error.codes == ["RUN-002"] && error.kind == .wrongCall)
    #expect(!FileManager.default.fileExists(atPath: trial.directory.path("new.sqlite.passage")))
  }
}
