internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// A value too large to be held while two stores are compared: its length, its first bytes and a digest
/// of all of them take its place. It is read in pieces, in the column or in its file.
struct LargeValue {
  /// Longer ones are large.
  static let limit = 1 << 16

  private var digest = PieceDigest()
  private var start: [UInt8] = []
  private var byteCount = 0

  /// Takes the next bytes.
  mutating func take(_ piece: [UInt8]) {
    if start.isEmpty { start = Array(piece.prefix(8)) }
    byteCount += piece.count
    digest.take(piece)
  }

  /// What stands for the value.
  var summary: Value {
    let digits = start.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return .text("x'\(digits)…' (\(byteCount) bytes, digest \(digest.text))")
  }

  /// Whether a cell is large, as a condition in SQL.
  ///
  /// - Parameter markerBytes: what is in the cell before the value.
  static func condition(_ cell: String, markerBytes: Int) -> String {
    BlobHandle.isLonger(cell, than: limit + markerBytes)
  }

  /// What stands for the value of a large cell.
  ///
  /// - Parameter isExternal: whether a marker may be before the value.
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
