package import PassageSQLite
internal import PassageValues

extension StoreMetadata {
  /// The largest property list that is read. The largest seen in a store has a few kilobytes.
  static let maximumBytes = 64 << 20

  /// Reads the row of `Z_METADATA` on an open connection. If there are several rows, the first is
  /// read.
  package static func read(
    _ connection: Connection, path: String
  ) throws(StoreError) -> StoreMetadata {
    let row: [Value]?
    do {
      row = try connection.rows(
        "SELECT Z_UUID, CASE WHEN length(Z_PLIST) <= \(maximumBytes) THEN Z_PLIST END "
          // Core Data's own row is number 1.
          + "FROM Z_METADATA ORDER BY Z_VERSION <> 1, Z_VERSION LIMIT 1"
      ).first
    } catch  where error.isStatementError {
      // The table is not declared as in any known store.
      throw StoreError(.unreadableMetadata, path: path, detail: error.message)
    } catch {
      throw StoreError(error, path: path)
    }
    guard let row else { throw StoreError(.noMetadata, path: path) }
    guard let uuid = row[0].string else {
      throw StoreError(.unreadableMetadata, path: path, detail: "its Z_UUID is not a text")
    }
    guard let bytes = row[1].bytes ?? row[1].string.map({ Array($0.utf8) }) else {
      throw StoreError(
        .unreadableMetadata, path: path,
        detail: "its Z_PLIST is not a blob of at most \(maximumBytes) bytes")
    }
    return try StoreMetadata(storeUUID: uuid, propertyList: bytes, path: path)
  }

  /// Reads the property list of `Z_METADATA`.
  ///
  /// - Throws: `unreadableMetadata`.
  init(storeUUID: String, propertyList bytes: [UInt8], path: String) throws(StoreError) {
    guard !Self.isMarkup(bytes) else {
      throw StoreError(
        .unreadableMetadata, path: path,
        detail: "its Z_PLIST is a property list in XML; Core Data writes a binary one")
    }
    do {
      guard case .dictionary(let members) = try BinaryPropertyList(bytes).value() else {
        throw StoreError(.unreadableMetadata, path: path, detail: "Z_PLIST is not a dictionary")
      }
      self.init(storeUUID: storeUUID, members: members)
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(.unreadableMetadata, path: path, detail: "\(error)")
    }
  }

  private static func isMarkup(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: "<?xml".utf8) || bytes.starts(with: "<plist".utf8)
  }
}
