/// A location in a file that an author can open.
public struct SourceLocation: Sendable, Hashable, Codable {
  /// The path as the author gave it.
  public var file: String
  /// Counted from 1; `nil` if the whole file is meant.
  public var line: Int?
  /// Counted from 1, in Unicode scalars; `nil` if the whole line is meant.
  public var column: Int?

  /// Creates a location.
  ///
  /// - Parameters:
  ///   - file: the path as the author gave it.
  ///   - line: from 1; `nil` for the whole file.
  ///   - column: from 1, in Unicode scalars; `nil` for the whole line.
  public init(file: String, line: Int? = nil, column: Int? = nil) {
    self.file = file
    self.line = line
    self.column = column
  }

  /// The location `count` columns to the right.
  public func advanced(by count: Int) -> SourceLocation {
    SourceLocation(file: file, line: line, column: column.map { $0 + count })
  }
}

extension SourceLocation: CustomStringConvertible {
  /// `file:line:column`, as editors and compilers write it.
  public var description: String {
    [file, line.map(String.init), column.map(String.init)].compactMap(\.self).joined(separator: ":")
  }
}
