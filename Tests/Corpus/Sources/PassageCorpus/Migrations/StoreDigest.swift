internal import Foundation
internal import Passage
internal import PassagePlatform
internal import PassageTesting

/// SHA-256 over every object and every pair of a store, read by plain SQL: tables by name, columns by
/// name, rows by key. Save counts are left out, and where a row is in the file makes no difference.
struct StoreDigest {
  /// 64 hexadecimal digits.
  let text: String

  /// - Throws: what SQLite answers when it refuses.
  init(_ side: StoreSide) throws {
    var digest = MessageDigest()
    let tables =
      side.layout.tables.map { table in
        (
          name: table.name, keys: ["Z_PK"],
          columns: table.columns.filter { $0.role != .saveCount }.map(\.name)
        )
      }
      + side.layout.joinTables.map { table in
        (name: table.name, keys: Array(table.columns.prefix(2)), columns: table.columns)
      }
    for table in tables.sorted(by: { $0.name < $1.name }) {
      digest.update(Array(table.name.utf8))
      let columns = table.columns.sorted().map(StoreQuery.identifier).joined(separator: ", ")
      let keys = table.keys.map(StoreQuery.identifier).joined(separator: ", ")
      let rows = try side.query.cursor(
        "SELECT \(columns) FROM \(StoreQuery.identifier(table.name)) NOT INDEXED ORDER BY \(keys)")
      while let row = try rows.next() {
        for value in row { digest.update(Self.text(value).utf8 + [0x1F]) }
        digest.update([0x1E])
      }
    }
    text = digest.finalized.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0\(digits)" : digits
    }.joined()
  }

  /// A cell so that equal numbers are equal, whichever way the column's affinity keeps them.
  static func text(_ value: Value) -> String {
    switch value {
    case .null: "null"
    case .integer(let number): "number \(number)"
    case .real(let number):
      Int64(exactly: number).map { "number \($0)" } ?? "real \(number.bitPattern)"
    case .text(let text): "text \(text)"
    case .malformedText(let bytes): "malformed \(bytes)"
    case .blob(let bytes): "blob \(bytes)"
    }
  }
}
