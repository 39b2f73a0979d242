internal import PassageValues

/// The new keys that policies' objects have got, as the journal remembers them.
extension Journal {
  private static let prefix = "extra-key:"

  /// Records the next new key of each table that has new keys.
  ///
  /// - Parameter first: the first new key of each table.
  func setNextKeys(_ keys: KeyAllocator, first: [String: Int64]) throws {
    for (table, next) in keys.nextKeys where next > (first[table] ?? 1) {
      try setState(Self.prefix + table, .integer(next))
    }
  }

  /// The next new key of a table; `nil` when none of its keys is new.
  func nextKey(ofTable table: String) throws -> Int64? {
    try state(Self.prefix + table)?.integer
  }

  /// Lets new keys continue above those of this pass and of all before it. Passes run in order, so
  /// no later pass has any.
  func continueKeys(_ keys: KeyAllocator) throws {
    for (table, next) in try statesOfAllPasses(Self.prefix) {
      keys.skip(table: table, to: next.integer ?? 1)
    }
  }
}
