internal import PassagePlatform
internal import Synchronization

/// Folders with a lock of zeros in them and nothing else, which one of many stores has no use for any
/// more, for the next store of the same folder.
///
/// A folder and a lock are renamed in less time than made and removed. Some file systems look, for each
/// file that is made, at all that were removed within a minute.
///
/// Such a folder keeps its name, and its lock is given back, until it is taken: to everybody else it is
/// what a process leaves that was killed before it did anything. Whoever comes across it may take it, or
/// remove it.
package final class SpareFolders: Sendable {
  private struct Spare {
    let folder: OpenFolder
    let lock: FileLock
  }

  private let spares = Mutex<[Spare]>([])
  private let left = Mutex<[String]>([])

  /// How many are kept: each has two files open, and in use it has more.
  private let limit: Int

  /// - Parameter limit: how many stores are at work at a time.
  package init(limit: Int) { self.limit = limit }

  /// The paths of the folders that could not be removed.
  package var leftPaths: [String] { left.withLock { $0 } }

  /// Keeps a folder that contains nothing but a lock, which is held. The folder and the lock must not be
  /// used afterwards.
  ///
  /// - Parameter files: blanks the lock.
  /// - Returns: `false` if there are enough, or the lock cannot be blanked: then both are still in use.
  package func keep(_ folder: OpenFolder, _ lock: FileLock, _ files: FileSystem) -> Bool {
    guard spares.withLock({ $0.count < limit }), let zeroCount = try? files.blank(lock) else {
      return false
    }
    let spare = Spare(
      folder: folder.handedOver(to: folder.path),
      lock: lock.handedOver(to: lock.path, zeroCount: zeroCount))
    spare.lock.unlock()
    spares.withLock { $0.append(spare) }
    return true
  }

  /// A folder for another path, locked, under its new name; `nil` if there is none in the folder around
  /// that path, or if somebody else has come across it. Those elsewhere are removed.
  ///
  /// - Parameters:
  ///   - path: a path at which nothing is.
  ///   - files: renames the folder.
  /// - Throws: what a test throws before an operation.
  package func take(
    for path: String, _ files: FileSystem
  ) throws -> (folder: OpenFolder, lock: FileLock)? {
    let around = FileSystem.folder(of: path)
    while let spare = spares.withLock({ $0.popLast() }) {
      guard isLocked(spare, files) else {
        giveUp(spare, files)
        continue
      }
      if FileSystem.folder(of: spare.folder.path) == around, files.entry(path) == nil,
        try isRenamed(spare, to: path, files)
      {
        let name = spare.lock.path.dropFirst(spare.folder.path.count)
        return (
          spare.folder.handedOver(to: path),
          spare.lock.handedOver(to: path + name, zeroCount: spare.lock.zeroCount)
        )
      }
      remove(spare, files)
    }
    return nil
  }

  /// Renames a folder. Only an empty folder could be replaced, and whoever has just made it makes it
  /// again.
  ///
  /// - Returns: whether it has the new name.
  private func isRenamed(
    _ spare: Spare, to path: String, _ files: FileSystem
  ) throws -> Bool {
    do {
      try files.rename(spare.folder.path, to: path)
      return true
    } catch is FileSystem.Failure {
      return false
    }
  }

  /// Removes all folders, but for those that somebody else has come across.
  package func removeAll(_ files: FileSystem) {
    while let spare = spares.withLock({ $0.popLast() }) {
      if isLocked(spare, files) { remove(spare, files) } else { giveUp(spare, files) }
    }
  }

  /// Locks a folder again.
  ///
  /// - Returns: `false` if it, or its lock, is no longer where it was and as it was.
  private func isLocked(_ spare: Spare, _ files: FileSystem) -> Bool {
    let inside = files.anchored(at: spare.folder)
    guard spare.lock.lockAgain(), files.entry(spare.folder.path)?.identity == spare.folder.identity,
      let lock = inside.entry(spare.lock.path), lock.identity == spare.lock.identity,
      lock.bytes == spare.lock.zeroCount
    else { return false }
    return (try? inside.entries(of: spare.folder.path))?.count == 1
  }

  /// Closes a folder that could not be locked again as it was, and notes it if it is still there and nobody
  /// works in it: the system may have refused the lock, or something may have been put into the folder.
  private func giveUp(_ spare: Spare, _ files: FileSystem) {
    spare.lock.release()
    spare.folder.release()
    guard files.entry(spare.folder.path)?.identity == spare.folder.identity,
      (try? files.isLocked(spare.lock.path)) != true
    else { return }
    left.withLock { $0.append(spare.folder.path) }
  }

  /// Removes a folder that is locked, or notes that it could not be removed.
  private func remove(_ spare: Spare, _ files: FileSystem) {
    defer {
      spare.lock.release()
      spare.folder.release()
    }
    do {
      try files.anchored(at: spare.folder).remove(spare.lock.path)
      try files.removeEmptyDirectory(spare.folder.path)
    } catch {
      left.withLock { $0.append(spare.folder.path) }
    }
  }
}
