internal import Passage

/// The schema files that commands write beside the files they describe.
enum SchemaFiles {
  /// The file of a schema beside the files of a folder. One that exists with other contents is kept,
  /// because it may be of a newer version.
  ///
  /// - Parameters:
  ///   - directory: the folder of the files that name the schema.
  ///   - isForced: whether a file that differs is replaced.
  static func file(
    _ schema: EditorSchema, in directory: String, isForced: Bool
  ) -> ConvertedFile {
    file(
      at: "\(directory)/\(schema.reference)", name: schema.rawValue, contents: schema.text,
      isForced: isForced)
  }

  /// A schema file at a path.
  static func file(
    at path: String, name: String, contents: String, isForced: Bool
  ) -> ConvertedFile {
    var file = ConvertedFile(path: path, kind: .schema, name: name, contents: contents)
    switch file.isSame {
    case nil: break
    case true?: file.state = .unchanged
    case false?: file.state = isForced ? .written : .kept
    }
    return file
  }
}
