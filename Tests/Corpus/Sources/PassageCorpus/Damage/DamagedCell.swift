internal import PassageTesting

/// A change of one value to one that Core Data never writes there: keys, entity numbers, links,
/// counters, a byte of the metadata or of the model inside the store.
enum DamagedCell {
  private static let values = [
    "NULL", "'text'", "x'00ff'", "-1", "0", "99", "1.5", "1e300", "9223372036854775807",
    "-9223372036854775808", "''", "1",
  ]

  static func statement(_ subject: DamageSubject, random: inout SeededRandom) -> String {
    let number = Int.random(in: 0..<1_000_000, using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return blob("Z_METADATA", "Z_PLIST", number, random: &random)
    case 1 where subject.tables.contains { $0.name == "Z_MODELCACHE" }:
      return blob("Z_MODELCACHE", "Z_CONTENT", number, random: &random)
    default: break
    }
    guard let table = subject.tables.randomElement(using: &random) else { return "" }
    // The first columns are those of Core Data.
    let columns =
      Bool.random(using: &random) ? Array(table.columns.prefix(8)) : table.columns
    let column = StoreQuery.identifier(columns.randomElement(using: &random) ?? "")
    let value = values.randomElement(using: &random) ?? "NULL"
    let name = StoreQuery.identifier(table.name)
    return "UPDATE OR IGNORE \(name) SET \(column) = \(value) WHERE rowid = (SELECT rowid "
      + "FROM \(name) LIMIT 1 OFFSET \(number) % max(1, (SELECT count(*) FROM \(name))))"
  }

  private static func blob(
    _ table: String, _ column: String, _ number: Int, random: inout SeededRandom
  ) -> String {
    let place = "(\(number) % max(1, length(\(column))))"
    let byte = String(UInt8.random(in: 0...255, using: &random), radix: 16)
    return "UPDATE \(table) SET \(column) = CAST(substr(\(column), 1, \(place)) || "
      + "x'\(byte.count == 1 ? "0" : "")\(byte)' || substr(\(column), \(place) + 2) AS BLOB)"
  }
}
