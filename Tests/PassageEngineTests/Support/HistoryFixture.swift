import Passage
import PassageTesting

/// Persistent history as apps of this kind keep it, written by hand.
enum HistoryFixture {
  enum Form: String, CaseIterable, Sendable {
    /// Texts in a table of their own.
    case current
    /// Texts in the transactions, no table for them.
    case inline
  }

  static let ancillaryKey = "_NSStoreAncillaryModelVersionHashesMetadataKey"

  /// Writes the history of changes of objects.
  ///
  /// - Parameter changes: entity number, key, kind (0 insert, 1 update, 2 delete); an update has a
  ///   mask of its columns.
  static func write(
    _ changes: [(number: Int64, key: Int64, kind: Int64)], to store: TestStore,
    form: Form = .current
  ) throws {
    let texts =
      form == .current
      ? "ZAUTHORTS INTEGER, ZBUNDLEIDTS INTEGER, ZTIMESTAMP FLOAT"
      : "ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR"
    try store.execute(
      """
      CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
      ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, \
      ZCOLUMNS BLOB );
      CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \(texts) );
      CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION \
      (ZTIMESTAMP COLLATE BINARY ASC);
      CREATE INDEX Z_CHANGE_TransactionIndex ON ACHANGE (ZTRANSACTIONID COLLATE BINARY DESC);
      INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES (1, 16002, 700000000.25);
      INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, \(changes.count)), \
      (16002, 'TRANSACTION', 0, 1)
      """)
    if form == .current {
      try store.execute(
        """
        CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, \
        Z_OPT INTEGER, ZNAME VARCHAR );
        CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING \
        (ZNAME COLLATE BINARY ASC);
        INSERT INTO ATRANSACTIONSTRING VALUES (1, 16003, NULL, 'app'), (2, 16003, NULL, 'com.a.b');
        UPDATE ATRANSACTION SET ZAUTHORTS = 1, ZBUNDLEIDTS = 2;
        INSERT INTO Z_PRIMARYKEY VALUES (16003, 'TRANSACTIONSTRING', 0, 2)
        """)
    } else {
      try store.execute("UPDATE ATRANSACTION SET ZAUTHOR = 'app', ZBUNDLEID = 'com.a.b'")
    }
    for (index, change) in changes.enumerated() {
      let mask = change.kind == 1 ? "x'05'" : "NULL"
      try store.execute(
        "INSERT INTO ACHANGE VALUES (\(index + 1), 16001, NULL, \(change.kind), "
          + "\(change.number), \(change.key), 1, \(mask))")
    }
  }

  /// Adds the entry that describes the history's own model.
  static func writeAncillary(to store: TestStore) throws {
    let metadata = StoreMetadata(
      storeUUID: "4F0C6C0E-60C0-4D3F-8F0E-0F7A0B0E6A11",
      hashes: ModelHashes(model: store.model), versionIdentifiers: [],
      appMembers: [PropertyList.Member("app", .string("kept"))])
    let members =
      metadata.members + [
        PropertyList.Member(
          ancillaryKey,
          .dictionary([
            PropertyList.Member(
              "NSPersistentHistoryTrackingKey",
              .dictionary([PropertyList.Member("TRANSACTION", .data([1, 2, 3]))]))
          ]))
      ]
    let bytes = StoreMetadata(storeUUID: metadata.storeUUID, members: members).propertyListBytes
    let hex = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    try store.execute("UPDATE Z_METADATA SET Z_PLIST = x'\(hex)'")
  }
}
