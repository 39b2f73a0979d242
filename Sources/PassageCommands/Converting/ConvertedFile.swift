internal import Passage
internal import PassagePlatform

/// A file that a conversion writes.
struct ConvertedFile {
  enum Kind: String {
    case model
    case mappingModel
    case history
  }

  enum State: String {
    /// It was not there, or was another one and gave way.
    case written
    /// It was there already, and is the same.
    case unchanged
    /// It was there already, and is left as it is.
    case kept
  }

  var path: String
  var kind: Kind
  /// What it is called in a project: a version's or a mapping model's name.
  var name: String
  var contents: String
  var state = State.written

  /// Looks what is at the path; `nil` when nothing is.
  var isSame: Bool? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    return FileManager.default.contents(atPath: path) == Data(contents.utf8)
  }

  /// Writes the file whole or not at all, and the folder it is in.
  ///
  /// - Throws: ``MigrationError`` with `RUN-006` or `RUN-007`.
  func write() throws(MigrationError) {
    do {
      let url = URL(filePath: path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(contents.utf8).write(to: url, options: .atomic)
    } catch {
      let isFull = (error as? CocoaError)?.code == .fileWriteOutOfSpace
      throw MigrationError(
        Diagnostic(
          isFull ? "RUN-006" : "RUN-007",
          isFull ? "the disk is full" : "the operating system refused an operation",
          at: SourceLocation(file: path), reason: "the file cannot be written",
          remedy: isFull ? "free some disk space, then run the same command again" : nil),
        diskState: "the files before it may have been written; each is complete")
    }
  }
}
