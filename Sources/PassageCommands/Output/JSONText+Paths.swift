internal import Passage

extension JSONText {
  /// An absolute path: results for programs must not depend on the current folder.
  static func path(_ path: String) -> JSONText { .string(PathText.absolute(path)) }

  /// An absolute path, or `null`.
  static func path(_ path: String?) -> JSONText { .optional(path.map(PathText.absolute)) }

  /// The file of a location in a result for programs; for a text of the call, the name of its
  /// option.
  static func place(_ file: String) -> JSONText {
    file.hasPrefix("--") ? .string(file) : .path(file)
  }
}
