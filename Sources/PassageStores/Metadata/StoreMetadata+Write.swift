package import PassageSQLite
internal import PassageValues

extension StoreMetadata {
  /// Writes this metadata over that of a store which has some, UUID included.
  ///
  /// - Parameter connection: to a store that has not been put in place yet.
  package func replace(on connection: Connection) throws {
    try checkReadable(path: connection.path)
    try connection.execute(
      "UPDATE Z_METADATA SET Z_UUID = ?, Z_PLIST = ? WHERE Z_VERSION = (SELECT Z_VERSION "
        + "FROM Z_METADATA ORDER BY Z_VERSION <> 1, Z_VERSION LIMIT 1)",
      [.text(storeUUID), .blob(propertyListBytes)])
  }

  /// A list of so many bytes is always read. It was written without shared containers, so it has fewer
  /// values than bytes, and a text that is shared has at most 512 steps of
  /// ``BinaryPropertyList/bytesOfStep`` bytes.
  private static let surelyReadBytes = 8_192

  /// Checks that what is written will be read again: a migration adds to the metadata of its source, and a
  /// store whose metadata cannot be read is lost.
  ///
  /// - Parameter path: of the store whose metadata this is.
  /// - Throws: `unreadableMetadata`.
  /// - Complexity: O(n) in the size of the metadata.
  package func checkReadable(path: String) throws(StoreError) {
    let bytes = propertyListBytes
    guard bytes.count > Self.surelyReadBytes else { return }
    let problem: String
    do {
      _ = try BinaryPropertyList(bytes).value()
      guard bytes.count > Self.maximumBytes else { return }
      problem = "it has \(bytes.count) bytes, more than \(Self.maximumBytes)"
    } catch {
      problem = "\(error)"
    }
    throw StoreError(
      .unreadableMetadata, path: path,
      detail: "with what Passage adds to it, it could not be read again: \(problem)")
  }
}
