internal import PassageFiles
internal import PassageStores

/// A rollback journal that contains only a change of the journal mode. A cut-over leaves one if it
/// is interrupted while it removes the old store's log.
///
/// To leave WAL mode, SQLite rewrites the first page in a transaction with a journal. Such a
/// journal contains only the first page, and that page differs from the store's in a few bytes of
/// the file header. Rolling it back loses nothing, whichever program wrote it.
enum ModeChangeJournal {
  /// https://www.sqlite.org/fileformat2.html, section 3: magic, number of records, nonce, pages of
  /// the database before the transaction, sector size, page size.
  private static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]

  /// Whether a change of the journal mode writes this byte of the file header: the format versions,
  /// the change counter and the fields that depend on it (section 1.3 of the same page).
  private static func isOfMode(_ offset: Int) -> Bool {
    [18..<20, 24..<28, 92..<100].contains { $0.contains(offset) }
  }

  /// Whether the journal beside a store contains only a change of the journal mode.
  static func isLeft(besides unit: StoreUnit) -> Bool {
    // A sector and a page have at most 64 KiB each, and nothing is behind the only record.
    guard let journal = try? FileSystem.prefix(unit.journalPath, count: 3 << 16),
      let main = try? FileSystem.status(unit.path), main.kind == .file,
      journal.count >= 28, Array(journal[..<8]) == magic
    else { return false }
    func number(_ offset: Int) -> Int {
      journal[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    let (records, pages, sector, pageBytes) = (number(8), number(16), number(20), number(24))
    guard (512...65_536).contains(pageBytes), (32...65_536).contains(sector),
      Int64(pages) * Int64(pageBytes) == main.bytes, records <= 1
    else { return false }
    // One record: the number of the page, the page, a checksum.
    let recordBytes = 4 + pageBytes + 4
    guard journal.count <= sector + recordBytes,
      let first = try? FileSystem.prefix(unit.path, count: pageBytes), first.count == pageBytes
    else { return false }
    var record = Array(journal.dropFirst(sector))
    if records == 0 {
      // The journal was not synced yet, so SQLite has not touched the store, and rolling back changes
      // nothing. The record may end anywhere, and a power failure may have left zeros from anywhere on.
      // Any other page may be all that is left of a transaction, and is not Passage's to remove.
      record = Array(record[..<((record.lastIndex { $0 != 0 } ?? -1) + 1)])
    } else if record.count != recordBytes {
      return false
    }
    let expected = [0, 0, 0, 1] + first
    return zip(record, expected).enumerated().allSatisfy { offset, bytes in
      bytes.0 == bytes.1 || isOfMode(offset - 4)
    }
  }
}
