public import Foundation

/// The package's own files.
public enum Repository {
  /// The root: two folders above this file's.
  public static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  /// The path of a file, given from the root.
  public static func file(_ path: String) -> String { "\(root)/\(path)" }

  /// The same as a URL.
  public static func url(_ path: String) -> URL { URL(fileURLWithPath: file(path)) }

  /// The text of a file, given from the root.
  public static func text(_ path: String) throws -> String {
    try String(contentsOf: url(path), encoding: .utf8)
  }
}

/// A file's bytes.
public func bytes(of path: String) throws -> [UInt8] {
  try Array(Data(contentsOf: URL(fileURLWithPath: path)))
}
