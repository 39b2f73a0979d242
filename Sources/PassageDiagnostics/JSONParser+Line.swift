extension JSONParser {
  /// What differs between a file and one line of a file that has a value on each line.
  struct Scope {
    /// `file` or `line`, for messages.
    var name: String
    var code: String
    var maximumBytes: Int
    var maximumValues: Int
    /// Whether a byte-order mark may be at the beginning.
    var allowsMark: Bool
    /// Whether an object may have several members with the same name.
    var allowsRepetition: Bool
    /// Whether names are different that differ only in how an accent is written.
    var tellsFormsApart = false

    static let file = Scope(
      name: "file", code: "MAP-001", maximumBytes: JSONParser.maximumBytes,
      maximumValues: JSONParser.maximumValues, allowsMark: true, allowsRepetition: false)
  }

  /// Parses a text that is an app's value. Unlike in a file of a project, names of members that differ only in
  /// how an accent is written are different names.
  ///
  /// - Throws: `MAP-001` for a text that is not JSON, with the location of the first mistake.
  package static func parse(value bytes: [UInt8]) throws(Diagnostic) -> JSONNode {
    var scope = Scope.file
    scope.tellsFormsApart = true
    var parser = JSONParser(bytes: bytes, file: "JSON", line: 1, scope: scope)
    return try parser.document()
  }

  /// Parses one line of a file that has a value on each line. Names of members may occur twice, and
  /// the caller reports that.
  ///
  /// - Parameters:
  ///   - bytes: the line in UTF-8. Its length is not limited here.
  ///   - number: the number of the line.
  ///   - file: the file name used in locations.
  ///   - code: the code for a line that is not JSON.
  ///   - maximumValues: the largest number of values in the line.
  /// - Throws: the location of the first mistake, without any text of the line.
  package static func parse(
    line bytes: [UInt8], number: Int, file: String, code: String, maximumValues: Int
  ) throws(Diagnostic) -> JSONNode {
    let scope = Scope(
      name: "line", code: code, maximumBytes: .max, maximumValues: maximumValues,
      allowsMark: false, allowsRepetition: true)
    var parser = JSONParser(bytes: bytes, file: file, line: number, scope: scope)
    return try parser.document()
  }
}
