/// A sum of numbers without rounding, which does not depend on their order.
///
/// It is a fixed-point number that covers all exponents of a `Double`, in limbs of 32 bits. Carries
/// are propagated before a limb can overflow.
struct ExactSum {
  /// The weight of bit 0 of limb 0 is 2^-1074, the smallest positive `Double`.
  private static let lowestExponent = -1_074
  /// 2,098 bits for any `Double`, and 64 bits for the number of additions.
  private static let limbCount = 68

  private var limbs: [Int64] = []
  /// The number of additions that are possible before a carry is necessary.
  private var room = 0
  private var hasInfinity = false
  private var hasNegativeInfinity = false
  /// The sum while all numbers are integers, without what exceeds 64 bits. Until then the limbs are
  /// empty.
  private var integers: Int64? = 0
  /// What exceeds 64 bits of the sum of integers, in units of 2^64.
  private var excess: Int64 = 0

  mutating func add(_ value: Int64) {
    if let sum = integers {
      let (result, overflow) = sum.addingReportingOverflow(value)
      integers = result
      if overflow { excess += value < 0 ? -1 : 1 }
      return
    }
    append(value)
  }

  /// NaN is ignored: a store cannot hold it.
  mutating func add(_ value: Double) {
    if let sum = integers { leaveIntegers(sum) }
    if value.isNaN || value == 0 { return }
    if value.isInfinite {
      if value > 0 { hasInfinity = true } else { hasNegativeInfinity = true }
      return
    }
    let significand = Int64(value.significandBitPattern) | (value.isNormal ? 1 << 52 : 0)
    let shift = value.isNormal ? Int(value.exponentBitPattern) - 1 : 0
    add(significand, shift: shift, isNegative: value < 0)
  }

  /// The sum as an integer, if all numbers were integers and it fits into 64 bits.
  var integer: Int64? { excess == 0 ? integers : nil }

  /// The sum rounded to the nearest `Double`; NaN if both infinities were added.
  var real: Double { mean(of: 1) }

  /// The sum divided by a number of values, rounded once to the nearest `Double`; NaN if both infinities
  /// were added.
  ///
  /// - Parameter count: at least 1.
  func mean(of count: Int64) -> Double {
    if let integers {
      // A quotient of two numbers that are exact is rounded once.
      let exact: ClosedRange<Int64> = -(1 << 53)...(1 << 53)
      if excess == 0, count == 1 || (exact.contains(integers) && exact.contains(count)) {
        return Double(integers) / Double(count)
      }
      var sum = self
      sum.leaveIntegers(integers)
      return sum.mean(of: count)
    }
    if hasInfinity || hasNegativeInfinity {
      if hasInfinity, hasNegativeInfinity { return .nan }
      return hasInfinity ? .infinity : -.infinity
    }
    var sum = self
    sum.carry()
    let isNegative = (sum.limbs.last ?? 0) < 0
    if isNegative {
      for index in sum.limbs.indices { sum.limbs[index] = -sum.limbs[index] }
      sum.carry()
    }
    let magnitude = sum.magnitude(dividedBy: UInt64(count))
    return isNegative ? -magnitude : magnitude
  }

  // MARK: Limbs

  private mutating func leaveIntegers(_ sum: Int64) {
    integers = nil
    limbs = [Int64](repeating: 0, count: Self.limbCount)
    room = 1 << 28
    append(sum)
    add(Int64(excess.magnitude), shift: 64 - Self.lowestExponent, isNegative: excess < 0)
    excess = 0
  }

  private mutating func append(_ value: Int64) {
    let magnitude = value.magnitude
    let isNegative = value < 0
    add(Int64(magnitude & 0xFFFF_FFFF), shift: -Self.lowestExponent, isNegative: isNegative)
    add(Int64(magnitude >> 32), shift: 32 - Self.lowestExponent, isNegative: isNegative)
  }

  /// Adds `significand` · 2^`shift` in units of the lowest exponent; `significand` is less than
  /// 2^53.
  private mutating func add(_ significand: Int64, shift: Int, isNegative: Bool) {
    let limb = shift / 32
    let bits = UInt64(significand)
    let offset = UInt64(shift % 32)
    let low = (bits & 0xFFFF_FFFF) << offset
    let high = (bits >> 32) << offset
    let sign: Int64 = isNegative ? -1 : 1
    limbs[limb] += sign * Int64(low & 0xFFFF_FFFF)
    limbs[limb + 1] += sign * Int64((low >> 32) + (high & 0xFFFF_FFFF))
    limbs[limb + 2] += sign * Int64(high >> 32)
    room -= 1
    if room == 0 { carry() }
  }

  /// Propagates carries, so that every limb has 32 bits except the last, which has the sign.
  private mutating func carry() {
    for index in 0..<(limbs.count - 1) {
      limbs[index + 1] += limbs[index] >> 32
      limbs[index] &= 0xFFFF_FFFF
    }
    room = 1 << 28
  }

  /// The value of positive limbs without pending carries, divided. The limbs become the quotient.
  private mutating func magnitude(dividedBy divisor: UInt64) -> Double {
    let remainder = divisor == 1 ? 0 : divide(by: divisor)
    guard let top = limbs.lastIndex(where: { $0 != 0 }) else {
      // Less than the smallest Double: the nearer one of it and 0.
      return remainder > divisor - remainder ? .leastNonzeroMagnitude : 0
    }
    let leading = 64 - limbs[top].leadingZeroBitCount
    let length = top * 32 + leading
    // No bit of a sum is below the smallest Double, so a short sum is exact, but its quotient has a remainder.
    let cut = max(0, length - 53)
    var significand: UInt64 = 0
    for position in stride(from: length - 1, through: cut, by: -1) {
      significand = significand << 1 | bit(position)
    }
    let isOdd = significand & 1 == 1
    if cut > 0 {
      if bit(cut - 1) == 1 {
        let isHalf = remainder == 0 && !(0..<(cut - 1)).contains { bit($0) == 1 }
        if !isHalf || isOdd { significand += 1 }
      }
    } else if remainder > divisor - remainder || (remainder == divisor - remainder && isOdd) {
      significand += 1
    }
    // Exact unless it overflows: an integer up to 2^54 times a power of two.
    return Double(significand)
      * Double(sign: .plus, exponent: cut + Self.lowestExponent, significand: 1)
  }

  /// Divides positive limbs without pending carries. Limbs below four of the quotient stay as they are: all
  /// that matters of them is whether they are zero.
  ///
  /// - Returns: the remainder, in units of the last limb that was divided.
  private mutating func divide(by divisor: UInt64) -> UInt64 {
    guard let top = limbs.lastIndex(where: { $0 != 0 }) else { return 0 }
    // Only the last limb may have more than 32 bits.
    var remainder: UInt64 = 0
    var lowest = 0
    var index = top
    while index >= lowest {
      let (quotient, rest) = divisor.dividingFullWidth(
        (high: remainder >> 32, low: remainder << 32 | UInt64(limbs[index])))
      if quotient != 0, lowest == 0 { lowest = max(0, index - 3) }
      limbs[index] = Int64(quotient)
      remainder = rest
      index -= 1
    }
    return remainder
  }

  private func bit(_ position: Int) -> UInt64 {
    // The top limb may have more than 32 bits.
    let limb = min(position / 32, limbs.count - 1)
    return UInt64(bitPattern: limbs[limb]) >> UInt64(position - limb * 32) & 1
  }
}
