import Foundation
import PassageSQLite
import PassageValues
import TestSupport
import Testing

/// Sums that do not depend on the order of their numbers, as SQL gives them.
@Suite struct ExactSumTests {
  private static func ask(_ function: String, _ values: [Value]) throws -> Value {
    let connection = try Library.connection()
    try connection.execute("CREATE TABLE numbers (v)")
    for value in values { try connection.execute("INSERT INTO numbers VALUES (?)", [value]) }
    return try connection.rows("SELECT \(function)(v) FROM numbers").first?.first ?? .text("none")
  }

  @Test(
    arguments: [
      ("passage_sum", [], 0), ("passage_sum", [1, 2, .null, "x"], 3),
      ("passage_sum", [.integer(.max), 1], .real(9_223_372_036_854_775_808)),
      ("passage_sum", [.integer(.max), 1, -1, .real(0)], .real(9_223_372_036_854_775_808)),
      ("passage_sum", [.integer(.min), .integer(.min), .integer(.max), .integer(.max), 2.5], 0.5),
      ("passage_sum", [1e308, 1e308, -1e308, -1e308, 1], .real(1)),
      ("passage_sum", [1e308, 1e308], .real(.infinity)),
      ("passage_sum", [1e16, 1, 1, -1e16], .real(2)),
      ("passage_sum", [0.1, 0.2, 0.3], .real(0.6)),
      ("passage_sum", [.real(0x1p-1074), .real(0x1p-1074), .real(-0x1p-1074)], .real(0x1p-1074)),
      ("passage_sum", [.real(.infinity), 1], .real(.infinity)),
      ("passage_sum", [.real(.infinity), .real(-.infinity)], .null),
      ("passage_sum", [1, .real(9_007_199_254_740_992), 1], .real(9_007_199_254_740_994)),
      ("passage_average", [], .null), ("passage_average", [1, 2, .null], .real(1)),
      ("passage_average", [0.1, 0.2, 0.3], .real(0.2)),
      ("passage_average", [1e308, 1e308], .real(1e308)),
      ("passage_average", [.integer(.max), .integer(.max), 1], .real(6_148_914_691_236_516_864)),
      ("passage_average", [.real(0x1p-1074), .null], .real(0)),
      ("passage_average", [.real(0x1p-1074), .real(0x1p-1073)], .real(0x1p-1073)),
      ("passage_average", [.real(-0x1p-1074), .real(-0x1p-1074), 0], .real(-0x1p-1074)),
      ("passage_average", [.real(.infinity), 1], .real(.infinity)),
      ("passage_median", [3, 1, 2], 2), ("passage_median", [4, 1, 2, 3, .null], .real(2.5)),
      ("passage_median", ["x"], .null), ("passage_mode", [3, 1, 3, 1, 2, .null], 1),
      ("passage_mode", ["b", "a", "b"], "b"), ("passage_mode", [], .null),
      ("passage_stddev", [2, 4, 4, 4, 5, 5, 7, 9], .real(2)), ("passage_stddev", [], .null),
    ] as [(String, [Value], Value)])
  func `a function of a collection gives its value`(
    function: String, values: [Value], result: Value
  ) throws {
    #expect(try Self.ask(function, values) == result)
    #expect(try Self.ask(function, values.reversed()) == result)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `a sum is the nearest number to the true one in any order`(seed: UInt64) throws {
    print("seed \(seed)")
    var generator = SeededRandom(seed: seed)
    // Multiples of a small power of two within bounds: their sum is exact in integers.
    let unit = 0x1p-40
    for _ in 0..<30 {
      let wholes = (0..<40).map { _ in Int64.random(in: -(1 << 52)...(1 << 52), using: &generator) }
      let values = wholes.map { Value.real(Double($0) * unit) }
      let expected = Value.real(Double(wholes.reduce(0, +)) * unit)
      #expect(try Self.ask("passage_sum", values.shuffled(using: &generator)) == expected)
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `an average is the nearest number to the true one`(seed: UInt64) throws {
    print("seed \(seed)")
    var generator = SeededRandom(seed: seed)
    // Of a fifth of the sum, which has 54 bits, the whole part is exact.
    for _ in 0..<50 {
      let (a, b) = (
        Int64.random(in: 1 << 52..<1 << 53, using: &generator),
        Int64.random(in: 1 << 52..<1 << 53, using: &generator)
      )
      let values = [a, b, 0, 0, 0].map { Value.real(Double($0)) }
      let (quotient, remainder) = (a + b).quotientAndRemainder(dividingBy: 5)
      let expected = Double(quotient) + Double(remainder) / 5
      #expect(try Self.ask("passage_average", values) == .real(expected))
    }
  }
}
