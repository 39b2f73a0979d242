internal import PassageDiagnostics
internal import PassageFiles
package import PassageValues

/// Reads the values of a store that are stored in files of its external data.
package struct ExternalFolder: Sendable {
  package let path: String
  /// Whether a value whose file is missing becomes nil.
  let dropsMissingFiles: Bool

  /// The largest value SQLite stores (https://www.sqlite.org/limits.html).
  private static let maximumBytes: Int64 = 1_000_000_000

  package init(path: String, dropsMissingFiles: Bool) {
    self.path = path
    self.dropsMissingFiles = dropsMissingFiles
  }

  /// The value of a cell of an attribute that allows external storage: the bytes without the
  /// marker, or the contents of the file. NULL if the file is missing and that is allowed.
  ///
  /// - Throws: `STO-311` for a value whose file is missing or too large, `STO-313` for a reference that
  ///   names no file, `FileSystem.Failure` where it cannot be read or looked for.
  package func value(ofCell bytes: [UInt8]) throws -> Value {
    switch ExternalValue(prefix: bytes.prefix(39), byteCount: bytes.count) {
    case .inline: return .blob(Array(bytes.dropFirst()))
    case .other: return .blob(bytes)
    case .file(let name): return try contents(of: name).map { .blob($0) } ?? .null
    case .malformedReference:
      if dropsMissingFiles { return .null }
      throw Diagnostic("STO-313", "a reference to a file of external data does not name a file")
    }
  }

  /// Reads the value of a cell that is stored in a file, in pieces.
  ///
  /// - Parameter limit: a value that is not longer is not read.
  /// - Returns: the size of the value in bytes; `nil` if the value is not in a file, is not longer
  ///   than the limit, or its file is missing. ``value(ofCell:)`` reports that.
  package func pieces(
    ofCell bytes: [UInt8], longerThan limit: Int, _ body: ([UInt8]) throws -> Void
  ) throws -> Int? {
    guard let (path, byteCount) = try file(ofCell: bytes), byteCount > limit else { return nil }
    let reader = try FileReader(path)
    var count = 0
    while case let piece = try reader.next(), !piece.isEmpty {
      count += piece.count
      try body(piece)
    }
    return count
  }

  /// The file of a cell's value and its size in bytes; `nil` if the value is not in a file, or the
  /// file is missing or too long for a column.
  package func file(ofCell bytes: [UInt8]) throws -> (path: String, byteCount: Int)? {
    guard
      case .file(let name) = ExternalValue(prefix: bytes.prefix(39), byteCount: bytes.count),
      let status = try FileSystem.linkStatusIfThere("\(path)/\(name)"), status.kind == .file,
      status.bytes <= Self.maximumBytes
    else { return nil }
    return ("\(path)/\(name)", Int(status.bytes))
  }

  /// The contents of a file; `nil` if it is missing and that is allowed.
  private func contents(of name: String) throws -> [UInt8]? {
    let file = "\(path)/\(name)"
    guard let status = try FileSystem.linkStatusIfThere(file), status.kind == .file else {
      if dropsMissingFiles { return nil }
      throw Diagnostic(
        "STO-311", "the file of an external value is missing", at: SourceLocation(file: file))
    }
    guard status.bytes <= Self.maximumBytes else {
      throw Diagnostic(
        "STO-311", "the file of an external value is too large for a column",
        at: SourceLocation(file: file), reason: "it has \(status.bytes) bytes")
    }
    return try FileSystem.prefix(file, count: Int(status.bytes))
  }
}
