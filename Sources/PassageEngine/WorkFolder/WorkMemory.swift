internal import PassageFiles
internal import PassageSQLite
internal import PassageStores

/// The databases of a migration while they are kept in memory instead of the work folder.
///
/// A small migration takes less time than keeping its work on disk for an interruption. What is in
/// memory is lost with the process, and the next run begins again. The folder holds the lock, and
/// the finished store until it has its name.
final class WorkMemory {
  private let name = MemoryDatabase.freshName()
  private let maximumBytes: Int
  /// The largest size of the only database that is there: it is copied once.
  private let wholeBytes: Int
  private var databases: [String: MemoryDatabase] = [:]
  /// The path of the one that has no connection but its own; `nil` for none.
  private var wholePath: String?
  /// The store of the step before, from which a step reads; `nil` for the first step.
  private(set) var sourcePath: String?

  /// - Parameters:
  ///   - limit: the memory that all databases together may use.
  ///   - passes: the largest number of passes of a step.
  ///   - isChained: whether there are several steps, so that the store of the step before is there too.
  init(limit: Int, passes: Int, isChained: Bool) {
    let others = isChained ? 1 : 0
    maximumBytes = limit / (passes + 1 + others)
    wholeBytes = limit / (2 + others)
  }

  /// How much larger than the source what is made of lists is taken to be: how many elements they have
  /// is known only when they are read, and each becomes a row, an association and often a pair.
  static let growthOfLists: Int64 = 8

  /// The memory that a migration may use for its work, if its work is estimated to fit.
  ///
  /// A pass store is at most about as large as the source, the assembled store as all of them
  /// together, and the finished store is copied once. With several steps, the store of the step before
  /// is there too.
  ///
  /// - Parameters:
  ///   - sourceBytes: the size of the source's files.
  ///   - steps: the passes of each step.
  ///   - readsLists: whether objects are made of the elements of lists.
  ///   - limit: the memory that all databases together may use.
  static func fitting(
    sourceBytes: Int64, steps: [Int], readsLists: Bool, limit: Int
  ) -> WorkMemory? {
    let growth = readsLists ? growthOfLists : 1
    let passes = steps.max() ?? 1
    let isChained = steps.count > 1
    let (sum, overflow) = sourceBytes.multipliedReportingOverflow(
      by: Int64(passes * (passes + 1) + (isChained ? 1 : 0)) * growth)
    guard !overflow, sum <= limit, MemoryDatabase.isSupported else { return nil }
    return WorkMemory(limit: limit, passes: passes, isChained: isChained)
  }

  /// The path under which connections open a database.
  ///
  /// - Parameter key: its name among the databases of this work.
  func path(_ key: String) -> String { MemoryDatabase.path(ofName: "\(name)/\(key)") }

  /// Creates a database.
  ///
  /// - Parameter image: the bytes that it begins with.
  func make(_ path: String, _ image: [UInt8]) throws {
    let database = try MemoryDatabase(path: path, maximumBytes: maximumBytes)
    try database.load(image)
    databases[path] = database
  }

  /// Creates a database whose pages are written without SQLite.
  ///
  /// - Parameters:
  ///   - image: the bytes that it begins with.
  ///   - pool: gets the database again when it is no longer used.
  func makePages(
    _ path: String, _ image: [UInt8], from pool: MemoryDatabasePool
  ) throws -> MemoryDatabase {
    let database = try pool.take(maximumBytes: wholeBytes)
    try database.load(image)
    databases[path] = database
    wholePath = path
    return database
  }

  /// Makes the assembled store of a step the source of the next one, and gives the memory of everything
  /// else back.
  func keep(_ path: String) throws {
    guard let database = databases[path] else { return }
    databases = [path: database]
    try database.compact()
    sourcePath = path
  }

  /// Opens the store of the step before.
  func openSource() throws -> (store: OpenStore, bytes: MemoryFile)? {
    guard let database = sourcePath.flatMap({ databases[$0] }) else { return nil }
    return (try StoreFile.open(inMemory: database), try database.file())
  }

  /// Drops a database.
  func remove(_ path: String) { databases[path] = nil }

  /// The size of a database in bytes; 0 if it does not exist.
  func byteCount(_ path: String) throws -> Int64 { try databases[path]?.byteCount ?? 0 }

  /// Writes the finished store into a file, which is not synced, and gives all memory back.
  ///
  /// - Parameter pool: gets a database that something else can be made in.
  func write(
    _ path: String, to file: String, _ files: FileSystem, _ pool: MemoryDatabasePool
  ) throws {
    guard let database = databases.removeValue(forKey: path) else { return }
    databases = [:]
    try database.compact()
    try database.withImage(isWAL: true) { try files.writeUnsynced($0, to: file) }
    if path == wholePath { pool.giveBack(consume database) }
  }

  /// The work of a step takes less time in the folder, although it would fit.
  struct BetterInFolder: Error {}

  /// Whether work failed because a database would have become larger than it may be.
  static func isFull(_ error: any Error) -> Bool {
    switch error {
    case let error as SQLiteError: error.isDiskFull
    case let error as StoreError: error.kind == .diskFull
    case let failure as RowFailure: isFull(failure.underlying)
    case is MemoryFull: true
    default: false
    }
  }
}
