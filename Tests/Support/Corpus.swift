import Foundation

/// Real models and stores of other people's apps, in a folder beside the package. They are not part
/// of it: tests that use them are skipped where the folder is missing.
public enum Corpus {
  /// The folder; it need not be there.
  public static let root =
    URL(fileURLWithPath: Repository.root).deletingLastPathComponent().path + "/shared/corpus"

  /// Whether the folder is there.
  public static let isPresent = FileManager.default.fileExists(atPath: root)

  /// The path of a file, given from the corpus.
  public static func file(_ path: String) -> String { "\(root)/\(path)" }

  /// Whether a file, given from the corpus, is there.
  public static func has(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: file(path))
  }

  /// Paths below the corpus whose last part satisfies `condition`, sorted.
  public static func paths(where condition: (String) -> Bool) -> [String] {
    (FileManager.default.subpaths(atPath: root) ?? [])
      .filter { condition($0.split(separator: "/").last.map(String.init) ?? "") }.sorted()
  }
}
