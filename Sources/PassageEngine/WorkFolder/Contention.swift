package import PassageFiles
internal import PassageDiagnostics
internal import PassageStores

/// A refusal from before the lock was held: what was looked at may have been changed meanwhile by a
/// runner that has it.
struct Unsettled: Error {
  /// The refusal.
  var error: any Error
  /// Whether the store or its destination is another than when they were looked at.
  var isChanged: Bool
}

/// Several runners of one migration: one does it, and the others learn that it is being done or that
/// it is done, whatever they saw of it on the way.
package struct Contention {
  let storePath: String
  let destinationPath: String
  let files: FileSystem

  /// How often what was changed meanwhile is looked at again.
  private static let attempts = 8

  package init(storePath: String, destinationPath: String, files: FileSystem) {
    self.storePath = storePath
    self.destinationPath = destinationPath
    self.files = files
  }

  /// What is seen of the store and of its destination.
  func state() -> [FileSystem.Status?] {
    // An empty log is one that a reader has made.
    [storePath, StoreUnit(path: storePath).walPath, destinationPath].map {
      (try? FileSystem.status($0)).flatMap { $0.bytes > 0 ? $0 : nil }
    }
  }

  /// Marks what a look at the store throws.
  package func look<Result>(_ body: () throws -> Result) throws -> Result {
    let before = state()
    do {
      return try body()
    } catch {
      throw Unsettled(error: error, isChanged: state() != before)
    }
  }

  /// As ``look(_:)``, for work that continues under the lock: only what is marked already is marked.
  func follow<Result>(_ body: () throws -> Result) throws -> Result {
    let before = state()
    do {
      return try body()
    } catch let unsettled as Unsettled {
      throw Unsettled(
        error: unsettled.error, isChanged: unsettled.isChanged || state() != before)
    }
  }

  /// Does work, again where its look at the store was overtaken.
  ///
  /// - Throws: `RUN-010` when another runner is at work, what the work throws otherwise.
  package func settle<Result>(_ body: () throws -> Result) throws -> Result {
    var attempt = 1
    while true {
      do {
        return try body()
      } catch let unsettled as Unsettled {
        if Self.mayComeOfRace(unsettled.error), isRunning { throw Self.isLocked(lockPath) }
        guard unsettled.isChanged, attempt < Self.attempts else { throw unsettled.error }
        attempt += 1
      }
    }
  }

  private var lockPath: String { Workspace(destination: destinationPath, files: files).lockPath }

  /// Whether another runner holds the lock. A lock that cannot be looked at adds nothing to the error
  /// that is reported already.
  private var isRunning: Bool {
    (try? files.isLocked(lockPath)) ?? false
  }

  /// Whether a store that is being replaced, or a destination that is being made, could have brought an
  /// error about: mistakes in files that authors write come of nothing else.
  private static func mayComeOfRace(_ error: any Error) -> Bool {
    guard let error = error as? MigrationError else { return true }
    return ![.wrongFile, .cancelled, .migrationNeeded, .locked].contains(error.kind)
  }

  /// Another runner holds the lock.
  static func isLocked(_ path: String) -> MigrationError {
    MigrationError(
      Diagnostic(
        "RUN-010", "another runner is migrating to this destination",
        at: SourceLocation(file: path), remedy: "wait until it has ended; the lock ends with it"))
  }
}
