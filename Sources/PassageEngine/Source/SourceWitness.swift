internal import PassageSQLite
internal import PassageStores

/// Detects whether the source has changed since the run first examined it.
///
/// The status of the files changes with every commit, but only as precisely as the file system
/// stores times. A connection's change number (`PRAGMA data_version`) shows every commit of another
/// connection. Both are compared.
final class SourceWitness {
  /// The fingerprint of the files at the first look; it decides whether existing work can be
  /// continued.
  let fingerprint: String

  private let source: SourceStore
  private var connection: Connection?
  private var version: Int64 = 0
  private var isDismissed = false

  /// Records the present state of the source.
  init(_ source: SourceStore) throws {
    self.source = source
    // The number is read before the files, so that a write between the two is noticed.
    if source.type == nil {
      let (_, mode) = try StoreFile.mode(of: source.path)
      // A store that cannot be opened is refused later, when it is read, with the reason.
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
      // A program that locks others out is writing.
      return error.isBusy || error.isDamage
    } catch let error as StoreError {
      return error.isDamage
        || [.missing, .locked, .unfinishedTransaction, .notSQLite, .empty].contains(error.kind)
    } catch {
      // The source could be read before; the original failure says more.
      return false
    }
  }

  /// Closes the connection. Called before the run itself changes the files.
  func dismiss() {
    isDismissed = true
    connection = nil
  }
}
