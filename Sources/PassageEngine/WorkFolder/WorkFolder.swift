package import PassageFiles
internal import PassageDiagnostics
internal import PassageStores

/// A folder in which Passage works, proved to be its own, held open, and locked.
///
/// A name proves nothing: at `<destination>.passage` there may be a symbolic link, a folder that
/// somebody made for something else, or one that another user may change while we work in it. So before
/// anything in it is touched it must be
///
/// - a folder itself, not a link to one,
/// - of the user this process acts as, and not writable by anybody else,
/// - marked: `passage-work`, a file that is made when the folder is, says whose it is,
/// - without a link, a pipe or the like under a name that Passage uses.
///
/// From then on everything in it is reached from its descriptor (see `FileSystem.anchored(at:)`).
///
/// SQLite opens databases by their paths. `/proc/self/fd/N/…` would lead it to the right folder, but
/// not keep it there: SQLite follows links itself, and opens the path that they give. It would also
/// change the paths in messages, and is not everywhere. What holds instead: nobody but the owner can
/// make or rename anything inside the folder, no link was in it when it was proved, files for SQLite
/// are made through the descriptor, and before one is opened the folder's path must still lead to the
/// folder that is held open (`checkPlace()`). Anybody who could still interfere may write to the folder
/// around the store, and with it the store itself.
package struct WorkFolder: Sendable {
  package let path: String
  /// The door to files, anchored at the folder.
  package let files: FileSystem
  private let folder: OpenFolder
  private let lock: FileLock

  /// Makes the folder or takes one that is ours, and locks it.
  ///
  /// The owner of the lock removes folder and lock when it has ended: then both are created from scratch.
  ///
  /// - Parameter isTired: asked about fifty times a second while another process holds the lock.
  /// - Returns: `nil` when the wait was given up.
  /// - Throws: ``MigrationError`` with `RUN-050` when the folder is not ours, with `RUN-051` where it
  ///   cannot be protected.
  package static func hold(
    _ path: String, files: FileSystem, isTired: () throws -> Bool = { true }
  ) throws -> WorkFolder? {
    // As often as others may remove the folder between two calls of ours.
    var attempts = 1_000
    while true {
      do {
        let folder = try open(path, files)
        let inside = files.anchored(at: folder)
        if let lock = try inside.lock("\(path)/\(WorkNames.lock)") {
          // Its last owner may have been about to remove it.
          if files.entry(path)?.identity == folder.identity {
            // What was seen without the lock may have been another's, coming or going.
            let proof = WorkFolderProof(path: path, files: files, folder: folder)
            if try proof.state() == .unmarked { try proof.mark() }
            return WorkFolder(path: path, files: inside, folder: folder, lock: lock)
          }
        } else {
          if try isTired() { return nil }
          files.pause()
        }
      } catch let failure as FileSystem.Failure where failure.isMissing && attempts > 0 {
        // Taken away since it was opened.
      }
      attempts -= 1
    }
  }

  /// Locks the folder only when it exists, is ours, and is not locked by another at the moment.
  package static func holdExisting(_ path: String, files: FileSystem) throws -> WorkFolder? {
    guard try check(path, files: files) else { return nil }
    return try hold(path, files: files)
  }

  /// Looks whether the folder could be worked in. Nothing is written.
  ///
  /// - Returns: whether it is there.
  package static func check(_ path: String, files: FileSystem) throws -> Bool {
    guard try files.exists(path) else { return false }
    do {
      let folder = try openProved(path, files)
      _ = try WorkFolderProof(path: path, files: files, folder: folder).state()
      return true
    } catch let failure as FileSystem.Failure where failure.isMissing {
      return false
    }
  }

  /// What is inside a folder that is ours and is not locked for it: only for looking.
  static func look(_ path: String, files: FileSystem) -> FileSystem? {
    guard let folder = try? openProved(path, files),
      (try? WorkFolderProof(path: path, files: files, folder: folder).state()) == .marked
    else { return nil }
    return files.anchored(at: folder)
  }

  /// Finds out whether the folder's path still leads to the folder that is held open.
  package func checkPlace() throws {
    guard files.entryOutside(path)?.identity != folder.identity else { return }
    throw WorkFolderProof.refusal(path, reason: "another one was put in its place during the run")
  }

  // MARK: Opening

  private static func open(_ path: String, _ files: FileSystem) throws -> OpenFolder {
    let isNew = try files.makeNewDirectory(path)
    let folder = try openProved(path, files, isNew: isNew)
    // Nothing is made in a folder that is not ours, not even a lock. The marker is made under the lock:
    // whoever holds it removes the folder in the end.
    _ = try WorkFolderProof(path: path, files: files, folder: folder).state()
    return folder
  }

  /// Opens the folder, and looks whose it is.
  private static func openProved(
    _ path: String, _ files: FileSystem, isNew: Bool = false
  ) throws -> OpenFolder {
    guard files.entry(path)?.kind != .link else {
      throw WorkFolderProof.refusal(path, reason: "it is a symbolic link")
    }
    let folder: OpenFolder
    do {
      folder = try files.openFolder(path)
    } catch let failure as FileSystem.Failure where failure.isPermission {
      throw WorkFolderProof.refusal(path, reason: "it cannot be opened (\(failure.description))")
    } catch let failure as FileSystem.Failure where failure.isNotAFolder && files.entry(path) != nil
    {
      throw WorkFolderProof.refusal(path, reason: "it is not a folder")
    }
    guard let reason = WorkFolderProof.protection(of: folder) else { return folder }
    guard isNew else { throw WorkFolderProof.refusal(path, reason: reason) }
    try? files.removeEmptyDirectory(path)
    throw MigrationError(
      .wrongCall,
      Diagnostic(
        "RUN-051", "a folder that was created here for the work is not protected",
        at: SourceLocation(file: path),
        reason: "\(reason), although only its owner should have access",
        remedy: "name a destination on a file system that keeps owners and permissions"),
      diskState: "nothing was changed")
  }
}
