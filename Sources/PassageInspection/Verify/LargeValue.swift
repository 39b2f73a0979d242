internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// A value that is too large to be held in memory while two stores are compared. It is replaced by
/// its length, its first bytes and a digest of all bytes. It is read in pieces, from its column or
/// its file.
struct LargeValue {
  /// Values of more than this number of bytes are large.
  static let limit = 1 << 16

  private var digest = PieceDigest()
  private var start: [UInt8] = []
  private var byteCount = 0

  /// Adds the next bytes.
  mutating func take(_ piece: [UInt8]) {
    if start.isEmpty { start = Array(piece.prefix(8)) }
    byteCount += piece.count
    digest.take(piece)
  }

  /// The text that replaces the value.
  var summary: Value {
    let digits = start.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return .text("x'\(digits)…' (\(byteCount) bytes, digest \(digest.text))")
  }

  /// An SQL condition that a cell is large.
  ///
  /// - Parameter markerBytes: the number of bytes in the cell before the value.
  static func condition(_ cell: String, markerBytes: Int) -> String {
    BlobHandle.isLonger(cell, than: limit + markerBytes)
  }

  /// The text that replaces the value of a large cell.
  ///
  /// - Parameter isExternal: whether a marker may precede the value.
  static func summary(
    _ connection: Connection, table: String, column: String, row: Int64, isExternal: Bool
  ) throws -> Value {
    let blob = try BlobHandle(connection, table: table, column: column, row: row)
    let hasMarker = try isExternal && blob.firstByte() == ExternalValue.inlineMarker
    var value = LargeValue()
    try blob.forEachPiece(from: hasMarker ? 1 : 0) { value.take($0) }
    return value.summary
  }
}
