internal import Foundation

/// The paths of a call in the form used in messages and results. Each path has one form.
enum PathText {
  /// The path without `.`, doubled slashes, and names that a following `..` cancels. A name that is
  /// a link stays, because `..` after it leads elsewhere.
  static func normalized(_ path: String) -> String {
    guard !path.isEmpty else { return path }
    var names: [Substring] = []
    let root = path.hasPrefix("/") ? "/" : ""
    for name in path.split(separator: "/") where name != "." {
      if name == "..", let last = names.last, last != ".." {
        let before = root + names.joined(separator: "/")
        if (try? FileManager.default.destinationOfSymbolicLink(atPath: before)) == nil {
          names.removeLast()
          continue
        }
      }
      if name == "..", names.isEmpty, !root.isEmpty { continue }
      names.append(name)
    }
    let text = root + names.joined(separator: "/")
    return text.isEmpty ? "." : text
  }

  /// The absolute path.
  static func absolute(_ path: String) -> String {
    guard !path.isEmpty, !path.hasPrefix("/") else { return normalized(path) }
    return normalized(FileManager.default.currentDirectoryPath + "/" + path)
  }
}
