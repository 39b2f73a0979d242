internal import PassageDiagnostics
internal import PassageFiles
internal import PassagePlatform
internal import PassageStores

/// Small files written by authors.
enum TextFile {
  private static let maximumBytes: Int64 = 16 << 20

  /// The contents of a regular file of at most 16 MiB; `nil` when there is none.
  ///
  /// - Throws: `MOD-102` for something that exists and cannot be read, `STO-160` if too many files are open,
  ///   `MOD-133` if the system failed otherwise; a missing file is not an error.
  static func contents(_ path: String) throws(Diagnostics) -> [UInt8]? {
    let status: FileSystem.Status
    do throws(FileSystem.Failure) {
      status = try FileSystem.status(path)
    } catch {
      if error.isMissing { return nil }
      throw unreadable(path, error)
    }
    // Reading a pipe would block.
    guard status.kind == .file else {
      throw unreadable(path, "it is not a regular file", remedy: "name a regular file")
    }
    guard status.bytes <= maximumBytes else {
      throw unreadable(path, "it is larger than \(maximumBytes) bytes")
    }
    do throws(FileSystem.Failure) {
      return try FileSystem.prefix(path, count: Int(status.bytes))
    } catch {
      throw unreadable(path, error)
    }
  }

  private static func unreadable(_ path: String, _ error: FileSystem.Failure) -> Diagnostics {
    if let diagnostic = error.systemDiagnostic { return Diagnostics([diagnostic]) }
    return unreadable(
      path, error.description,
      remedy: error.isPermission ? "give this user permission to read it" : nil)
  }

  private static func unreadable(
    _ path: String, _ reason: String, remedy: String? = nil
  ) -> Diagnostics {
    Diagnostics([
      Diagnostic(
        "MOD-102", "the file cannot be read", at: SourceLocation(file: path), reason: reason,
        remedy: remedy)
    ])
  }

  /// The names in a folder, sorted; empty when the folder does not exist.
  static func names(in directory: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).sorted()
  }
}
