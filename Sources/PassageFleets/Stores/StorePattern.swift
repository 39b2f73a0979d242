package import PassageFiles

/// A pattern for paths, which is expanded in the order of the folders' names: each part between
/// slashes is a ``NamePattern``, and `**` stands for any number of folders, none included.
///
/// Patterns are expanded here and not only by the shell, whose command line is limited.
package struct StorePattern {
  private let text: String

  package init(_ text: String) { self.text = text }

  /// What a pattern finds.
  package struct Found {
    package private(set) var names: StoreNames
    /// The files that matched and belong to a store that is there.
    package private(set) var leftOutCount = 0
    /// Where it looks into one folder, if a folder is watched.
    package private(set) var looks: [StorePatternLook] = []
    private let watched: (device: UInt64, file: UInt64)?

    /// - Parameters:
    ///   - names: those that are there already.
    ///   - folder: a folder to watch, by any of its paths.
    package init(_ names: StoreNames, watching folder: String? = nil) {
      self.names = names
      watched = folder.flatMap { try? FileSystem.status($0) }.map { ($0.device, $0.inode) }
    }

    fileprivate mutating func append(_ path: String) { names.append(path) }

    /// Takes what matches, unless SQLite or Passage made it beside a store.
    fileprivate mutating func append(match path: String) {
      if WorkName(path)?.belongsToStore == true { leftOutCount += 1 } else { append(path) }
    }

    /// All that matched.
    fileprivate var matchCount: Int { names.count + leftOutCount }

    /// Notes the folder if it is the one that is watched. By links it can be reached in many ways,
    /// each with the same further parts of the pattern.
    fileprivate mutating func visit(
      _ folder: String, _ parts: ArraySlice<Substring>, of text: String
    ) {
      guard let watched,
        !looks.contains(where: { $0.pattern == text && $0.parts.count == parts.count }),
        let status = try? FileSystem.status(folder.isEmpty ? "." : folder),
        (status.device, status.inode) == watched
      else { return }
      looks.append(StorePatternLook(pattern: text, folder: folder, parts: parts))
    }
  }

  /// Appends the paths that match, without what belongs to a store (``WorkName``); a text that is no pattern is
  /// a path itself, whatever is there, if anything.
  ///
  /// - Throws: `FileSystem.Failure` for a folder whose names cannot be read.
  package func expand(into found: inout Found) throws(FileSystem.Failure) {
    guard NamePattern.isPattern(text) else { return found.append(text) }
    var parts = text.split(separator: "/")
    var start = text.hasPrefix("/") ? "/" : ""
    while let first = parts.first, !NamePattern.isPattern(first) {
      start += first + "/"
      parts.removeFirst()
    }
    let before = found.matchCount
    // Folders that were linked into themselves would have no end.
    try expand(parts[...], below: start, depth: 0, &found)
    // A shell that has expanded a pattern gives names that may look like one.
    if found.matchCount == before, FileSystem().entry(text) != nil { found.append(text) }
  }

  private static let maximumDepth = 64

  private func expand(
    _ parts: ArraySlice<Substring>, below folder: String, depth: Int, _ found: inout Found
  ) throws(FileSystem.Failure) {
    guard let part = parts.first, depth < Self.maximumDepth else { return }
    found.visit(folder, parts, of: text)
    let rest = parts.dropFirst()
    if part == "**" {
      try expand(rest.isEmpty ? ["*"] : rest, below: folder, depth: depth, &found)
      let names = try Self.names(in: folder)
      for name in names where !name.hasPrefix(".") {
        let path = folder + name
        try Self.checkName(name, in: folder, of: names)
        guard try Self.isFolder(path, followsLinks: false) else { continue }
        try expand(parts, below: path + "/", depth: depth + 1, &found)
      }
      return
    }
    if !NamePattern.isPattern(part) {
      let path = folder + part
      guard try FileSystem().exists(path) else { return }
      if rest.isEmpty { return found.append(match: path) }
      return try expand(rest, below: path + "/", depth: depth + 1, &found)
    }
    let pattern = NamePattern(part)
    let names = try Self.names(in: folder)
    for name in names where pattern.matches(name) {
      try Self.checkName(name, in: folder, of: names)
      if rest.isEmpty {
        found.append(match: folder + name)
      } else if try Self.isFolder(folder + name, followsLinks: true) {
        try expand(rest, below: folder + name + "/", depth: depth + 1, &found)
      }
    }
  }

  /// Refuses a name that is not UTF-8: what was read of it is another name, or one of several files.
  private static func checkName(
    _ name: String, in folder: String, of names: [String]
  ) throws(FileSystem.Failure) {
    guard name.unicodeScalars.contains("\u{FFFD}") else { return }
    let isUnique = names.count { $0.utf8.elementsEqual(name.utf8) } == 1
    guard !isUnique || FileSystem().entry(folder + name) == nil else { return }
    throw FileSystem.notUTF8(folder + name)
  }

  /// Whether a folder is at a path. Where the system fails that is not known, and stores in it would be
  /// left out.
  private static func isFolder(
    _ path: String, followsLinks: Bool
  ) throws(FileSystem.Failure) -> Bool {
    do {
      let status = try followsLinks ? FileSystem.status(path) : FileSystem.linkStatus(path)
      return status.kind == .directory
    } catch {
      if error.isOfSystem { throw error }
      return false
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
