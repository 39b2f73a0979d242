/// What is checked; each has a column in the table.
enum Check: String, CaseIterable, Codable {
  /// A model is read without a mistake, and survives this project's JSON.
  case models
  /// Version hashes equal the recorded ones, entity by entity.
  case hashes
  /// Digests and checksums equal the recorded ones.
  case digests
  /// The model a store keeps, or a compiled one, equals the Xcode model it was made from.
  case keptModels
  /// A store created from scratch has the tables, columns, indexes and entity numbers of the one that is there.
  case layouts
  /// Consecutive models of a series have an inferred mapping model.
  case inferences
  /// A mapping model is imported, and fits its two models.
  case mappings
  /// A predicate or an expression is read, and printed so that it reads the same.
  case formats
  /// A store is migrated.
  case migrations
  /// An object of a migrated store is the one that is expected.
  case objects
  /// A way of a rehearsal gives the store that all others give.
  case ways
  /// The folder is as it was.
  case untouched

  /// What the column is called.
  var title: String {
    switch self {
    case .keptModels: "kept models"
    case .mappings: "mapping models"
    case .formats: "strings"
    default: rawValue
    }
  }
}
