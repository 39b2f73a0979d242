internal import PassageFiles
internal import PassageDiagnostics
internal import PassageStores
internal import PassagePlatform

/// Small files written by authors.
enum TextFile {
  private static let maximumBytes: Int64 = 16 << 20

  /// The contents of a regular file of at most 16 MiB; `nil` when there is none.
  ///
  /// - Throws: `MOD-102` for a file that exists and cannot be read, `STO-160` if too many files are open;
  ///   a missing file is not an error.
  static func contents(_ path: String) throws(Diagnostics) -> [UInt8]? {
    do {
      let status = try FileSystem.status(path)
      // Reading a pipe would block.
      guard status.kind == .file, status.bytes <= maximumBytes else { return nil }
      return try FileSystem.prefix(path, count: Int(status.bytes))
    } catch {
      if error.isMissing { return nil }
      if error.isTooManyOpenFiles { throw Diagnostics([StoreError(error, path: path).diagnostic]) }
      throw Diagnostics([
        Diagnostic(
          "MOD-102", "the file cannot be read", at: SourceLocation(file: path),
          reason: error.description)
      ])
    }
  }

  /// The names in a folder, sorted; empty when the folder does not exist.
  static func names(in directory: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).sorted()
  }
}
