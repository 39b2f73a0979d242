/// What the first 100 bytes of a database say about its pages
/// (https://www.sqlite.org/fileformat2.html, section 1.3).
struct FileHeader {
  static let byteCount = 100
  private static let magic = Array("SQLite format 3\0".utf8)

  let geometry: PageGeometry
  /// The file's size in pages; 0 when an old library wrote it last and it cannot be relied on.
  let pageCount: UInt32
  /// How the file is changed: 1 with a rollback journal, 2 with a write-ahead log.
  let version: UInt8
  /// 1 for UTF-8, 2 and 3 for UTF-16.
  let textEncoding: UInt32
  /// 4 where the numbers 0 and 1 take no bytes in a record.
  let schemaFormat: UInt32

  /// - Throws: ``PageDamage`` when the bytes are not a header, or one with features that only SQLite
  ///   handles.
  init(_ bytes: UnsafeRawBufferPointer) throws(PageDamage) {
    guard bytes.count >= Self.byteCount, let base = bytes.baseAddress,
      bytes.starts(with: Self.magic)
    else { throw PageDamage(page: 1, "has no SQLite header") }
    let size = base.bigUInt16(at: 16)
    // 65,536 does not fit two bytes and is written as 1.
    let pageBytes = size == 1 ? 65_536 : size
    guard pageBytes >= 512, pageBytes.nonzeroBitCount == 1 else {
      throw PageDamage(page: 1, "has an impossible page size")
    }
    guard bytes[20] == 0 else { throw PageDamage(page: 1, "has reserved bytes") }
    guard bytes[18] <= 2, bytes[19] <= 2, bytes[18] == bytes[19], bytes[21] == 64, bytes[22] == 32,
      bytes[23] == 32
    else { throw PageDamage(page: 1, "has a later version of the format") }
    geometry = PageGeometry(pageBytes: pageBytes, hasPointerMap: base.bigUInt32(at: 52) != 0)
    pageCount = base.bigUInt32(at: 24) == base.bigUInt32(at: 92) ? base.bigUInt32(at: 28) : 0
    version = bytes[18]
    // SQLite reads two bits, and treats 0 as UTF-8.
    textEncoding = max(1, base.bigUInt32(at: 56) & 3)
    schemaFormat = base.bigUInt32(at: 44)
  }

  static func read(_ file: any PageStorage) throws -> FileHeader {
    let buffer = PageBuffer(byteCount: byteCount)
    let count = try file.read(
      into: UnsafeMutableRawBufferPointer(start: buffer.bytes, count: byteCount), at: 0)
    return try FileHeader(UnsafeRawBufferPointer(start: buffer.bytes, count: count))
  }

  /// Gives a database another size, as a transaction of its own, and another number of its application
  /// (`PRAGMA user_version`), if there is one.
  static func update(
    _ file: any PageStorage, pageCount: UInt32, userVersion: UInt32? = nil
  ) throws {
    let buffer = PageBuffer(byteCount: byteCount)
    _ = try file.read(
      into: UnsafeMutableRawBufferPointer(start: buffer.bytes, count: byteCount), at: 0)
    let counter = UnsafeRawPointer(buffer.bytes).bigUInt32(at: 24) &+ 1
    buffer.bytes.setBigUInt32(counter, at: 24)
    buffer.bytes.setBigUInt32(pageCount, at: 28)
    if let userVersion { buffer.bytes.setBigUInt32(userVersion, at: 60) }
    buffer.bytes.setBigUInt32(counter, at: 92)
    try file.write(buffer.contents, at: 0)
  }
}
