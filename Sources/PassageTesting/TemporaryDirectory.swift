public import PassagePlatform

/// A separate folder for one test, which is removed with the last reference to it.
///
/// ```swift
/// let directory = try TemporaryDirectory()
/// let store = try TestStore(model: model, at: directory.path("Library.sqlite"))
/// ```
public final class TemporaryDirectory: Sendable {
  /// The path of the folder.
  public let path: String

  /// Creates a folder with a new name in the system's temporary folder.
  ///
  /// - Throws: the error that the file system returns.
  public init() throws {
    path = FileManager.default.temporaryDirectory.path + "/passage-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of an entry of the folder.
  public func path(_ name: String) -> String { "\(path)/\(name)" }

  /// The URL of an entry of the folder.
  public func url(_ name: String) -> URL { URL(fileURLWithPath: path(name)) }

  /// The names in the folder, including hidden ones, sorted.
  public var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  /// Writes a file, creating its folders.
  ///
  /// - Returns: its path.
  @discardableResult
  public func write(_ contents: [UInt8], to name: String) throws -> String {
    let folder = url(name).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(contents).write(to: url(name))
    return path(name)
  }

  /// The contents of a file; `nil` if it does not exist.
  public func contents(_ name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: path(name)).map { Array($0) }
  }

  /// Copies a file or a folder from anywhere into this folder.
  ///
  /// - Returns: the copy's path.
  @discardableResult
  public func copy(_ source: String, to name: String) throws -> String {
    try FileManager.default.copyItem(atPath: source, toPath: path(name))
    return path(name)
  }
}
