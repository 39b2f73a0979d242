package import PassageFiles

/// A pattern for paths, which is expanded in the order of the folders' names: each part between
/// slashes is a ``NamePattern``, and `**` stands for any number of folders, none included.
///
/// Patterns are expanded here and not only by the shell, whose command line is limited.
package struct StorePattern {
  private let text: String

  package init(_ text: String) { self.text = text }

  /// Appends the paths that match; a text that is no pattern is a path itself, whether something is
  /// there or not.
  ///
  /// - Throws: `FileSystem.Failure` for a folder whose names cannot be read.
  package func expand(into names: inout StoreNames) throws(FileSystem.Failure) {
    guard NamePattern.isPattern(text) else { return names.append(text) }
    var parts = text.split(separator: "/")
    var start = text.hasPrefix("/") ? "/" : ""
    while let first = parts.first, !NamePattern.isPattern(first) {
      start += first + "/"
      parts.removeFirst()
    }
    let before = names.count
    // Folders that were linked into themselves would have no end.
    try expand(parts[...], below: start, depth: 0, &names)
    // A shell that has expanded a pattern gives names that may look like one.
    if names.count == before, FileSystem().entry(text) != nil { names.append(text) }
  }

  private static let maximumDepth = 64

  private func expand(
    _ parts: ArraySlice<Substring>, below folder: String, depth: Int, _ names: inout StoreNames
  ) throws(FileSystem.Failure) {
    guard let part = parts.first, depth < Self.maximumDepth else { return }
    let rest = parts.dropFirst()
    if part == "**" {
      try expand(rest.isEmpty ? ["*"] : rest, below: folder, depth: depth, &names)
      for name in try Self.names(in: folder) where !name.hasPrefix(".") {
        let path = folder + name
        guard (try? FileSystem.linkStatus(path))?.kind == .directory else { continue }
        try expand(parts, below: path + "/", depth: depth + 1, &names)
      }
      return
    }
    if !NamePattern.isPattern(part) {
      let path = folder + part
      guard FileSystem().entry(path) != nil else { return }
      if rest.isEmpty { return names.append(path) }
      return try expand(rest, below: path + "/", depth: depth + 1, &names)
    }
    let pattern = NamePattern(part)
    for name in try Self.names(in: folder) where pattern.matches(name) {
      if rest.isEmpty {
        names.append(folder + name)
      } else if FileSystem().isDirectory(folder + name) {
        try expand(rest, below: folder + name + "/", depth: depth + 1, &names)
      }
    }
  }

  private static func names(in folder: String) throws(FileSystem.Failure) -> [String] {
    do {
      return try FileSystem.names(in: folder.isEmpty ? "." : folder)
    } catch {
      if error.isNothingThere { return [] }
      throw error
    }
  }
}
