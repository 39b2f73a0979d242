internal import Foundation

/// Tells what a file is by its bytes.
struct FileContents {
  /// `nil` for a file that is nothing Passage reads.
  let kind: CorpusFolder.Kind?

  /// The longest archive that is looked at.
  private static let maximumBytes = 64 << 20

  init(path: String) {
    kind = Self.prefix(path, count: 4_096).flatMap { Self.kind($0, path: path) }
  }

  private static func kind(_ start: Data, path: String) -> CorpusFolder.Kind? {
    if start.starts(with: Data("SQLite format 3\0".utf8)) { return .store }
    if start.starts(with: Data("bplist00".utf8)) {
      // The names of an archive's classes are texts of its property list.
      guard let bytes = prefix(path, count: maximumBytes) else { return nil }
      if contains(bytes, "NSMappingModel") { return .mappingModel }
      return contains(bytes, "NSManagedObjectModel") ? .compiledModel : nil
    }
    if contains(start, "<!DOCTYPE database"), let bytes = prefix(path, count: maximumBytes) {
      return contains(bytes, "XDDEVMAPPINGMODEL") ? .mappingModel : nil
    }
    let header = String(decoding: start, as: UTF8.self).prefix { $0 != "\n" }
      .split(separator: "\t")
    return header.contains("kind") && header.contains("format") ? .formats : nil
  }

  private static func contains(_ bytes: Data, _ text: String) -> Bool {
    bytes.range(of: Data(text.utf8)) != nil
  }

  private static func prefix(_ path: String, count: Int) -> Data? {
    guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? handle.close() }
    return try? handle.read(upToCount: count)
  }
}
