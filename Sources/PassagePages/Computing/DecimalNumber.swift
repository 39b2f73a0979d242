internal import PassageValues

/// Numbers in texts whose digits are few enough for exact arithmetic.
enum DecimalNumber {
  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]

  /// The number in a text: a sign, digits, and digits after a point. With at most 15 digits, both
  /// the digits and the power of ten are exact, and their quotient is the nearest number.
  ///
  /// - Returns: `nil` for any other text.
  static func cell(_ text: UnsafeRawBufferPointer) -> RawCell? {
    var place = 0
    var isNegative = false
    if let sign = text.first, sign == 0x2D || sign == 0x2B {
      isNegative = sign == 0x2D
      place = 1
    }
    var digits: Int64 = 0
    var count = 0
    var point: Int?
    while place < text.count {
      let byte = text[place]
      if byte == 0x2E, point == nil, count > 0 {
        point = count
      } else {
        guard byte &- 0x30 < 10, count < 15 else { return nil }
        digits = digits * 10 + Int64(byte &- 0x30)
        count += 1
      }
      place += 1
    }
    guard count > 0, point != count else { return nil }
    guard let point else { return .integer(isNegative ? -digits : digits) }
    let value = Double(digits) / powersOfTen[count - point]
    return .real(isNegative ? -value : value)
  }
}
