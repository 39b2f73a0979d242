import Passage
import PassageEngine
import PassageFiles
import PassageTesting
import Synchronization
import TestSupport
import Testing

/// A file that could not be made durable: the system may have forgotten what was written to it, and the next sync
/// succeeds all the same.
@Suite struct FailedSyncTests {
  /// Fails one sync of a file, by its number; counts those that were asked for.
  private final class FailingSync: Sendable {
    private let number: Int
    private let count = Mutex(0)

    init(_ number: Int) { self.number = number }

    var files: FileSystem {
      FileSystem(willPerform: { [self] operation, path in
        guard operation == .synchronize else { return }
        let isFailing = count.withLock { count in
          count += 1
          return count == number
        }
        guard isFailing else { return }
        throw FileSystem.Failure(operation: operation, path: path, errorNumber: 5)
      })
    }

    var hasFailed: Bool { count.withLock { $0 >= number } }
  }

  @Test(arguments: [false, true], [false, true])
  func `what was written before a sync that failed is written again`(
    inPlace: Bool, inMemory: Bool
  ) throws {
    var number = 1
    while true {
      var trial = try Safety.trial()
      trial.worksInMemory = inMemory
      let failing = FailingSync(number)
      func run(_ files: FileSystem) throws -> MigrationReport {
        try inPlace ? trial.runInPlace(files: files) : trial.run(files: files)
      }
      do {
        _ = try run(failing.files)
        #expect(!failing.hasFailed)
        break
      } catch let error as MigrationError {
        #expect(error.kind == .inputOutput)
        #expect(error.diskState?.contains("nothing was left behind") == true)
      }
      #expect(trial.directory.names.filter { $0.hasSuffix(".passage") } == [])
      let report = try run(FileSystem())
      #expect(report.outcome == .migrated)
      #expect(!report.wasContinued)
      number += 1
    }
    #expect(number > 1)
  }
}
