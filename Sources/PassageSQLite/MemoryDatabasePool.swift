internal import Synchronization

/// Databases in memory that are used one after the other: to open one, and to get its memory from the
/// system, costs more than many statements.
package final class MemoryDatabasePool: Sendable {
  /// A database that nobody uses.
  // Unchecked: whoever takes it out of the pool is alone with it.
  private struct Idle: @unchecked Sendable {
    let database: MemoryDatabase
  }

  /// So many wait at a time, at most.
  private static let maximumCount = 16
  /// Larger ones are not kept.
  private static let maximumBytes = 2 << 20

  private let idle = Mutex<[Idle]>([])

  package init() {}

  /// An empty database.
  ///
  /// - Parameter maximumBytes: as ``MemoryDatabase/init(path:maximumBytes:)`` takes it.
  /// - Throws: as that does.
  package func take(maximumBytes: Int) throws(SQLiteError) -> MemoryDatabase {
    if let known = idle.withLock({ $0.popLast() })?.database {
      try known.beginUse(maximumBytes: maximumBytes)
      return known
    }
    return try MemoryDatabase(
      path: MemoryDatabase.path(ofName: MemoryDatabase.freshName()), maximumBytes: maximumBytes)
  }

  /// Takes a database back whose contents nobody needs any more. It is gone if anything else has it.
  package func giveBack(_ database: consuming MemoryDatabase) {
    guard isKnownUniquelyReferenced(&database), database.keptBytes <= Self.maximumBytes,
      database.endUse()
    else { return }
    let item = Idle(database: database)
    idle.withLock { if $0.count < Self.maximumCount { $0.append(item) } }
  }
}
