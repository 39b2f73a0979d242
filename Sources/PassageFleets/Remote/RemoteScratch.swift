internal import PassageDiagnostics
package import PassageEngine
package import PassageFiles
internal import PassagePlatform
internal import Synchronization

/// Where fetched stores are migrated: a folder of this run's own in the folder that a call names.
///
/// Nothing in it must survive: what counts is what is published. A run that is killed leaves its
/// folder behind, and the next run that uses the same scratch folder removes it, as soon as nobody
/// holds its lock any more: neither the run nor a command that it has started.
package final class RemoteScratch: Sendable {
  private let path: String
  private let files: FileSystem
  let lock: FileLock
  private let count = Mutex(0)

  private static let prefix = "passage-fleet-"
  private static let lockName = "lock"

  /// Makes a folder that only its owner can enter, and removes those that killed runs have left.
  ///
  /// - Throws: `FLT-074` if the folder cannot be used.
  package init(in parent: String, files: FileSystem) throws(MigrationError) {
    do {
      guard files.isDirectory(parent) else {
        throw FileSystem.Failure(operation: .read, path: parent, errorNumber: ENOTDIR)
      }
      Self.removeLeftovers(in: parent, files)
      (path, lock) = try Self.make(in: parent, files)
      self.files = files
    } catch {
      throw Self.refusal(parent, error)
    }
  }

  deinit { remove() }

  /// Removes it, at the end of a run: an object may live longer than the work of its program. What
  /// cannot be removed is left to the next run.
  func remove() { try? files.removeDirectory(path) }

  /// Another run may take a new folder for one that was left, until its lock is held.
  private static func make(
    in parent: String, _ files: FileSystem
  ) throws -> (path: String, lock: FileLock) {
    for _ in 0..<100 {
      let name = String(UInt64.random(in: .min ... .max), radix: 16)
      let path = "\(parent)/\(prefix)\(name)"
      guard try files.makeNewDirectory(path) else { continue }
      do {
        if let lock = try files.lock("\(path)/\(lockName)") { return (path, lock) }
      } catch let failure as FileSystem.Failure where failure.isMissing {
        // Another run has just removed it.
      } catch let failure {
        try? files.removeDirectory(path)
        throw failure
      }
    }
    throw FileSystem.Failure(operation: .lock, path: parent, errorNumber: EEXIST)
  }

  /// Runs a piece of work with a fresh folder of its own, which is then removed.
  func withFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    let number = count.withLock { count in
      count += 1
      return count
    }
    let folder = "\(path)/\(number)"
    guard try files.makeNewDirectory(folder) else {
      throw FileSystem.Failure(operation: .makeDirectory, path: folder, errorNumber: EEXIST)
    }
    defer { try? files.removeDirectory(folder) }
    return try body(folder)
  }

  /// Whether a folder can be one that a run has made: of its name, and with what a run puts into it.
  private static func isOwn(_ name: String, at path: String, _ files: FileSystem) -> Bool {
    let number = name.dropFirst(prefix.count)
    guard !number.isEmpty, UInt64(number, radix: 16) != nil, number == number.lowercased(),
      let entry = files.entry(path), entry.kind == .directory, entry.owner == FileSystem.user,
      // A folder without a lock is one that is being made.
      files.entry("\(path)/\(lockName)")?.kind == .file,
      let inside = try? files.entries(of: path)
    else { return false }
    return inside.allSatisfy { $0 == lockName || Int($0) != nil }
  }

  /// Removes the folders of runs that do not exist any more. Whoever made them may use this one.
  private static func removeLeftovers(in parent: String, _ files: FileSystem) {
    for name in (try? files.entries(of: parent)) ?? [] where name.hasPrefix(prefix) {
      let path = "\(parent)/\(name)"
      guard isOwn(name, at: path, files), let held = try? files.lock("\(path)/\(lockName)")
      else { continue }
      try? files.removeDirectory(path)
      withExtendedLifetime(held) {}
    }
  }

  private static func refusal(_ path: String, _ error: any Error) -> MigrationError {
    MigrationError(
      Diagnostic(
        "FLT-074", "the scratch folder cannot be used", at: SourceLocation(file: path),
        reason: "\(error)",
        remedy: "name a folder that exists and in which this user may create folders (--scratch)"),
      diskState: "nothing was written")
  }
}
