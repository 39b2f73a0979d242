internal import PassageFiles

/// The files that form one store. They are never moved separately.
///
/// A `-wal` file holds transactions that are not in the main file yet, and the folder of external
/// data holds large values, so a copy of the main file alone is not a copy of the store.
package struct StoreUnit: Sendable, Hashable {
  /// The main file's path, as it was given.
  package let path: String

  package init(path: String) { self.path = path }

  /// The folder the store is in.
  package var folder: String { FileSystem.folder(of: path) }

  /// The main file's name.
  package var name: String {
    path.lastIndex(ofPlain: "/").map { String(path[path.utf8.index(after: $0)...]) } ?? path
  }

  /// What the path has before the name: nothing, or a folder with the slash after it.
  package var pathBeforeName: String {
    path.lastIndex(ofPlain: "/").map { String(path[..<path.utf8.index(after: $0)]) } ?? ""
  }

  /// SQLite's write-ahead log.
  package var walPath: String { path + "-wal" }
  /// SQLite's index into the write-ahead log: a cache that may be deleted.
  package var sharedMemoryPath: String { path + "-shm" }
  /// SQLite's rollback journal.
  package var journalPath: String { path + "-journal" }
  /// The folder of external data: `.<name>_SUPPORT` beside the store, where `<name>` is the store's
  /// name without extension.
  package var supportPath: String {
    let name = name
    let stem = name.lastIndex(ofPlain: ".").map {
      $0 == name.startIndex ? name : String(name[..<$0])
    }
    let folder = folder
    return "\(folder == "/" ? "" : folder)/.\(stem ?? name)_SUPPORT"
  }
  /// The folder inside ``supportPath`` with one file for each external value.
  package var externalDataPath: String { supportPath + "/_EXTERNAL_DATA" }

  /// SQLite's files beside the main one.
  package var sidecarPaths: [String] { [walPath, sharedMemoryPath, journalPath] }

  /// Whether the main file exists.
  package var exists: Bool { (try? FileSystem.status(path)) != nil }

  /// The size of all files of the unit that can be read, external values included, in bytes.
  package var totalBytes: Int64 {
    ([path] + sidecarPaths).reduce(externalBytes) { $0.saturatingAdd(Self.bytes($1)) }
  }

  /// The size of the external values in bytes.
  package var externalBytes: Int64 {
    let names = (try? FileSystem.names(in: externalDataPath)) ?? []
    return names.reduce(0) { $0.saturatingAdd(Self.bytes("\(externalDataPath)/\($1)")) }
  }

  private static func bytes(_ path: String) -> Int64 {
    guard let status = try? FileSystem.status(path), status.kind == .file else { return 0 }
    return max(0, status.bytes)
  }
}
