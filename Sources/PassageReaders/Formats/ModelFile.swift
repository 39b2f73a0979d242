public import PassageDiagnostics
internal import PassageFiles
public import PassageModels

/// Reads a model from any kind of file: this project's JSON, an Xcode model or a compiled model,
/// either of them with or without versions, or a store.
///
/// ```swift
/// let model = try ModelFile.read(path: "Notes.xcdatamodeld:Notes 2")
/// ```
/// A path is `PATH` or `PATH:VERSION`. Without a version it names the current one.
public enum ModelFile {
  /// The kinds of file, in the order in which they are tried.
  static let formats: [any ModelFormat] = [
    XcodeVersionedModelFormat(), XcodeModelFormat(), CompiledVersionedModelFormat(),
    CompiledModelFormat(), StoreModelFormat(), JSONModelFormat(),
  ]

  /// Reads and checks a model.
  ///
  /// - Throws: `MOD-100` if nothing exists at the path, `MOD-101` for an unknown kind of file,
  ///   `MOD-102` for a file that cannot be read, `MOD-110` and `MOD-134` for a version that does not exist,
  ///   `MOD-111` if a version must be named, `MOD-112` for a bundle without contents, `MOD-131` and
  ///   `MOD-044` for mistakes in a lock file, and every mistake in the file itself.
  public static func read(path: String) throws(Diagnostics) -> Model { try load(path: path).model }

  /// Reads and checks a model, and keeps warnings and locations. Throws the errors of `read`.
  package static func load(path: String) throws(Diagnostics) -> ReadModel {
    let (file, version) = try find(path)
    let format = try format(of: file)
    if file.isDirectory, let lock = try HashLock(beside: file) {
      try lock.check(versions: format.versions(of: file).names)
    }
    guard let version else { return try finish(format.read(file, version: nil), of: file) }
    let name = try known(version, of: file, among: format.versions(of: file).names)
    return try finish(format.read(file, version: name), of: file)
  }

  /// Adds the version hashes from a lock file beside the model, and remarks on hashes that are not
  /// certain.
  private static func finish(
    _ read: ReadModel, of file: FoundFile
  ) throws(Diagnostics) -> ReadModel {
    var read = try HashLock(beside: file)?.apply(to: read) ?? read
    // A model guessed from tables has other hashes anyway.
    if !read.isGuessed { read.remarks.append(contentsOf: read.hashRemarks(file: file.path)) }
    return read
  }

  /// The versions in the file at a path, and the current one. If the path names a version, that is
  /// the current one. Throws the errors of `read` that concern the path.
  package static func list(path: String) throws(Diagnostics) -> ModelVersions {
    let (file, version) = try find(path)
    let versions = try format(of: file).versions(of: file)
    if file.isDirectory { try HashLock(beside: file)?.check(versions: versions.names) }
    guard let version else { return versions }
    let name = try known(version, of: file, among: versions.names)
    return ModelVersions(names: [name], current: name)
  }

  /// The names of the entities of the version that a path names, if they can be told without reading
  /// the model. They are a hint in which order to read versions.
  package static func entityNames(path: String) -> Set<String>? {
    guard let (file, version) = try? find(path), let version,
      let format = try? format(of: file)
    else { return nil }
    return format.entityNames(of: file, version: version)
  }

  /// Finds the version that a path names, with or without its extension.
  private static func known(
    _ version: String, of file: FoundFile, among names: [String]
  ) throws(Diagnostics) -> String {
    if let known = names.first(where: { $0 == version || "\($0).xcdatamodel" == version }) {
      return known
    }
    throw Diagnostics([unknownVersion(version, of: file, names: names)])
  }

  /// Splits a path into the longest beginning that exists and the version after a colon.
  private static func find(
    _ path: String
  ) throws(Diagnostics) -> (file: FoundFile, version: String?) {
    if let file = try FoundFile(path: path) { return (file, nil) }
    // Nothing exists at a beginning that is longer than the system allows.
    for colon in path.utf8.indices.prefix(FileSystem.maximumPathBytes + 1).reversed()
    where path.utf8[colon] == UInt8(ascii: ":") {
      if let file = try FoundFile(path: String(path[..<colon])) {
        return (file, String(path[path.index(after: colon)...]))
      }
    }
    throw Diagnostics([try missing(path)])
  }

  private static func format(of file: FoundFile) throws(Diagnostics) -> any ModelFormat {
    if let format = formats.first(where: { $0.recognizes(file) }) { return format }
    throw Diagnostics([UnknownFile(file, kinds: formats.map(\.title)).diagnostic])
  }

  private static func missing(_ path: String) throws(Diagnostics) -> Diagnostic {
    guard path.utf8.count <= FileSystem.maximumPathBytes else {
      return Diagnostic(
        "MOD-100", "there is no file at “\(shown(path))”",
        reason: "the path has \(path.utf8.count) bytes, and the system allows "
          + "\(FileSystem.maximumPathBytes)")
    }
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[...$0]) } ?? "."
    let name = String(slash.map { path[path.index(after: $0)...] } ?? path[...])
    let siblings = try FoundFile(path: folder)?.contents.sorted() ?? []
    return Diagnostic(
      "MOD-100", "there is no file at “\(path)”",
      remedy: nearest(to: name, in: siblings.filter { $0 != name }).map { "did you mean “\($0)”?" })
  }

  static func unknownVersion(
    _ version: String, of file: FoundFile, names: [String]
  ) -> Diagnostic {
    Diagnostic(
      "MOD-110", "“\(file.name)” has no version “\(shown(version))”",
      at: SourceLocation(file: file.path), reason: "it has \(list(names))",
      remedy: nearest(to: version, in: names).map { "did you mean “\($0)”?" })
  }

  /// A path or a version for a message: of one that is no name, the beginning.
  private static func shown(_ text: String) -> String {
    text.utf8.count <= FileSystem.maximumPathBytes ? text : "\(text.prefix(100))…"
  }

  /// The names as part of a sentence, at most twelve.
  static func list(_ names: [String]) -> String {
    let shown = names.prefix(12).map { "“\($0)”" }.joined(separator: ", ")
    if names.isEmpty { return "no version" }
    return names.count > 12 ? "\(shown) and \(names.count - 12) more" : shown
  }
}
