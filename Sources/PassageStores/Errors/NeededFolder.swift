package import PassageDiagnostics
internal import PassageFiles

/// A folder that a call needs and that is not there.
package enum NeededFolder {
  /// - Parameters:
  ///   - path: the folder's.
  ///   - name: what it is called in a sentence, “the destination's folder”.
  ///   - remedy: what to do where nothing is there.
  /// - Returns: `RUN-003`, which says whether something else has the path.
  package static func missing(
    _ path: String, _ name: String, remedy: String = "create the folder first"
  ) -> Diagnostic {
    let found = FileSystem().entry(path)
    return Diagnostic(
      "RUN-003", "\(name) \(found == nil ? "does not exist" : "is not a folder")",
      at: SourceLocation(file: path), reason: found.map { "it is a \($0.kind.rawValue)" },
      remedy: found == nil ? remedy : "name a folder")
  }
}
