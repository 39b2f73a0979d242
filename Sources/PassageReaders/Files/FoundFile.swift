package import PassageDiagnostics
internal import PassageFiles
internal import PassagePlatform
internal import PassageStores

/// A file or folder that exists, with the properties that show its kind.
package struct FoundFile: Sendable {
  /// The path as given, without a trailing slash.
  package let path: String
  /// Whether it is a folder; a link counts as its target.
  package let isDirectory: Bool
  /// At most 16 bytes; empty for a folder.
  package let firstBytes: [UInt8]

  /// Reads the properties of a path; `nil` if nothing exists there, as where the path is longer than the system
  /// allows.
  ///
  /// - Throws: `MOD-102` for something that is neither a file nor a folder, or may not be read, `MOD-133` where
  ///   the system failed.
  package init?(path: String) throws(Diagnostics) {
    guard path.utf8.count <= FileSystem.maximumPathBytes else { return nil }
    // A path with a trailing slash names the same folder.
    let path = path.withoutTrailingSlashes
    let isDirectory: Bool
    do throws(FileSystem.Failure) {
      isDirectory = try FileSystem.status(path).kind == .directory
    } catch {
      if let diagnostic = error.systemDiagnostic { throw Diagnostics([diagnostic]) }
      return nil
    }
    self.path = path
    self.isDirectory = isDirectory
    self.firstBytes = isDirectory ? [] : try Self.read(path, maximumBytes: nil, prefix: 16)
  }

  /// The last component of the path.
  package var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The name's extension in lower case, without the dot; empty if there is none.
  package var pathExtension: String {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count > 1 ? parts[parts.count - 1].lowercased() : ""
  }

  /// The name without its extension.
  package var baseName: String {
    pathExtension.isEmpty ? name : String(name.dropLast(pathExtension.count + 1))
  }

  /// The folder that holds the file.
  package var parent: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The names inside the folder, in no particular order; empty if it is a file or may not be read.
  package var contents: [String] {
    get throws(Diagnostics) {
      do throws(FileSystem.Failure) {
        return try FileSystem.names(in: path)
      } catch {
        if let diagnostic = error.systemDiagnostic { throw Diagnostics([diagnostic]) }
        return []
      }
    }
  }

  /// The contents of the file.
  ///
  /// - Throws: `MOD-102` when it may not be read, `MOD-106` when it is longer than `maximumBytes`, `MOD-133`
  ///   where the system failed.
  package func read(maximumBytes: Int) throws(Diagnostics) -> [UInt8] {
    try Self.read(path, maximumBytes: maximumBytes, prefix: nil)
  }

  private static func read(
    _ path: String, maximumBytes: Int?, prefix: Int?
  ) throws(Diagnostics) -> [UInt8] {
    let status: FileSystem.Status
    do throws(FileSystem.Failure) {
      status = try FileSystem.status(path)
    } catch {
      throw unreadable(path, error)
    }
    guard status.kind == .file else {
      throw Diagnostics([
        unreadable(path, "it is not a regular file", remedy: "name a regular file")
      ])
    }
    if let maximumBytes, status.bytes > Int64(maximumBytes) {
      throw Diagnostics([
        Diagnostic(
          "MOD-106", "the file is larger than \(maximumBytes) bytes",
          at: SourceLocation(file: path))
      ])
    }
    do throws(FileSystem.Failure) {
      // A store may be very large, so only its beginning is read.
      return try FileSystem.prefix(path, count: prefix ?? Int(status.bytes))
    } catch {
      throw unreadable(path, error)
    }
  }

  private static func unreadable(_ path: String, _ error: FileSystem.Failure) -> Diagnostics {
    Diagnostics([
      error.systemDiagnostic
        ?? unreadable(
          path, error.description,
          remedy: error.isPermission ? "give this user permission to read it" : nil)
    ])
  }

  private static func unreadable(
    _ path: String, _ reason: String, remedy: String?
  ) -> Diagnostic {
    Diagnostic(
      "MOD-102", "the file cannot be read", at: SourceLocation(file: path), reason: reason,
      remedy: remedy)
  }
}
