internal import PassageDiagnostics
package import PassageFiles
internal import PassageStores

/// A folder in which Passage works: proved to be its own, held open, and locked.
///
/// A name proves nothing: at `<destination>.passage` there may be a symbolic link, a folder that
/// was made for something else, or one that another user may change during the work. So before
/// anything in it is touched, it must be
///
/// - a folder and not a link to one,
/// - owned by the user of the process, and not writable by others,
/// - marked: the file `passage-work`, which is made together with the folder, or the lock of a run
///   that worked in memory, says that it is Passage's,
/// - without a link, a pipe or other special file under a name that Passage uses, and without a second
///   name of what Passage and SQLite write into (`WorkNames.isWrittenInto(_:in:)`).
///
/// From then on everything in it is reached from its descriptor (see `FileSystem.anchored(at:)`).
///
/// SQLite opens databases by path. `/proc/self/fd/N/…` would lead it to the right folder but not
/// keep it there, because SQLite follows links itself and opens the resulting path. It would also
/// change the paths in messages, and does not exist on every system. The following makes opening by
/// path safe: nobody but the owner can create or rename anything in the folder; it contained no
/// link when it was proved; files for SQLite are created through the descriptor; and before a
/// database is opened, the folder's path must still lead to the folder that is held open
/// (`checkPlace()`). Anyone who could still interfere can write to the folder around the store, and
/// so to the store itself.
package struct WorkFolder: Sendable {
  package let path: String
  /// Access to files, relative to the open folder.
  package let files: FileSystem
  let folder: OpenFolder
  /// Keeps other runners out, and gets the mark of the cut-over.
  let lock: FileLock
  /// Whether the folder was taken without a marker and got none then: what was in it may come back
  /// after a power failure without harm.
  let isNew: Bool
  /// Whether nothing but an empty lock was in a new folder when the lock was taken.
  let isBlank: Bool

  /// Creates the folder, or takes an existing one that is Passage's, and locks it.
  ///
  /// The owner of the lock removes the folder and the lock when it is done; a waiting process then
  /// creates both again. A folder without a mark may be one that another store has no use for any more:
  /// see `SpareFolders`.
  ///
  /// - Parameters:
  ///   - isMarked: whether the folder is marked, durably, so that whatever is found in it later is
  ///     known to be Passage's. Without the mark, nothing but the lock and a finished store may be
  ///     made in it: see ``mark()``.
  ///   - isTired: called about fifty times per second while another process holds the lock;
  ///   `true` ends the wait.
  /// - Returns: `nil` when the wait was given up.
  /// - Throws: ``MigrationError`` with `RUN-050` when the folder is not Passage's, with `RUN-051`
  ///   when it cannot be protected.
  package static func hold(
    _ path: String, files: FileSystem, isMarked: Bool = true,
    isTired: () throws -> Bool = { true }
  ) throws -> WorkFolder? {
    if !isMarked, let (folder, lock) = try files.spareFolders?.take(for: path, files) {
      return WorkFolder(
        path: path, files: files.anchored(at: folder), folder: folder, lock: lock, isNew: true,
        isBlank: true)
    }
    // The number of times that others may remove the folder between two calls.
    var attempts = 1_000
    while true {
      do {
        let (folder, isMade) = try open(path, files)
        let inside = files.anchored(at: folder)
        if let lock = try removing(
          path, files, isMade, { try inside.lock("\(path)/\(WorkNames.lock)") })
        {
          // The last owner may have been about to remove the folder.
          if try files.found(path).identity == folder.identity {
            do {
              return try taken(
                path, files, (folder, lock), isMade: isMade, isMarked: isMarked)
            } catch {
              if isMade { takeAway(path, inside) }
              throw error
            }
          }
        } else {
          if try isTired() { return nil }
          files.pause()
        }
      } catch let failure as FileSystem.Failure where failure.isMissing && attempts > 0 {
        // The folder was removed after it was opened.
      }
      attempts -= 1
    }
  }

  /// Locks the folder only if it exists, is Passage's, and is not locked at the moment.
  package static func holdExisting(_ path: String, files: FileSystem) throws -> WorkFolder? {
    guard try check(path, files: files) else { return nil }
    return try hold(path, files: files)
  }

  /// Checks whether the folder could be used for work. Writes nothing.
  ///
  /// - Returns: whether the folder exists.
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

  /// Access to the contents of Passage's folder without locking it; only for reading.
  static func look(_ path: String, files: FileSystem) -> FileSystem? {
    guard let folder = try? openProved(path, files),
      (try? WorkFolderProof(path: path, files: files, folder: folder).state()) == .marked
    else { return nil }
    return files.anchored(at: folder)
  }

  /// Checks that the folder's path still leads to the folder that is held open.
  ///
  /// - Throws: ``MigrationError`` with `RUN-050` when it leads to another one, with `RUN-063` when nothing is
  ///   there, `FileSystem.Failure` where the system cannot tell.
  package func checkPlace() throws {
    let found = try files.identityOutside(path)
    guard found != folder.identity else { return }
    guard found != nil else {
      throw MigrationError(
        .inputOutput,
        Diagnostic(
          "RUN-063", "the work folder is no longer there", at: SourceLocation(file: path),
          reason: "something removed or renamed it during the run",
          remedy: "run the same command again: it starts over"),
        diskState: "nothing that is read was changed")
    }
    throw WorkFolderProof.refusal(path, reason: "it was replaced by another one during the run")
  }

  /// Marks the folder durably, if it is not marked yet.
  package func mark() throws {
    try WorkFolderProof(path: path, files: files, folder: folder).mark()
  }

  /// Gives the lock back and closes the folder.
  func release() {
    lock.release()
    folder.release()
  }

  // MARK: Opening

  /// - Returns: the folder, and whether it was made here.
  private static func open(
    _ path: String, _ files: FileSystem
  ) throws -> (folder: OpenFolder, isMade: Bool) {
    let isMade = try files.makeNewDirectory(path)
    let folder = try removing(path, files, isMade) { try openProved(path, files, isNew: isMade) }
    // Nothing is created in a folder that is not Passage's, not even a lock. The marker is written
    // under the lock, because the lock's holder removes the folder at the end.
    if !isMade { _ = try WorkFolderProof(path: path, files: files, folder: folder).state() }
    return (folder, isMade)
  }

  /// The folder, once it is locked: marked, or left without a mark.
  private static func taken(
    _ path: String, _ files: FileSystem, _ held: (folder: OpenFolder, lock: FileLock),
    isMade: Bool, isMarked: Bool
  ) throws -> WorkFolder {
    // The state seen without the lock may have been changing.
    let proof = WorkFolderProof(path: path, files: files, folder: held.folder)
    let isBlank = try !isMarked && held.lock.byteCount == 0 && proof.holdsOnlyLock
    // A lock that is the marker gives way to a marker of its own before more is made here.
    let isNew = try isBlank || !isMarked && !proof.hasMarker
    // Another runner may have worked in the folder since it was made.
    if !isNew || isMade && !isBlank { _ = try proof.state() }
    if !isNew { try proof.mark() }
    return WorkFolder(
      path: path, files: files.anchored(at: held.folder), folder: held.folder, lock: held.lock,
      isNew: isNew, isBlank: isBlank)
  }

  /// Removes a folder that was made here and is locked, if nothing but its lock and its marker is in it: it
  /// could not be marked, so nobody works in it. The marker goes before the lock, as in ``end(isLight:)``.
  private static func takeAway(_ path: String, _ inside: FileSystem) {
    let own = [WorkNames.marker, WorkNames.lock]
    guard let names = try? inside.entries(of: path), names.allSatisfy(own.contains) else { return }
    do {
      for name in own where names.contains(name) { try inside.remove("\(path)/\(name)") }
      try inside.removeEmptyDirectory(path)
    } catch {
      // The failure that came first is the one to report; it says that the folder is still there.
    }
  }

  /// Does the next step with the folder. If it fails, a folder that was made here, and in which nothing
  /// is yet, is removed.
  private static func removing<Result>(
    _ path: String, _ files: FileSystem, _ isMade: Bool, _ step: () throws -> Result
  ) throws -> Result {
    do {
      return try step()
    } catch {
      if isMade { try? files.removeEmptyDirectory(path) }
      throw error
    }
  }

  /// Opens the folder and checks that it is owned and protected as it must be.
  private static func openProved(
    _ path: String, _ files: FileSystem, isNew: Bool = false
  ) throws -> OpenFolder {
    let folder: OpenFolder
    do {
      folder = try files.openFolder(path)
    } catch let failure as FileSystem.Failure where failure.isPermission {
      throw WorkFolderProof.refusal(path, reason: "it cannot be opened (\(failure.description))")
    } catch let failure as FileSystem.Failure where failure.isNotAFolder {
      guard let entry = files.entry(path) else { throw failure }
      throw WorkFolderProof.refusal(
        path, reason: entry.kind == .link ? "it is a symbolic link" : "it is not a folder")
    }
    guard let reason = WorkFolderProof.protection(of: folder) else { return folder }
    guard isNew else { throw WorkFolderProof.refusal(path, reason: reason) }
    throw MigrationError(
      .wrongCall,
      Diagnostic(
        "RUN-051", "a work folder created here is not protected",
        at: SourceLocation(file: path),
        reason: "\(reason), although only its owner should have access",
        remedy: "name a destination on a file system that supports owners and permissions"),
      diskState: "nothing was changed")
  }
}
