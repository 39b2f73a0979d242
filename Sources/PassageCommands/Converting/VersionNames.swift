internal import Passage
internal import PassageFiles
internal import PassageProjects

/// The names that the versions of a project's history have for their models. A mapping model names the
/// versions it leads from and to, not the files of their models.
struct VersionNames {
  private let versions: [(name: String, path: String)]

  /// - Parameter folder: the folder with `history.json`. One that has none, or one that cannot be read,
  ///   gives no names: it is not what the call is about.
  init(folder: String) {
    guard let bytes = FileSystem().contents(folder + "/history.json"),
      let history = try? HistoryDocument.decode(bytes, file: folder + "/history.json")
    else {
      versions = []
      return
    }
    versions = history.versions.map { version in
      let path = version.model.value
      return (version.name.value, path.hasPrefix("/") ? path : "\(folder)/\(path)")
    }
  }

  /// The name of the version whose model was read from a path; `nil` if no version has that file, or if
  /// several have the same model.
  func name(of model: Model, at path: String) -> String? {
    if let version = versions.first(where: { Self.isSame($0.path, path) }) { return version.name }
    // A version of a bundle has several paths.
    let equal = versions.filter { version in
      guard var other = try? ModelFile.read(path: version.path) else { return false }
      other.name = model.name
      return other == model
    }
    return equal.count == 1 ? equal[0].name : nil
  }

  /// The path of the model of a version; `nil` if the history has no such version.
  func path(ofModelOf version: String) -> String? {
    versions.first { $0.name == version }?.path
  }

  private static func isSame(_ path: String, _ other: String) -> Bool {
    if PathText.absolute(path) == PathText.absolute(other) { return true }
    guard let first = try? FileSystem.status(path), let second = try? FileSystem.status(other),
      first.kind == .file
    else { return false }
    return first.device == second.device && first.inode == second.inode
  }
}
