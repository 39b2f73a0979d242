/// Exact decimal digits of numbers. A number is written with the fewest digits that give it back.
enum DecimalText {
  /// A number as whole units, rounded down, and the digits of the fraction that remains.
  struct Parts {
    var whole: Int64
    /// Without a point; empty if there is no fraction.
    var fraction: [UInt8]
  }

  /// The largest number of fractional digits that is read, more than any date has.
  private static let maximumDigits = 1_100

  /// Splits a number into its parts; `nil` if it is not finite or too large.
  static func parts(_ number: Double) -> Parts? {
    guard number.isFinite, number.rounded(.down).magnitude < 9e17 else { return nil }
    let (whole, fraction) = expanded(number.magnitude)
    guard number < 0 else { return Parts(whole: whole, fraction: fraction) }
    if fraction.isEmpty { return Parts(whole: -whole, fraction: []) }
    return Parts(whole: -whole - 1, fraction: complement(fraction))
  }

  /// The number nearest to whole units and a fraction; `nil` if the fraction has other characters
  /// than digits, or too many.
  static func number(_ parts: Parts) -> Double? {
    guard parts.fraction.count <= maximumDigits, parts.whole.magnitude < 1_000_000_000_000_000_000,
      parts.fraction.allSatisfy(isDigit)
    else { return nil }
    let digits = Array(parts.fraction.reversed().drop { $0 == zero }.reversed())
    if digits.isEmpty { return Double(parts.whole) }
    if parts.whole >= 0 {
      return Double("\(parts.whole).\(String(decoding: digits, as: UTF8.self))")
    }
    return Double("-\(-parts.whole - 1).\(String(decoding: complement(digits), as: UTF8.self))")
  }

  private static let zero = UInt8(ascii: "0")

  static func isDigit(_ byte: UInt8) -> Bool { (zero...UInt8(ascii: "9")).contains(byte) }

  /// A positive number below 10^18 without exponent.
  private static func expanded(_ number: Double) -> (whole: Int64, fraction: [UInt8]) {
    let text = "\(number)"
    let pieces = text.split(separator: "e", maxSplits: 1)
    let exponent = pieces.count > 1 ? Int(pieces[1]) ?? 0 : 0
    let halves = pieces[0].split(separator: ".", maxSplits: 1)
    var whole = Array(halves[0].utf8)
    var fraction = halves.count > 1 ? Array(halves[1].utf8) : []
    if exponent > 0 {
      let moved = fraction.prefix(exponent)
      whole += moved + Array(repeating: zero, count: exponent - moved.count)
      fraction.removeFirst(moved.count)
    } else if exponent < 0 {
      let digits = Array(repeating: zero, count: -exponent) + whole
      whole = Array(digits.prefix(digits.count + exponent))
      fraction = digits.suffix(-exponent) + fraction
    }
    fraction = Array(fraction.reversed().drop { $0 == zero }.reversed())
    return (Int64(String(decoding: whole, as: UTF8.self)) ?? 0, fraction)
  }

  /// One minus a fraction that is not zero and does not end with zero.
  private static func complement(_ digits: [UInt8]) -> [UInt8] {
    digits.enumerated().map { index, digit in
      let isLast = index == digits.count - 1
      return zero + (isLast ? 10 : 9) - (digit - zero)
    }
  }
}
