internal import Foundation
internal import PassagePlatform

/// The bytes of every file of a folder at one moment: proves that nothing in it was written.
struct FolderSeal {
  private let path: String
  private let digests: [String: [UInt8]]

  /// - Throws: what the file system answers when a file cannot be read.
  init(path: String) throws {
    self.path = path
    digests = try Self.digests(path)
  }

  /// The files that are not what they were, sorted.
  func changes() throws -> [String] {
    let now = try Self.digests(path)
    return Set(digests.keys).union(now.keys).filter { digests[$0] != now[$0] }.sorted()
  }

  private static func digests(_ path: String) throws -> [String: [UInt8]] {
    guard let all = FileManager.default.enumerator(atPath: path) else { return [:] }
    var digests: [String: [UInt8]] = [:]
    for case let name as String in all {
      var isDirectory: ObjCBool = false
      let file = "\(path)/\(name)"
      guard FileManager.default.fileExists(atPath: file, isDirectory: &isDirectory),
        !isDirectory.boolValue
      else { continue }
      digests[name] = MessageDigest.of(Array(try Data(contentsOf: URL(fileURLWithPath: file))))
    }
    return digests
  }
}
