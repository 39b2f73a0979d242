internal import PassageEngine

/// The result of comparing two stores of one model.
package struct ComparisonReport: Sendable, Hashable {
  /// One object, or one pair of a join table, that differs.
  package struct Difference: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
      /// Only the expected store has it.
      case missing
      /// Only the found store has it.
      case unexpected
      /// Both have it, with different values.
      case changed
      /// Both refer to a file, and the files differ.
      case changedFile
    }

    /// The values of one property in both stores, as text; long values are cut.
    package struct Values: Sendable, Hashable {
      package var property: String
      package var expected: String
      package var found: String
    }

    package var kind: Kind
    /// The entity's name; for a many-to-many relationship, entity and relationship: `Book.tags`; for a
    /// row of `Z_PRIMARYKEY` that name.
    package var name: String
    /// The object's key, the keys of the pair, or the entity's number in `Z_PRIMARYKEY`.
    package var key: [Int64]
    /// The attributes and relationships that differ, for `changed`.
    package var properties: [String]
    /// The values of these properties, if they were requested; values may be confidential.
    package var values: [Values] = []
  }

  /// The objects of one entity, the pairs of one many-to-many relationship, the rows of one table
  /// of the persistent history, all files of external data, or the rows of `Z_PRIMARYKEY`.
  package struct Part: Sendable, Hashable {
    /// The entity's name; for a many-to-many relationship, entity and relationship: `Book.tags`.
    package var name: String
    /// Whether it is a many-to-many relationship, stored in a table of pairs.
    package var isJoinTable: Bool
    package var expectedCount: Int64 = 0
    package var foundCount: Int64 = 0
    /// 32 hexadecimal digits computed from all rows, independent of their order; `nil` for what is not
    /// compared by rows: the files of external data, `Z_PRIMARYKEY`, and a table that only one store has.
    package var expectedDigest: String? = String(repeating: "0", count: 32)
    package var foundDigest: String? = String(repeating: "0", count: 32)
    /// The number of rows that differ.
    package var differenceCount: Int64 = 0
  }

  /// Every entity of the model, by number, then every join table, then the tables of the persistent
  /// history and the files of external data if there are any, then `Z_PRIMARYKEY` if it differs.
  package var parts: [Part] = []
  /// The first differences, in the order of tables and keys.
  package var differences: [Difference] = []

  /// The number of all differences, including those not listed.
  package var differenceCount: Int64 { parts.reduce(0) { $0 + $1.differenceCount } }
  /// Whether the stores have equal contents.
  package var isEqual: Bool { differenceCount == 0 }
}
