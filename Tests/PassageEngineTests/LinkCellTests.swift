import PassageQueries
import PassageSQLite
import PassageValues
import TestSupport
import Testing

@testable import PassageEngine

/// A cell of a link has two back ends: both give the same for whatever a row holds.
@Suite struct LinkCellTests {
  /// Cells as a store has them, and as a damaged one could.
  private static func cell(_ random: inout SeededRandom) -> Value {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: .null
    case 1: .real(Double(Int.random(in: -3...12, using: &random)))
    case 2: .real(Double.random(in: -3...12, using: &random))
    case 3: .real(random.next() % 2 == 0 ? 9e18 : .infinity)
    case 4:
      .text(
        "\(Int.random(in: 0...12, using: &random))"
          + random.pick(["", "", "", ".0", "e1", ".5", "x", " "]))
    case 5: .text(random.pick(["no number", "", "0x3", "9223372036854775808"]))
    case 6: .blob([1, 2])
    case 7: .integer(random.next() % 2 == 0 ? .min : .max - 3)
    default: .integer(Int64.random(in: -3...12, using: &random))
    }
  }

  private static func shift(_ random: inout SeededRandom) -> KeyShift {
    let offset = random.next() % 3 == 0 ? 0 : Int64.random(in: 1...1_000, using: &random)
    let isKept = offset == 0 && random.next() % 2 == 0
    let keys = Keyspace.Extent(
      smallest: Int64.random(in: -2...3, using: &random),
      largest: Int64.random(in: 0...10, using: &random))
    return KeyShift(offset: offset, keys: isKept ? nil : keys)
  }

  private static func link(_ random: inout SeededRandom) -> LinkCell<String> {
    let numbers = (1...3).filter { _ in random.next() % 3 != 0 }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return .shifted(column: "ZKEY", shift(&random))
    case 1:
      guard !numbers.isEmpty else { return .shifted(column: "ZKEY", shift(&random)) }
      return .byEntity(
        column: "ZKEY", number: "Z1KEY",
        numbers.map { EntityShift(number: $0, shift: shift(&random)) })
    case 2: return .entityNumber(column: "ZKEY", 7)
    case 3:
      guard !numbers.isEmpty else { return .entityNumber(column: "ZKEY", 7) }
      return .entityNumberByEntity(
        number: "Z1KEY",
        numbers.map { EntityNumber(source: $0, destination: $0 + 10) })
    case 4: return .place(column: "ZKEY", .key)
    default: return .place(column: "ZKEY", .column("Z_FOK_KEY"))
    }
  }

  /// What both give is compared as the destination stores it, in a column of numbers.
  @Test(arguments: ["INTEGER", "REAL", "TEXT", "BLOB", ""])
  func `SQL and code give the same cell of a link`(type: String) throws {
    var random = SeededRandom(seed: RandomSeed.told(for: "LinkCellTests"))
    let connection = try Connection(path: "", mode: .create)
    try connection.execute(
      "CREATE TABLE s (Z_PK INTEGER PRIMARY KEY, ZKEY \(type), Z1KEY \(type), Z_FOK_KEY \(type))")
    try connection.execute("CREATE TABLE d (inSQL INTEGER, inCode INTEGER)")
    let columns = ["ZKEY", "Z1KEY", "Z_FOK_KEY"]
    let read = columns.map { LinkNumber.value(of: $0) }.joined(separator: ", ")
    for key in 1...2_000 {
      try connection.execute("DELETE FROM s")
      try connection.execute(
        "INSERT INTO s VALUES (?, ?, ?, ?)",
        [.integer(Int64(key))] + columns.map { _ in Self.cell(&random) })
      let row = try #require(connection.rows("SELECT \(read) FROM s").first)
      let link = Self.link(&random)
      let inSQL = try connection.value("SELECT \(link.sql) FROM s")
      let positions = link.map { columns.firstIndex(of: $0) ?? 0 }
      let inCode = positions.value(ofKey: Int64(key)) { row[$0] }
      try connection.execute("DELETE FROM d")
      try connection.execute("INSERT INTO d VALUES (?, ?)", [inSQL ?? .null, inCode])
      let stored = try #require(connection.rows("SELECT * FROM d").first)
      #expect(stored[0] == stored[1], "\(link) of \(row)")
      #expect(Set(link.columns).isSubset(of: columns))
    }
  }
}
