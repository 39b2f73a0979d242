internal import PassageSQLite
internal import PassageStores

/// Detects whether the source has changed since the run first examined it.
///
/// The status of the files changes with every commit, but only as precisely as the file system
/// stores times. The source's connection shows every commit of another connection (`PRAGMA
/// data_version`), but not that another file was put at the path: between the opening and the first
/// look, another runner may have completed its cut-over. All three are compared.
final class SourceWitness {
  /// The fingerprint of the files at the first look; it decides whether existing work can be
  /// continued.
  let fingerprint: String

  private let source: SourceStore
  /// Whether the run has begun to change the files.
  private(set) var isDismissed = false

  /// Records the present state of the source.
  init(_ source: SourceStore) throws {
    self.source = source
    // A connection notices a write between the opening and the first look at the files. One that
    // holds no lock does not, so the files were looked at before. A store that cannot be opened is
    // refused later, when it is read, with the reason.
    fingerprint = try source.restingFingerprint.map { "\($0)" } ?? source.fingerprint()
  }

  /// Whether another program has changed the source, or is about to.
  func hasChanged() -> Bool {
    guard !isDismissed else { return false }
    do {
      if try isOtherThanOpened() { return true }
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

  private func isOtherThanOpened() throws(SQLiteError) -> Bool {
    do {
      return try source.opened?.isChangedByOthers() ?? false
    } catch {
      // A damaged store may have been damaged all along: its files say whether somebody wrote.
      if error.isDamage { return false }
      throw error
    }
  }

  /// Closes the source. Called before the run itself changes the files.
  func dismiss() {
    isDismissed = true
    source.close()
  }
}
