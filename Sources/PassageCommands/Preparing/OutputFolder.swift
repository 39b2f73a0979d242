internal import Passage
internal import PassagePlatform

extension CallMistakes {
  /// Refuses a folder for files that cannot be one: a file would stop the call in the middle, and an empty
  /// name would write to the root of the file system.
  mutating func checkOutputFolder(_ path: String) {
    guard path.isEmpty || Self.isFolder(path) == false else { return }
    add(
      Diagnostic(
        "CMD-003", "--output does not name a folder", at: SourceLocation(file: path),
        remedy: "check the path"))
  }

  /// Whether what is at a path is a folder; `nil` if nothing is there.
  static func isFolder(_ path: String) -> Bool? {
    var isFolder = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) ? isFolder : nil
  }
}
