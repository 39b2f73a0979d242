internal import PassageDiagnostics
package import PassageFiles
package import PassageStores

/// A refusal before the lock was held. What was examined may have been changed in the meantime by
/// the runner that holds the lock.
struct Unsettled: Error {
  /// The refusal.
  var error: any Error
  /// Whether the store or its destination has changed since it was examined.
  var isChanged: Bool
}

/// Coordinates several runners of one migration. One of them does the work; the others report that
/// it is being done, or find that it is done, whatever they saw in between.
package struct Contention {
  let storePath: String
  let destinationPath: String
  let files: FileSystem

  /// The maximum number of attempts when the state keeps changing.
  private static let attempts = 8

  package init(storePath: String, destinationPath: String, files: FileSystem) {
    self.storePath = storePath
    self.destinationPath = destinationPath
    self.files = files
  }

  /// The status of the store, its log and its destination.
  private func state() -> [FileSystem.Status?] {
    let paths = [storePath, StoreUnit(path: storePath).walPath]
    // A migration in place has no further one.
    return (paths + (destinationPath == storePath ? [] : [destinationPath])).map {
      // An empty log was made by a reader and does not count.
      (try? FileSystem.status($0)).flatMap { $0.bytes > 0 ? $0 : nil }
    }
  }

  /// The same, as a caller has just seen it; `nil` if it has not.
  private func state(_ sight: StoreSight) -> [FileSystem.Status?]? {
    guard destinationPath == storePath, let status = sight.singleStatus else { return nil }
    return [status, nil]
  }

  /// One attempt, which begins with a look at the state.
  package struct Attempt {
    private let contention: Contention
    private let before: [FileSystem.Status?]

    fileprivate init(_ contention: Contention, _ sight: StoreSight?) {
      self.contention = contention
      // What was seen a moment before shows no fewer changes.
      before = sight.flatMap(contention.state) ?? contention.state()
    }

    /// Runs a check of the store, and throws its errors as ``Unsettled``.
    package func look<Result>(_ body: () throws -> Result) throws -> Result {
      do {
        return try body()
      } catch {
        throw Unsettled(error: error, isChanged: isChanged)
      }
    }

    fileprivate var isChanged: Bool { contention.state() != before }
  }

  /// Runs `body`, and runs it again if the state changed during the attempt. Only an error that was
  /// thrown as ``Unsettled`` can be the effect of a change.
  ///
  /// - Parameter sight: what the caller has just seen of the store, until somebody takes it.
  /// - Throws: `RUN-010` when another runner is at work, otherwise what `body` throws.
  package func settle<Result>(
    sight: StoreSight? = nil, _ body: (Attempt) throws -> Result
  ) throws -> Result {
    var number = 1
    while true {
      let attempt = Attempt(self, sight)
      do {
        return try body(attempt)
      } catch let unsettled as Unsettled {
        if Self.mayComeOfRace(unsettled.error), isRunning { throw Self.isLocked(lockPath) }
        guard number < Self.attempts, unsettled.isChanged || attempt.isChanged else {
          throw unsettled.error
        }
        number += 1
      }
    }
  }

  private var lockPath: String { Workspace(destination: destinationPath, files: files).lockPath }

  /// Whether another runner holds the lock. If the lock cannot be examined, only the original error
  /// is reported.
  private var isRunning: Bool {
    (try? files.isLocked(lockPath)) ?? false
  }

  /// Whether an error could be due to a store that is being replaced, or a destination that is
  /// being made. Mistakes in files that authors write never are.
  private static func mayComeOfRace(_ error: any Error) -> Bool {
    guard let error = error as? MigrationError else { return true }
    return ![.wrongFile, .cancelled, .migrationNeeded, .locked].contains(error.kind)
  }

  /// The error that another runner holds the lock.
  package static func isLocked(_ path: String) -> MigrationError {
    MigrationError(
      Diagnostic(
        "RUN-010", "another runner is migrating to this destination",
        at: SourceLocation(file: path), remedy: "wait until it has ended; the lock ends with it"))
  }
}
