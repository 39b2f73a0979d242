internal import PassageEngine

/// What two stores of one model have in common.
package struct ComparisonReport: Sendable, Hashable {
  /// One object, or one pair of a join table, that is not the same in both.
  package struct Difference: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
      /// Only the expected store has it.
      case missing
      /// Only the found store has it.
      case unexpected
      /// Both have it, with other values.
      case changed
      /// Both refer to a file, and the files are not the same.
      case changedFile
    }

    /// What two stores have in one property, as people read it, cut where it is long.
    package struct Values: Sendable, Hashable {
      package var property: String
      package var expected: String
      package var found: String
    }

    package var kind: Kind
    /// The entity's name; of a many-to-many relationship, entity and relationship: `Book.tags`.
    package var name: String
    /// The object's key, or the keys of the pair.
    package var key: [Int64]
    /// The attributes and relationships that differ, for `changed`.
    package var properties: [String]
    /// Their values, where they were asked for; values are an app's own matter otherwise.
    package var values: [Values] = []
  }

  /// The objects of one entity, the pairs of one many-to-many relationship, the rows of one table of
  /// the persistent history, or all files of external data.
  package struct Part: Sendable, Hashable {
    /// The entity's name; of a many-to-many relationship, entity and relationship: `Book.tags`.
    package var name: String
    /// Whether it is a many-to-many relationship, kept in a table of pairs.
    package var isJoinTable: Bool
    package var expectedCount: Int64 = 0
    package var foundCount: Int64 = 0
    /// 32 hexadecimal digits over all rows, whatever their order.
    package var expectedDigest = String(repeating: "0", count: 32)
    package var foundDigest = String(repeating: "0", count: 32)
    /// Rows that are not the same in both.
    package var differenceCount: Int64 = 0
  }

  /// Every entity of the model, by number, then every join table, the tables of the persistent history
  /// where a store has them, and the files of external data where there are any.
  package var parts: [Part] = []
  /// The first differences, in the order of the tables and keys.
  package var differences: [Difference] = []

  /// All differences, those beyond the first ones included.
  package var differenceCount: Int64 { parts.reduce(0) { $0 + $1.differenceCount } }
  /// Whether the stores hold the same.
  package var isEqual: Bool { differenceCount == 0 }
}
