internal import PassageDiagnostics
public import PassageEngine
internal import PassageFiles
public import PassagePlatform
public import PassageRestoring
internal import PassageStores

/// What an app does with the old stores that migrations in place have kept.
///
/// ```swift
/// for kept in try KeptStore.all(of: url) { print(kept.version, kept.modified, kept.path) }
/// try await KeptStore.restore(storeAt: url)
/// ```
///
/// A kept store is put back as a unit, with its log and its files of external data, at one instant,
/// as a migration in place puts its result in place. The kept store itself stays where it is, and the
/// store that was replaced is kept as `<name>.after-<version>`.
extension KeptStore {
  /// The kept stores of a store, the one that was written last first.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - folder: where they are kept: `MigrationOptions.keptStoresFolder`; `nil` for the store's
  ///     own folder.
  /// - Throws: `MigrationError` when the folder cannot be read.
  /// - Complexity: O(n) in the number of kept stores.
  public static func all(
    of store: URL, in folder: URL? = nil
  ) throws(MigrationError) -> [KeptStore] {
    try translating(store) {
      let stores = keptStores(of: store, in: folder)
      return try stores.all(storeUUID: try? StoreMetadata.read(path: stores.store.path).storeUUID)
    }
  }

  /// Puts a kept store back.
  ///
  /// - Parameters:
  ///   - choice: which one.
  ///   - store: the store whose place it takes.
  ///   - folder: where it is kept; `nil` for the store's own folder.
  ///   - discardsChanges: whether a store that was written since it was put in place is replaced
  ///     too. What was written is then only in the store that is kept.
  /// - Returns: what was done. If an earlier call has put the kept store back, the outcome is
  ///   `alreadyThere`.
  /// - Throws: `MigrationError`: of kind `valuesLost` when the store was written, of kind `locked`
  ///   when it is in use, of kind `wrongCall` when no such store is kept.
  @discardableResult
  public static func restore(
    _ choice: Choice = .newest, storeAt store: URL, from folder: URL? = nil,
    discardsChanges: Bool = false
  ) async throws(MigrationError) -> RestorationReport {
    try await startRestoring(
      choice, storeAt: store, from: folder, discardsChanges: discardsChanges
    ).value
  }

  /// Starts what ``restore(_:storeAt:from:discardsChanges:)`` does, with progress and cancellation.
  ///
  /// - Parameters:
  ///   - choice: which one.
  ///   - store: the store whose place it takes.
  ///   - folder: where it is kept; `nil` for the store's own folder.
  ///   - discardsChanges: whether a store that was written since it was put in place is replaced.
  /// - Returns: the running restoration.
  public static func startRestoring(
    _ choice: Choice = .newest, storeAt store: URL, from folder: URL? = nil,
    discardsChanges: Bool = false
  ) -> Restoration {
    StoreRestoration(
      storePath: store.path, choice: choice, folder: folder?.path, discardsChanges: discardsChanges,
      storedModel: storedModel
    ).start()
  }

  /// Starts what ``restore(_:storeAt:from:discardsChanges:)`` does.
  ///
  /// - Parameter versionName: names the version of a copy, whose own name does not.
  package static func startRestoring(
    _ choice: Choice, storeAt store: URL, from folder: URL?, discardsChanges: Bool,
    versionName: @escaping @Sendable (_ path: String, _ hashes: [String: [UInt8]]) -> String?
  ) -> Restoration {
    StoreRestoration(
      storePath: store.path, choice: choice, folder: folder?.path, discardsChanges: discardsChanges,
      storedModel: storedModel, versionName: versionName
    ).start()
  }

  private static func storedModel(_ path: String) -> Model? {
    guard let read = try? ModelFile.load(path: path), !read.isGuessed else { return nil }
    return read.model
  }

  /// Removes kept stores, the oldest first.
  ///
  /// Only stores with the UUID of the store are removed.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - folder: where they are kept; `nil` for the store's own folder.
  ///   - count: how many remain, those that were written last; at least 0.
  ///   - isRehearsal: whether nothing is removed.
  /// - Returns: the stores that were removed, or would be.
  /// - Throws: `MigrationError` when the store cannot be read, when a file cannot be removed, and, of kind
  ///   `wrongCall`, for a number below 0 (`RUN-093`).
  @discardableResult
  public static func prune(
    of store: URL, in folder: URL? = nil, keeping count: Int, isRehearsal: Bool = false
  ) throws(MigrationError) -> [KeptStore] {
    try translating(store) {
      let stores = keptStores(of: store, in: folder)
      return try stores.prune(
        keeping: count, storeUUID: StoreMetadata.read(path: stores.store.path).storeUUID,
        isRehearsal: isRehearsal)
    }
  }

  private static func keptStores(of store: URL, in folder: URL?) -> KeptStores {
    KeptStores(of: StoreUnit(path: FileSystem().resolved(store.path)), folder: folder?.path)
  }

  private static func translating<Result>(
    _ store: URL, _ body: () throws -> Result
  ) throws(MigrationError) -> Result {
    do {
      return try body()
    } catch {
      throw MigrationError(error, store: store.path, elsewhere: nil)
    }
  }
}
