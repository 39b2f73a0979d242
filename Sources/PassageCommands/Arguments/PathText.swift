internal import ArgumentParser
internal import Foundation
internal import PassageFiles

/// The paths of a call in the form used in messages and results. Each path has one form.
enum PathText {
  /// A path of the call. `-`, which stands for standard input or output in many programs, is no file.
  ///
  /// - Throws: an error of the parser for `-`. A file with this name is `./-`.
  static func file(_ path: String) throws -> String {
    guard path != StandardInputReader.name else {
      throw ValidationError(
        "this option cannot be standard input or output; a file with this name is ./-")
    }
    return try given(path)
  }

  /// A path of the call that may be `-`, standard input.
  ///
  /// - Throws: an error of the parser for an empty path.
  static func fileOrInput(_ path: String) throws -> String {
    path == StandardInputReader.name ? path : try given(path)
  }

  /// A path of the call.
  ///
  /// - Throws: an error of the parser for an empty path, which an unset variable of a script gives.
  static func given(_ path: String) throws -> String {
    guard !path.isEmpty else { throw ValidationError("the path is empty") }
    return normalized(path)
  }

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
    // It must not look like an option, or standard input.
    if text.hasPrefix("-") { return "./" + text }
    return text.isEmpty ? "." : text
  }

  /// A text for a person with each path below the working directory given from there.
  ///
  /// The engine follows links, and URLs are absolute: a path that was given from the working directory
  /// comes back from its root. This is the one place that decides how a path is shown; JSON has the
  /// engine's own.
  ///
  /// - Parameter folder: the working directory.
  static func shown(
    _ text: String, from folder: String = FileManager.default.currentDirectoryPath
  ) -> String {
    guard folder.hasPrefix("/"), folder != "/", text.contains(folder) else { return text }
    let parts = text.components(separatedBy: folder + "/")
    return parts.dropFirst().reduce(into: parts[0]) { shown, rest in
      let isWhole = shown.last.map { $0.isWhitespace || pathBeginnings.contains($0) } ?? true
      let hasName = rest.first.map { !$0.isWhitespace && !pathEnds.contains($0) } ?? false
      guard isWhole, hasName else {
        shown += folder + "/" + rest
        return
      }
      // It must not look like an option, or a home folder.
      shown += (rest.hasPrefix("-") || rest.hasPrefix("~") ? "./" : "") + rest
    }
  }

  /// What is before a path in a sentence or a command, besides white space.
  private static let pathBeginnings: Set<Character> = ["“", "‘", "'", "\"", "(", "[", "="]

  /// What is after a path.
  private static let pathEnds: Set<Character> = ["”", "’", "'", "\"", ")", "]", ",", ";", ":", "/"]

  /// The absolute path.
  static func absolute(_ path: String) -> String {
    guard !path.isEmpty, !path.hasPrefix("/") else { return normalized(path) }
    return normalized(FileManager.default.currentDirectoryPath + "/" + path)
  }

  /// A path as files in a folder name it: a relative one from there, an absolute one unchanged.
  ///
  /// Links are followed, because `..` after one leads elsewhere, but for the last name of the path.
  static func path(_ path: String, fromFolder folder: String) -> String {
    guard !path.hasPrefix("/") else { return path }
    let place = URL(filePath: absolute(path))
    let target =
      withoutLinks(place.deletingLastPathComponent().path).split(separator: "/")
      + [Substring(place.lastPathComponent)]
    let start = withoutLinks(folder).split(separator: "/")
    let shared = zip(target, start).prefix { $0 == $1 }.count
    let names = start.dropFirst(shared).map { _ in Substring("..") } + target.dropFirst(shared)
    return names.isEmpty ? "." : names.joined(separator: "/")
  }

  /// The absolute path with the links in its folders followed, as far as the folders exist.
  private static func withoutLinks(_ path: String) -> String {
    var existing = URL(filePath: absolute(path))
    var rest: [String] = []
    while existing.path != "/", !FileManager.default.fileExists(atPath: existing.path) {
      rest.insert(existing.lastPathComponent, at: 0)
      existing.deleteLastPathComponent()
    }
    return normalized(
      ([existing.resolvingSymlinksInPath().path] + rest).joined(separator: "/"))
  }
}
