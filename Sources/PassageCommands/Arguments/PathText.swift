internal import Foundation

/// Paths of a call, as messages and results show them: one path has one form.
enum PathText {
  /// Without `.`, doubled slashes, and names that `..` takes back. A name that is a link stays, because
  /// `..` behind it leads elsewhere.
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

  /// From the root of the file system.
  static func absolute(_ path: String) -> String {
    guard !path.isEmpty, !path.hasPrefix("/") else { return normalized(path) }
    return normalized(FileManager.default.currentDirectoryPath + "/" + path)
  }
}
