internal import Synchronization

/// How names began that folders had when each of them was listed first.
///
/// For those who ask, for each of many files of a folder, whether it has names that begin like the
/// file's: a listing for every question would take a time that grows with the square of the files.
/// What was created after the listing is not known, so whoever asks must be right with that.
package final class NameBeginnings: Sendable {
  private let mark: [UInt8]
  /// By folder: the hashes of the beginnings. Two that have one hash are taken for the same, and then
  /// the answer may be `true` without need.
  private let folders = Mutex<[String: Set<Int>]>([:])

  /// Of so many folders, at most, is it kept how their names began.
  private static let maximumFolders = 1_024

  /// - Parameter mark: with what all beginnings end.
  package init(mark: String) { self.mark = Array(mark.utf8) }

  /// Whether a folder had a name that begins with a text.
  ///
  /// - Parameter beginning: ends with the mark.
  /// - Throws: `FileSystem.Failure` when the folder cannot be listed.
  /// - Complexity: O(n) in the names of the folder the first time, then O(1).
  package func had(_ beginning: String, in folder: String) throws -> Bool {
    try folders.withLock { folders in
      try list(folder, &folders)
      return folders[folder]?.contains(Self.hash(Array(beginning.utf8)[...])) ?? true
    }
  }

  /// Whether a folder had a name that begins with a text, or was asked for with that text before: whoever asks
  /// is about to create such a name.
  ///
  /// - Parameter beginning: ends with the mark.
  /// - Throws: `FileSystem.Failure` when the folder cannot be listed.
  /// - Complexity: O(n) in the names of the folder the first time, then O(1).
  package func hadOrAdded(_ beginning: String, in folder: String) throws -> Bool {
    try folders.withLock { folders in
      try list(folder, &folders)
      let hash = Self.hash(Array(beginning.utf8)[...])
      return folders[folder]?.insert(hash).inserted == false
    }
  }

  private func list(_ folder: String, _ folders: inout [String: Set<Int>]) throws {
    guard folders[folder] == nil else { return }
    if folders.count >= Self.maximumFolders { folders = [:] }
    folders[folder] = try beginnings(of: folder)
  }

  private func beginnings(of folder: String) throws -> Set<Int> {
    var found: Set<Int> = []
    try FileSystem.forEachName(in: folder) { name in
      let bytes = Array(name.utf8)
      guard bytes.count > mark.count else { return }
      // A name may have the mark several times.
      for end in mark.count...bytes.count where bytes[..<end].suffix(mark.count) == mark[...] {
        found.insert(Self.hash(bytes[..<end]))
      }
    }
    return found
  }

  private static func hash(_ bytes: ArraySlice<UInt8>) -> Int {
    var hasher = Hasher()
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }
}
