import PassageTesting
import TestSupport

extension Corpus {
  static let models = paths { $0.hasSuffix(".xcdatamodel") }

  static let stores = paths { $0.hasSuffix(".sqlite") || $0.hasSuffix(".wiredatabase") }

  /// The series' folder a path below the corpus begins with.
  static func series(_ path: String) -> String { String(path.prefix { $0 != "/" }) }
}
