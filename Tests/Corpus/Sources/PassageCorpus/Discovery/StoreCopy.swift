internal import Foundation
internal import PassageTesting

/// A store with everything that belongs to it, copied where it may be touched.
struct StoreCopy {
  /// The copy's main file.
  let path: String
  private let directory: TemporaryDirectory

  /// - Parameters:
  ///   - source: the store's main file.
  ///   - hasLog: whether its log (`-wal`) comes with it.
  /// - Throws: what the file system answers when it refuses.
  init(of source: String, hasLog: Bool = true) throws {
    let directory = try TemporaryDirectory()
    let url = URL(fileURLWithPath: source)
    let folder = url.deletingLastPathComponent().path
    let name = url.lastPathComponent
    var names = [name, ".\(url.deletingPathExtension().lastPathComponent)_SUPPORT"]
    if hasLog { names += ["\(name)-wal", "\(name)-journal"] }
    for name in names where FileManager.default.fileExists(atPath: "\(folder)/\(name)") {
      let copy = try directory.copy("\(folder)/\(name)", to: name)
      try Self.makeWritable(copy)
    }
    self.directory = directory
    path = directory.path(name)
  }

  /// Reads a copy that is of no use afterwards.
  static func read<Result>(
    _ source: String, _ body: (_ path: String) throws -> Result
  ) throws -> Result {
    let copy = try StoreCopy(of: source)
    return try withExtendedLifetime(copy) { try body(copy.path) }
  }

  /// The path of another file of the copy's folder.
  func path(_ name: String) -> String { directory.path(name) }

  /// The folder the copy is in, which holds nothing else.
  var folder: String { directory.path }

  /// The names in the copy's folder, sorted.
  var names: [String] { directory.names }

  /// A corpus may be mounted read-only.
  private static func makeWritable(_ path: String) throws {
    let files = FileManager.default
    var isDirectory: ObjCBool = false
    guard files.fileExists(atPath: path, isDirectory: &isDirectory) else { return }
    try files.setAttributes(
      [.posixPermissions: isDirectory.boolValue ? 0o700 : 0o600], ofItemAtPath: path)
    guard isDirectory.boolValue else { return }
    for name in try files.contentsOfDirectory(atPath: path) {
      try makeWritable("\(path)/\(name)")
    }
  }
}
