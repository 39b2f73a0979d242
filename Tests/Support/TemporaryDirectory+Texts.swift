import Foundation
public import PassageTesting

extension TemporaryDirectory {
  /// Writes a file of text, and the folders it needs; gives its path.
  @discardableResult
  public func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }

  /// Every file and folder below, sorted.
  public var everything: [String] {
    (FileManager.default.subpaths(atPath: path) ?? []).sorted()
  }
}
