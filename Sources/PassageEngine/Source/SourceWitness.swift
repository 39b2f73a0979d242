internal import PassageSQLite
internal import PassageStores

/// Sees whether the source is still what it was when the run looked at it first.
///
/// What the files show changes with every commit, but only as finely as the file system keeps times; a
/// connection's own change number (`PRAGMA data_version`) shows every commit of another connection.
/// Both are asked.
final class SourceWitness {
  /// What the files showed; it decides whether work left here is still good.
  let fingerprint: String

  private let source: SourceStore
  private var connection: Connection?
  private var version: Int64 = 0
  private var isDismissed = false

  /// Looks at the source.
  init(_ source: SourceStore) throws {
    self.source = source
    // First the number, then the files: what is written between the two is noticed.
    if source.type == nil {
      let (_, mode) = try StoreFile.mode(of: source.path)
      // A store that cannot be opened is refused, with the reason, when it is read.
      if mode == .readOnly, let connection = try? Connection(path: source.path, mode: mode),
        let version = try? connection.integer("PRAGMA main.data_version")
      {
        (self.connection, self.version) = (connection, version)
      }
    }
    fingerprint = try source.fingerprint()
  }

  /// Whether another program has changed the source, or is about to.
  func hasChanged() -> Bool {
    guard !isDismissed else { return false }
    do {
      if let connection, try connection.integer("PRAGMA main.data_version") != version {
        return true
      }
      return try source.fingerprint() != fingerprint
    } catch let error as SQLiteError {
      // Whoever locks others out is writing.
      return error.isBusy || error.isDamage
    } catch let error as StoreError {
      return error.isDamage
        || [.missing, .locked, .unfinishedTransaction, .notSQLite, .empty].contains(error.kind)
    } catch {
      // It could be read before: the failure itself says more.
      return false
    }
  }

  /// Closes the connection. From here on the run itself changes the files.
  func dismiss() {
    isDismissed = true
    connection = nil
  }
}
