internal import PassageFiles
package import PassageDiagnostics
internal import PassageStores

/// What is in the place of a result.
package enum OccupiedPlace {
  /// Says what is in the way; `nil` where nothing is.
  package static func diagnostic(_ path: String) -> Diagnostic? {
    guard FileSystem().entry(path) != nil else { return nil }
    return refusal(path)
  }

  /// That something is in the way: `RUN-002`.
  ///
  /// - Parameter reason: `nil` where nothing more is known than that it is there.
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
}
