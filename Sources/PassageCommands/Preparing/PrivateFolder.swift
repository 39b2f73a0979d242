internal import Passage
internal import PassageFiles
internal import PassagePlatform
internal import Synchronization

/// A folder for temporary files that only its owner can enter, away from every store. A signal
/// removes it and ends the process, until it is released or removed.
final class PrivateFolder: Sendable {
  let path: String
  private let signals: Mutex<StopSignals?>

  /// Makes the folder where `TMPDIR` says, otherwise in `/var/tmp`.
  ///
  /// - Throws: ``MigrationError`` with `CMD-083` if it cannot be made.
  init() throws(MigrationError) {
    let place = OutputLook.variable("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/var/tmp"
    let path = PathText.normalized(place + "/passage-\(UUID().uuidString)")
    self.path = path
    // Before the folder: a signal that comes right after it must remove it.
    signals = Mutex(
      StopSignals {
        try? FileSystem().removeDirectory(path)
        exit(MigrationError.Kind.cancelled.rawValue)
      })
    do {
      guard try FileSystem().makeNewDirectory(path) else {
        throw FileSystem.Failure(operation: .makeDirectory, path: path, errorNumber: EEXIST)
      }
    } catch {
      release()
      throw MigrationError(
        .wrongCall,
        Diagnostic(
          "CMD-083", "no temporary folder can be made", at: SourceLocation(file: place),
          reason: "\(error)", remedy: "name a folder that can be written with TMPDIR"),
        diskState: "nothing was written")
    }
  }

  /// Leaves signals to others from now on.
  func release() {
    signals.withLock { signals in
      signals?.stop()
      signals = nil
    }
  }

  /// Removes the folder.
  ///
  /// - Returns: a warning if it cannot be removed.
  func remove() -> Diagnostic? {
    release()
    do {
      try FileSystem().removeDirectory(path)
      return nil
    } catch {
      return Diagnostic(
        "CMD-084", "a temporary folder cannot be removed", severity: .warning,
        at: SourceLocation(file: path), reason: "\(error)",
        remedy: "remove it: rm -r \(path.shellQuoted)")
    }
  }
}
