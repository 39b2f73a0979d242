import Foundation
import Passage
import PassageEngine
import PassageFiles
import PassageTesting
import TestSupport
import Testing

/// A failure between the creation of the work folder and the first work in it: the folder goes again, and
/// the message says what is on disk.
@Suite struct BegunWorkFolderTests {
  /// An operation that fails once leaves time to clean up; if all that follow fail too, only the message
  /// can help.
  @Test(arguments: [false, true], [false, true])
  func `whichever operation fails, the message is true`(
    isLasting: Bool, worksInMemory: Bool
  ) throws {
    var stop = 0
    var begun = 0
    while true {
      stop += 1
      var trial = try Safety.trial()
      trial.worksInMemory = worksInMemory
      let faults = FaultyFiles(failing: stop, isLasting: isLasting)
      do {
        try trial.run(files: faults.files)
      } catch let error as MigrationError {
        let state = try #require(error.diskState)
        let folder = trial.directory.path("new.sqlite.passage")
        let isLeft = try FileSystem().exists(folder)
        let isWork = try FileSystem().exists("\(folder)/run.json")
        let place = Comment(rawValue: "\(stop): \(faults.last): \(state)")
        #expect(state.contains("nothing was left behind") == !isLeft, place)
        #expect(state.contains("continues from there") == isWork, place)
        #expect(state.contains("is still there") == (isLeft && !isWork), place)
        if !isLasting { #expect(isLeft == isWork, place) }
        begun += 1
      }
      guard faults.hasFailed else { break }
    }
    #expect(begun > 5)
  }

  @Test(arguments: ["passage-work", "new.sqlite.passage"])
  func `a folder that cannot be marked is removed with its lock`(name: String) throws {
    let trial = try Safety.trial()
    let files = FileSystem(willPerform: { operation, path in
      guard operation == .write || operation == .synchronizeDirectory, path.hasSuffix(name) else {
        return
      }
      throw FileSystem.Failure(operation: operation, path: path, errorNumber: ENOSPC)
    })
    let error = try trial.failure(files: files)
    #expect(error.codes == ["RUN-006"])
    #expect(trial.directory.names == ["old.sqlite"])
  }
}
