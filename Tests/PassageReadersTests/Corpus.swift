import Foundation

/// Real models and stores of other people's apps, in a folder beside the package. They are not part
/// of it: tests that use them are skipped where the folder is missing.
enum Corpus {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "shared/corpus").path

  static let isPresent = FileManager.default.fileExists(atPath: root)

  /// Paths below the corpus whose last part satisfies `condition`, sorted.
  static func paths(where condition: (String) -> Bool) -> [String] {
    guard let all = FileManager.default.enumerator(atPath: root) else { return [] }
    return all.compactMap { $0 as? String }
      .filter { condition($0.split(separator: "/").last.map(String.init) ?? "") }.sorted()
  }

  static let models = paths { $0.hasSuffix(".xcdatamodel") }

  static let stores = paths { $0.hasSuffix(".sqlite") || $0.hasSuffix(".wiredatabase") }

  /// The series' folder a path below the corpus begins with.
  static func series(_ path: String) -> String { String(path.prefix { $0 != "/" }) }
}
