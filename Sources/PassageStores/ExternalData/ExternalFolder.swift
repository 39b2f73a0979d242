internal import PassageDiagnostics
package import PassageValues

/// The files of a store's external data, read into the values they belong to.
package struct ExternalFolder: Sendable {
  let path: String
  /// Whether a value whose file is missing becomes nil.
  let dropsMissingFiles: Bool

  /// The largest value SQLite stores (https://www.sqlite.org/limits.html).
  private static let maximumBytes: Int64 = 1_000_000_000

  package init(path: String, dropsMissingFiles: Bool) {
    self.path = path
    self.dropsMissingFiles = dropsMissingFiles
  }

  /// The value itself of a cell of an attribute that allows external storage: without its marker, or
  /// out of its file. NULL for a file that is missing where that is allowed.
  ///
  /// - Throws: `STO-311` for a value whose file cannot be read, `STO-313` for a reference that names
  ///   none.
  package func value(ofCell bytes: [UInt8]) throws -> Value {
    switch ExternalValue(prefix: bytes.prefix(39), byteCount: bytes.count) {
    case .inline: return .blob(Array(bytes.dropFirst()))
    case .other: return .blob(bytes)
    case .file(let name): return try contents(of: name).map { .blob($0) } ?? .null
    case .malformedReference:
      if dropsMissingFiles { return .null }
      throw Diagnostic("STO-313", "a reference to a file of its own names no file")
    }
  }

  /// The bytes of a file; `nil` when it is missing and that is allowed.
  private func contents(of name: String) throws -> [UInt8]? {
    let file = "\(path)/\(name)"
    guard let status = try? FileSystem.linkStatus(file), status.kind == .file else {
      if dropsMissingFiles { return nil }
      throw Diagnostic(
        "STO-311", "a value in a file of its own is missing", at: SourceLocation(file: file))
    }
    guard status.bytes <= Self.maximumBytes else {
      throw Diagnostic(
        "STO-311", "a value in a file of its own is too long for a column",
        at: SourceLocation(file: file), reason: "it has \(status.bytes) bytes")
    }
    return try FileSystem.prefix(file, count: Int(status.bytes))
  }
}
