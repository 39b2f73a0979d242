internal import Passage

extension JSONText {
  /// A path: results for programs name files from the root, whatever folder the program is in.
  static func path(_ path: String) -> JSONText { .string(PathText.absolute(path)) }

  /// A path, or `null`.
  static func path(_ path: String?) -> JSONText { .optional(path.map(PathText.absolute)) }

  /// A place's file in a result for programs; the name of an option stands for a text of the call.
  static func place(_ file: String) -> JSONText {
    file.hasPrefix("--") ? .string(file) : .path(file)
  }
}
