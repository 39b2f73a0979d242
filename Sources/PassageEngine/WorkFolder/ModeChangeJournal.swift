internal import PassageFiles
internal import PassageStores

/// A rollback journal in which nothing waits but a change of the journal mode: what a cut-over leaves
/// that is interrupted while it takes the old store's log away.
///
/// To leave WAL mode SQLite writes the first page again, in a transaction with a journal. Such a journal
/// holds the first page alone, and that page differs from the store's in a few bytes of the file header.
/// Rolling it back loses nothing, whoever wrote it.
enum ModeChangeJournal {
  /// https://www.sqlite.org/fileformat2.html, section 3: magic, number of records, nonce, pages of the
  /// database before the transaction, sector size, page size.
  private static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]

  /// The bytes of the file header that a change of the journal mode writes: the versions of the format,
  /// the change counter, and what goes with it (section 1.3 of the same page).
  private static func isOfMode(_ offset: Int) -> Bool {
    [18..<20, 24..<28, 92..<100].contains { $0.contains(offset) }
  }

  /// Whether the journal beside a store is of that kind.
  static func isLeft(besides unit: StoreUnit) -> Bool {
    // A sector and a page are 64 KiB at most.
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
    // Written, and not synced yet: SQLite has not touched the store.
    if records == 0 { return true }
    let page = sector + 4
    guard journal.count >= page + pageBytes + 4, number(sector) == 1,
      let first = try? FileSystem.prefix(unit.path, count: pageBytes), first.count == pageBytes
    else { return false }
    return first.indices.allSatisfy { first[$0] == journal[page + $0] || isOfMode($0) }
  }
}
