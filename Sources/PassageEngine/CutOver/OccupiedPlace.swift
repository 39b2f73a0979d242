package import PassageDiagnostics
internal import PassageFiles
internal import PassageStores

/// Reports a file that exists where a result is to be put.
package enum OccupiedPlace {
  /// The error about an existing file; `nil` when the path is free.
  package static func diagnostic(_ path: String) -> Diagnostic? {
    guard FileSystem().entry(path) != nil else { return nil }
    return refusal(path)
  }

  /// The error that something exists at the path: `RUN-002`.
  ///
  /// - Parameter reason: why it cannot be used; `nil` when nothing more is known.
  package static func refusal(_ path: String, reason: String? = nil) -> Diagnostic {
    let files = FileSystem()
    let kind = files.isDirectory(path) ? .directory : files.entry(path)?.kind ?? .file
    return switch kind {
    case .directory:
      Diagnostic(
        "RUN-002", "a folder exists at the destination", at: SourceLocation(file: path),
        reason: "the result is a file", remedy: "name a file in it, or another one")
    case .file:
      Diagnostic(
        "RUN-002", "a file exists at the destination already", at: SourceLocation(file: path),
        reason: reason, remedy: "name another file, or move it away")
    case .link, .other:
      Diagnostic(
        "RUN-002", "there is a \(kind.rawValue) at the destination", at: SourceLocation(file: path),
        reason: reason, remedy: "name another file, or move it away")
    }
  }

  /// The error that a folder has the name of a file that SQLite has beside a store: `RUN-002`.
  package static func folderOfSidecar(_ path: String) -> Diagnostic {
    Diagnostic(
      "RUN-002", "a folder has the name of a file that SQLite makes beside the destination",
      at: SourceLocation(file: path), remedy: "name another destination, or move the folder away")
  }

  /// The error that SQLite's log of a store that is not there is beside the destination: `RUN-002`.
  static func logWithoutStore(_ path: String) -> Diagnostic {
    Diagnostic(
      "RUN-002", "the log of another store is at the destination", at: SourceLocation(file: path),
      reason: "it may have the only copy of what was written last to a store that is not there now",
      remedy: "put that store back, or move its log away; or name another destination")
  }
}
