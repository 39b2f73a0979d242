import PassageValues
import PassagePlatform

/// Arithmetic on cells by SQLite's rules (https://www.sqlite.org/lang_expr.html and `vdbe.c`), so
/// that results are the same in both lanes: integers that overflow become real numbers; a division
/// by zero, an operand that is not a number and a result of NaN give NULL.
enum Arithmetic {
  static func apply(
    _ operation: ArithmeticOperator, _ left: Value, _ right: Value, isReal: Bool
  ) -> Value {
    switch operation {
    case .add:
      combine(left, right, { $0.addingReportingOverflow($1) }, { $0 + $1 })
    case .subtract: subtract(left, right)
    case .multiply:
      combine(left, right, { $0.multipliedReportingOverflow(by: $1) }, { $0 * $1 })
    case .divide: divide(left, right, isReal: isReal)
    case .bitwiseAnd: bitwise(left, right) { $0 & $1 }
    case .bitwiseOr: bitwise(left, right) { $0 | $1 }
    // Swift's shifts accept any count, as SQLite's do: negative counts shift in the other
    // direction.
    case .leftShift: bitwise(left, right) { $0 << $1 }
    case .rightShift: bitwise(left, right) { $0 >> $1 }
    }
  }

  static func subtract(_ left: Value, _ right: Value) -> Value {
    combine(left, right, { $0.subtractingReportingOverflow($1) }, { $0 - $1 })
  }

  private static func combine(
    _ left: Value, _ right: Value,
    _ integers: (Int64, Int64) -> (partialValue: Int64, overflow: Bool),
    _ reals: (Double, Double) -> Double
  ) -> Value {
    if case .integer(let a) = left, case .integer(let b) = right {
      let result = integers(a, b)
      if !result.overflow { return .integer(result.partialValue) }
    }
    guard let a = left.double, let b = right.double else { return .null }
    return number(reals(a, b))
  }

  private static func divide(_ left: Value, _ right: Value, isReal: Bool) -> Value {
    if !isReal, case .integer(let a) = left, case .integer(let b) = right {
      if b == 0 { return .null }
      let result = a.dividedReportingOverflow(by: b)
      if !result.overflow { return .integer(result.partialValue) }
    }
    guard let a = left.double, let b = right.double, b != 0 else { return .null }
    return number(a / b)
  }

  /// The remainder with the sign of the left side, of integers, or of real numbers if one operand
  /// is real.
  static func modulus(_ left: Value, _ right: Value) -> Value {
    if case .integer(let a) = left, case .integer(let b) = right {
      if b == 0 { return .null }
      return .integer(b == -1 ? 0 : a % b)
    }
    guard let a = left.double, let b = right.double else { return .null }
    return number(a.truncatingRemainder(dividingBy: b))
  }

  /// Integers give an integer if the result is one that fits.
  static func power(_ left: Value, _ right: Value) -> Value {
    if case .integer(let base) = left, case .integer(let exponent) = right, exponent >= 0,
      let result = power(base, exponent)
    {
      return .integer(result)
    }
    guard let a = left.double, let b = right.double else { return .null }
    return number(pow(a, b))
  }

  /// Exponentiation by squaring; `nil` if the result does not fit.
  private static func power(_ base: Int64, _ exponent: Int64) -> Int64? {
    var result: Int64 = 1
    var factor = base
    var rest = exponent
    while rest > 0 {
      if rest & 1 == 1 {
        let product = result.multipliedReportingOverflow(by: factor)
        if product.overflow { return nil }
        result = product.partialValue
      }
      rest >>= 1
      if rest > 0 {
        let square = factor.multipliedReportingOverflow(by: factor)
        if square.overflow { return nil }
        factor = square.partialValue
      }
    }
    return result
  }

  static func absolute(_ value: Value) -> Value {
    switch value {
    case .integer(.min): .real(9_223_372_036_854_775_808)
    case .integer(let value): .integer(abs(value))
    case .real(let value): number(abs(value))
    default: .null
    }
  }

  static func rounded(_ value: Value, _ rule: FloatingPointRoundingRule) -> Value {
    switch value {
    case .integer: value
    case .real(let value): number(value.rounded(rule))
    default: .null
    }
  }

  static func squareRoot(_ value: Value) -> Value {
    value.double.map { number($0.squareRoot()) } ?? .null
  }
  static func exponential(_ value: Value) -> Value { value.double.map { number(exp($0)) } ?? .null }
  /// NULL for zero and negative numbers.
  static func naturalLogarithm(_ value: Value) -> Value {
    value.double.map { $0 > 0 ? number(log($0)) : .null } ?? .null
  }
  /// NULL for zero and negative numbers.
  static func decimalLogarithm(_ value: Value) -> Value {
    value.double.map { $0 > 0 ? number(log10($0)) : .null } ?? .null
  }

  // MARK: Bits

  static func bitwise(_ left: Value, _ right: Value, _ operation: (Int64, Int64) -> Int64) -> Value
  {
    guard let a = integer(left), let b = integer(right) else { return .null }
    return .integer(operation(a, b))
  }

  static func onesComplement(_ value: Value) -> Value {
    integer(value).map { .integer(~$0) } ?? .null
  }

  /// A number as an integer: rounded towards zero, and the nearest integer if it does not fit.
  static func integer(_ value: Value) -> Int64? {
    switch value {
    case .integer(let value): return value
    case .real(let value):
      if value.isNaN { return nil }
      if value <= -9_223_372_036_854_775_808 { return .min }
      if value >= 9_223_372_036_854_775_808 { return .max }
      return Int64(value)
    default: return nil
    }
  }

  /// SQLite cannot store NaN; it becomes NULL.
  static func number(_ value: Double) -> Value { value.isNaN ? .null : .real(value) }
}
