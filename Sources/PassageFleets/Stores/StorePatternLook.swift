/// A place of a pattern in the file system: a folder in which it looks, and its parts for the paths below.
package struct StorePatternLook: Sendable {
  /// The whole pattern.
  let pattern: String
  /// The folder as the pattern spells it, with a slash at its end, or empty for the current one.
  let folder: String
  let parts: ArraySlice<Substring>

  /// Whether the pattern would find a file, which need not exist.
  ///
  /// - Parameter path: the names from the folder to the file.
  func finds(_ path: [Substring]) -> Bool { Self.match(parts, path[...]) }

  /// The rules of ``StorePattern/expand(into:)``, for names alone.
  private static func match(
    _ parts: ArraySlice<Substring>, _ path: ArraySlice<Substring>
  ) -> Bool {
    guard let part = parts.first, let name = path.first else {
      return parts.isEmpty && path.isEmpty
    }
    let rest = parts.dropFirst()
    if part == "**" {
      return match(rest.isEmpty ? ["*"] : rest, path)
        || (path.count > 1 && !name.hasPrefix(".") && match(parts, path.dropFirst()))
    }
    guard NamePattern.isPattern(part) ? NamePattern(part).matches(String(name)) : part == name
    else { return false }
    return match(rest, path.dropFirst())
  }
}
