import PassageTesting
import PassageValues
import TestSupport

/// Rows with keys and values that are hard on a writer: 1 to 6,000 of them, rarely none.
struct RandomRows {
  let rows: [(key: Int64, values: [Value])]

  init(random: inout SeededRandom) {
    let count = Self.count(&random)
    let longest = random.pick([10, 10, 300, 5_000])
    var key = random.pick([Int64.min, -70_000, 1, 1, 0x7FFF_FFFF])
    var rows: [(key: Int64, values: [Value])] = []
    for _ in 0..<(longest > 300 ? min(count, 300) : count) {
      rows.append((key, TableTreeWriterTests.columns.map { Self.value(of: $0, longest, &random) }))
      key += random.chance(90) ? 1 : Int64.random(in: 1...1_000_000_000_000, using: &random)
    }
    self.rows = rows
  }

  /// How many rows: any number, and as many tables of one leaf as of many.
  static func count(_ random: inout SeededRandom) -> Int {
    if random.chance(5) { return 0 }
    let most = random.chance(20) ? 6_000 : 6_000 >> Int.random(in: 0...12, using: &random)
    return Int.random(in: 1...most, using: &random)
  }

  private static func value(
    of type: String, _ longest: Int, _ random: inout SeededRandom
  ) -> Value {
    if random.chance(15) { return .null }
    let length = Int.random(in: 0...longest, using: &random)
    switch type {
    case "VARCHAR": return .text(String(repeating: "aé€", count: length / 6))
    case "BLOB":
      return random.chance(30)
        ? integer(&random)
        : .blob((0..<length).map { _ in UInt8.random(in: 0...255, using: &random) })
    default: return random.chance(50) ? integer(&random) : real(&random)
    }
  }

  private static func integer(_ random: inout SeededRandom) -> Value {
    let bits = Int.random(in: 0...63, using: &random)
    let edge = bits == 63 ? Int64.max : Int64(1) << Int64(bits)
    return .integer(
      random.pick([0, 1, -1, edge, edge - 1, -edge, -edge - 1, Int64.min, Int64.max]))
  }

  private static func real(_ random: inout SeededRandom) -> Value {
    random.pick([
      .real(0), .real(-0.0), .real(1), .real(0.5), .real(.infinity), .real(-.infinity),
      .real(0x1p47), .real(0x1p47 - 1), .real(-0x1p47), .real(0x1p53), .real(0x1p62), .real(0x1p63),
      .real(-0x1p63), .real(1e300), .real(Double.random(in: -1e6...1e6, using: &random)),
      .real(Double(Int64.random(in: -1_000_000...1_000_000, using: &random))), .real(.nan),
    ])
  }
}
