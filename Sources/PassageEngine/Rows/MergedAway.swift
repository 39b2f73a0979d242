internal import PassageMappings
internal import PassageSQLite

/// The objects that a mapping with `mergeBy` reads and does not make objects of, because they become
/// part of others: those that have an association.
struct MergedAway {
  private let associations: Int

  /// - Returns: `nil` for a mapping without `mergeBy`.
  init?(of mappingPlan: MappingPlan) {
    guard mappingPlan.bound.merge != nil, let associations = mappingPlan.associationsOfRead else {
      return nil
    }
    self.associations = associations
  }

  private var table: String { Journal.Table.association.name }

  /// The condition that the row `s` is one of them.
  var condition: String {
    "EXISTS (SELECT 1 FROM \(table) AS ma WHERE ma.mapping = \(associations) "
      + "AND ma.source = s.\"Z_PK\")"
  }

  /// Counts those in a range of keys, which are its last two parameters.
  var count: String {
    "SELECT count(*) FROM \(table) WHERE mapping = \(associations) AND source BETWEEN ? AND ?"
  }

  /// Their keys in ascending order, from a table of associations read in the order of keys.
  func keys(_ connection: Connection) -> MergedAwayKeys {
    MergedAwayKeys(
      connection,
      "SELECT source FROM \(table) WHERE mapping = \(associations) "
        + "AND source > ? ORDER BY source LIMIT \(MergedAwayKeys.count)")
  }
}

/// Keys in ascending order, of which a part is in memory.
struct MergedAwayKeys {
  static let count = 1_024

  private let connection: Connection
  private let query: String
  private var statement: Statement?
  private var keys: [Int64] = []
  private var next = 0
  private var isAtEnd = false

  init(_ connection: Connection, _ query: String) {
    self.connection = connection
    self.query = query
  }

  /// Whether a key is among them.
  ///
  /// - Parameter key: above the one of the call before.
  mutating func contains(_ key: Int64) throws -> Bool {
    while true {
      while next < keys.count, keys[next] < key { next += 1 }
      if next < keys.count { return keys[next] == key }
      if isAtEnd { return false }
      try read(from: key)
    }
  }

  private mutating func read(from key: Int64) throws {
    let statement = try self.statement ?? connection.prepare(query)
    self.statement = statement
    try statement.bind(key == .min ? key : key - 1, at: 1)
    defer { statement.reset() }
    keys.removeAll(keepingCapacity: true)
    next = 0
    while try statement.step() { keys.append(statement.integer(at: 0)) }
    isAtEnd = keys.count < Self.count
  }
}
