/// A migration that is named, because it needs more than inference or proves more than the others.
struct MigrationCase: Codable {
  /// Rows that one query gives over the source store and another over the migrated one.
  struct RowsCheck: Codable {
    var name: String
    /// Over the source store; what the rows of the migrated store must be.
    var expected: String
    /// Over the migrated store.
    var found: String
  }

  var name: String
  /// The store's path below the corpus.
  var store: String
  /// The path of the bundle of models below the corpus.
  var models: String
  /// The version to reach.
  var to: String
  /// Mapping models by path, in the order they run; where two do not meet, the way is inferred.
  var mappings: [String]?
  /// Whether what is inferred goes through every version, instead of straight on.
  var isStepwise: Bool?
  /// The name of a migration before this one that must have given the same store.
  var sameAs: String?
  /// The path of a store of the version to reach that Core Data itself migrated from the same source.
  var sameAsStore: String?
  /// Queries written by hand from what the mapping models say.
  var rows: [RowsCheck]?
}
