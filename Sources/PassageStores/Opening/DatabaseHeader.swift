/// The first 100 bytes of an SQLite file (https://www.sqlite.org/fileformat2.html, section 1.3).
package struct DatabaseHeader: Sendable, Hashable {
  package static let byteCount = 100
  package static let magic = Array("SQLite format 3\0".utf8)

  /// The size of a page in bytes: a power of two from 512 to 65536.
  package let pageBytes: Int64
  /// Whether the file is in WAL mode.
  package let isWAL: Bool
  /// The number of transactions written to the main file.
  package let changeCounter: UInt32
  /// The file's size in pages; `nil` if a very old version of SQLite wrote it last.
  package let pageCount: Int64?
  /// 1 for UTF-8, 2 and 3 for UTF-16.
  package let textEncoding: UInt32
  /// The number that stands in the place of ``textEncoding``, if it is none: SQLite reads the file as UTF-8,
  /// and attaches it to no connection.
  let strangeEncoding: UInt32?
  /// A number that a program keeps here for itself (`PRAGMA user_version`).
  package let userVersion: Int32
  /// A number that says whose format the file has (`PRAGMA application_id`).
  package let applicationID: Int32
  /// Whether the file can return free pages to the system (`auto_vacuum`).
  package let isAutoVacuum: Bool
  /// Whether it does so only on request.
  package let isIncrementalVacuum: Bool

  /// Parses a header; `nil` if the bytes are not one.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.byteCount, bytes.starts(with: Self.magic) else { return nil }
    func big(_ offset: Int) -> UInt32 {
      bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }
    let size = Int64(bytes[16]) << 8 | Int64(bytes[17])
    // 65536 does not fit into two bytes and is stored as 1.
    pageBytes = size == 1 ? 65_536 : size
    guard pageBytes >= 512, pageBytes.nonzeroBitCount == 1 else { return nil }
    // SQLite goes by the version for reading; any other for writing only keeps it from writing.
    isWAL = bytes[19] == 2
    changeCounter = big(24)
    // The page count is valid only if the change counter was written together with it.
    pageCount = big(28) > 0 && big(24) == big(92) ? Int64(big(28)) : nil
    // SQLite reads two bits, and treats 0 as UTF-8.
    textEncoding = max(1, big(56) & 3)
    strangeEncoding = big(56) > 0 && big(56) & 3 == 0 ? big(56) : nil
    userVersion = Int32(truncatingIfNeeded: big(60))
    applicationID = Int32(truncatingIfNeeded: big(68))
    isAutoVacuum = big(52) != 0
    isIncrementalVacuum = big(64) != 0
  }
}
