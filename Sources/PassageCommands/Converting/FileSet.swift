internal import Passage
internal import PassageFiles
internal import PassagePlatform

/// Files that are written together: all of them, or none.
///
/// Every file is first written under another name, which needs the space and the permissions, and
/// then renamed. A link stays one to its file, and a file that exists keeps its permissions. A process that is killed in between leaves whole files, and the same call completes
/// them.
struct FileSet {
  private let files: [ConvertedFile]
  private let system: FileSystem
  /// The folders that were made, outermost first.
  private var madeFolders: [String] = []
  /// What was at the paths that have been replaced; `nil` for nothing.
  private var replaced: [(path: String, contents: Data?)] = []

  /// - Parameter files: those in the state `written` are written.
  init(_ files: [ConvertedFile], system: FileSystem = FileSystem()) {
    self.files = files.filter { $0.state == .written }.map {
      var file = $0
      file.path = system.resolved($0.path)
      return file
    }
    self.system = system
  }

  /// Writes them.
  ///
  /// - Throws: ``MigrationError`` with `RUN-002` where there is something that is no regular file, `RUN-006`
  ///   or `RUN-007`. Then the folder is as it was before.
  mutating func write() throws(MigrationError) {
    for file in files { try ReplaceableFile.check(file.path, diskState: "nothing was written") }
    for file in files {
      do {
        let url = URL(filePath: file.path)
        try makeFolder(url.deletingLastPathComponent())
        let temporary = Self.temporaryPath(file.path)
        try? FileManager.default.removeItem(atPath: temporary)
        try Data(file.contents.utf8).write(
          to: URL(filePath: temporary), options: .withoutOverwriting)
        if try system.exists(file.path) {
          try system.copyPermissions(of: file.path, to: temporary)
        }
      } catch {
        throw undone(error, at: file.path)
      }
    }
    for file in files {
      do {
        let old =
          try system.exists(file.path) ? Data(contentsOf: URL(filePath: file.path)) : nil
        try system.rename(Self.temporaryPath(file.path), to: file.path)
        replaced.append((file.path, old))
      } catch {
        throw undone(error, at: file.path)
      }
    }
  }

  private static func temporaryPath(_ path: String) -> String { "\(path).passage-new" }

  private mutating func makeFolder(_ folder: URL) throws {
    guard !FileManager.default.fileExists(atPath: folder.path) else { return }
    let parent = folder.deletingLastPathComponent()
    if parent.path != folder.path { try makeFolder(parent) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    madeFolders.append(folder.path)
  }

  /// Takes everything back, and gives the failure that says so, or what could not be taken back.
  private func undone(_ error: any Error, at path: String) -> MigrationError {
    var left: [String] = []
    for file in files { try? system.remove(Self.temporaryPath(file.path)) }
    for (path, contents) in replaced.reversed() {
      do {
        if let contents {
          try system.write(Array(contents), to: path, keepsPermissions: true)
        } else {
          try system.remove(path)
        }
      } catch {
        left.append(path)
      }
    }
    for folder in madeFolders.reversed() { try? system.removeEmptyDirectory(folder) }
    return ConvertedFile.failure(
      error, at: path,
      diskState: left.isEmpty
        ? "nothing was written"
        : "these files have been written and could not be taken back: "
          + left.joined(separator: ", "))
  }
}
