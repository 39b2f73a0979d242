internal import Foundation
internal import Passage

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

  /// A place's file in a result for programs; the name of an option stands for a text of the call.
  static func shown(_ file: String) -> JSONText {
    file.hasPrefix("--") ? .string(file) : .path(file)
  }

  /// From the root of the file system.
  static func absolute(_ path: String) -> String {
    guard !path.isEmpty, !path.hasPrefix("/") else { return normalized(path) }
    return normalized(FileManager.default.currentDirectoryPath + "/" + path)
  }
}

extension JSONText {
  /// A path: results for programs name files from the root, whatever folder the program is in.
  static func path(_ path: String) -> JSONText { .string(PathText.absolute(path)) }

  /// A path, or `null`.
  static func path(_ path: String?) -> JSONText { .optional(path.map(PathText.absolute)) }
}
