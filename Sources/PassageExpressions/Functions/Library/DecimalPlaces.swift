import PassageValues

/// Rounds numbers to decimal places, half away from zero, as they are written: 2.675 to two places is
/// 2.68, although the nearest floating-point number is a little smaller.
enum DecimalPlaces {
  /// - Parameter places: digits after the point; negative for tens, hundreds and so on.
  /// - Returns: NULL for a value that is not a number.
  /// - Complexity: O(1).
  static func rounded(_ value: Value, places: Int64) -> Value {
    switch value {
    case .integer(let number): integer(number, places)
    case .real(let number) where number.isFinite: .real(real(number, places))
    default: .null
    }
  }

  private static func integer(_ number: Int64, _ places: Int64) -> Value {
    guard places < 0 else { return .integer(number) }
    // The largest integer has 19 digits.
    guard places >= -19 else { return .integer(0) }
    var unit: UInt64 = 1
    for _ in places..<0 { unit *= 10 }
    let (quotient, rest) = number.magnitude.quotientAndRemainder(dividingBy: unit)
    let (result, overflow) = (quotient + (rest >= unit - rest ? 1 : 0))
      .multipliedReportingOverflow(by: unit)
    guard !overflow, let whole = Int64(exactly: result) else {
      return .real((number < 0 ? -1 : 1) * Double(quotient + 1) * Double(unit))
    }
    return .integer(number < 0 ? -whole : whole)
  }

  /// The digits that are written for the number, without those behind the last place.
  private static func real(_ number: Double, _ places: Int64) -> Double {
    let parts = String(number.magnitude).lowercased().split(separator: "e")
    let halves = parts[0].split(separator: ".")
    let digits = halves.joined().utf8.map { $0 - UInt8(ascii: "0") }
    let written = parts.count > 1 ? Int64(parts[1]) ?? 0 : 0
    // The number is 0.DIGITS times ten to this power.
    let power = Int64(halves[0].utf8.count) + written
    let (kept, overflow) = power.addingReportingOverflow(places)
    guard !overflow else { return places < 0 ? 0 : number }
    guard kept < digits.count else { return number }
    guard kept >= 0 else { return 0 }
    let text = digits.prefix(Int(kept)).map(String.init).joined()
    var result = Double("0.\(text.isEmpty ? "0" : text)e\(power)") ?? number
    if digits[Int(kept)] >= 5 { result = increased(digits.prefix(Int(kept)), power) }
    return number < 0 ? -result : result
  }

  /// The next larger number of as many digits.
  private static func increased(_ digits: ArraySlice<UInt8>, _ power: Int64) -> Double {
    var digits = [0] + digits
    for index in digits.indices.reversed() {
      guard digits[index] == 9 else {
        digits[index] += 1
        break
      }
      digits[index] = 0
    }
    let text = digits.map(String.init).joined()
    return Double("0.\(text)e\(power + 1)") ?? .greatestFiniteMagnitude
  }
}
