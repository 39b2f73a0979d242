internal import PassageValues

extension Value {
  /// Whether both values are numbers and this one is larger, as SQLite orders them.
  func isNumberAbove(_ other: Value) -> Bool {
    switch (self, other) {
    case (.integer(let a), .integer(let b)): a > b
    case (.real(let a), .real(let b)): a > b
    case (.integer(let a), .real(let b)): Self.order(a, b) > 0
    case (.real(let a), .integer(let b)): Self.order(b, a) < 0
    default: false
    }
  }

  /// A negative number, 0 or a positive number. The comparison is exact: a conversion would make
  /// large numbers that are close to each other equal.
  private static func order(_ integer: Int64, _ real: Double) -> Int {
    // 2 to the 63rd.
    if real >= 0x1p63 { return -1 }
    if real < -0x1p63 { return 1 }
    let whole = Int64(real)
    if integer != whole { return integer < whole ? -1 : 1 }
    let rest = real - Double(whole)
    return rest == 0 ? 0 : rest > 0 ? -1 : 1
  }
}
