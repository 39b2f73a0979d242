internal import PassageDiagnostics
internal import PassageEngine
internal import PassageFiles
internal import PassageStores

/// The destination before a store is put there.
struct PlacedStore {
  let path: String
  let files: FileSystem

  /// The metadata of the existing store; `nil` when the path is free.
  ///
  /// - Throws: `INS-001` for a folder, `INS-002` for a dangling link, `INS-003` for a file that is
  ///   not a store; `StoreError` for a store that is damaged or cannot be read.
  func metadata() throws -> StoreMetadata? {
    guard try files.exists(path) else { return nil }
    if files.isDanglingLink(path) {
      // The file may have been removed between the two checks; then there is no link either.
      guard try files.exists(path) else { return nil }
      throw refusal(
        "INS-002", "a link whose target does not exist is at the destination", reason: nil,
        remedy: "remove the link, or name the file itself")
    }
    do {
      return try StoreMetadata.read(path: path)
    } catch {
      switch error.kind {
      case .isDirectory:
        throw refusal(
          "INS-001", "the destination is a folder", reason: nil,
          remedy: "name the store's file")
      case .notAFile, .empty, .notSQLite, .notACoreDataStore:
        let reason = error.diagnostic
        throw refusal(
          "INS-003", "a file that is not a store is at the destination",
          reason: reason.reason.map { "\(reason.message): \($0)" } ?? reason.message,
          remedy: "move it away, or name another file")
      default: throw error
      }
    }
  }

  private func refusal(
    _ code: String, _ message: String, reason: String?, remedy: String
  ) -> MigrationError {
    MigrationError(
      .wrongCall,
      Diagnostic(
        code, message, at: SourceLocation(file: path), reason: reason, remedy: remedy))
  }
}
