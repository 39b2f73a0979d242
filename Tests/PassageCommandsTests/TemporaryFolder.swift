import Foundation

/// A folder of one test's own, taken away with the last reference to it.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/passage-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
    return file(name)
  }

  @discardableResult
  func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
    return file(name)
  }

  @discardableResult
  func copy(_ source: String, to name: String) throws -> String {
    try FileManager.default.copyItem(atPath: source, toPath: file(name))
    return file(name)
  }

  /// Every file and folder below, sorted.
  var everything: [String] {
    (FileManager.default.subpaths(atPath: path) ?? []).sorted()
  }
}

func bytes(of path: String) throws -> [UInt8] {
  try Array(Data(contentsOf: URL(fileURLWithPath: path)))
}

/// The package's own files.
enum Repository {
  /// The root: three folders above this file.
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  static func file(_ path: String) -> String { "\(root)/\(path)" }
}
