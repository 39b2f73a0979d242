/// A number or NULL, as arithmetic on cells sees them: texts and blobs are NULL.
///
/// Arithmetic follows SQLite's rules (https://www.sqlite.org/lang_expr.html and `vdbe.c`): integers
/// that overflow become real numbers; a division by zero, an operand that is not a number and a
/// result of NaN give NULL.
package enum Number: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)

  /// A real number. SQLite cannot store NaN; it becomes NULL.
  @inlinable @inline(__always)
  package init(_ value: Double) { self = value.isNaN ? .null : .real(value) }

  @inlinable @inline(__always)
  package init(_ value: Value) {
    switch value {
    case .integer(let value): self = .integer(value)
    case .real(let value): self = .real(value)
    default: self = .null
    }
  }

  /// The number as a floating-point number; `nil` for NULL.
  @inlinable @inline(__always)
  package var double: Double? {
    switch self {
    case .null: nil
    case .integer(let value): Double(value)
    case .real(let value): value
    }
  }

  /// The number as an integer: rounded towards zero, and the nearest integer if it does not fit.
  @inlinable
  package var truncated: Int64? {
    switch self {
    case .null: return nil
    case .integer(let value): return value
    case .real(let value):
      if value.isNaN { return nil }
      if value <= -9_223_372_036_854_775_808 { return .min }
      if value >= 9_223_372_036_854_775_808 { return .max }
      return Int64(value)
    }
  }

  /// The number as an integer, rounded towards zero; one that does not fit into 64 bits as it is.
  @inlinable
  package var whole: Number {
    if case .real(let value) = self,
      value < -9_223_372_036_854_775_808 || value >= 9_223_372_036_854_775_808
    {
      return self
    }
    return truncated.map { .integer($0) } ?? .null
  }

  /// Applies an operator.
  ///
  /// - Parameter isReal: whether integers are divided as real numbers.
  @inlinable
  package static func apply(
    _ operation: ArithmeticOperator, _ left: Number, _ right: Number, isReal: Bool
  ) -> Number {
    switch operation {
    case .add: combine(left, right, { $0.addingReportingOverflow($1) }, { $0 + $1 })
    case .subtract: combine(left, right, { $0.subtractingReportingOverflow($1) }, { $0 - $1 })
    case .multiply: combine(left, right, { $0.multipliedReportingOverflow(by: $1) }, { $0 * $1 })
    case .divide: divide(left, right, isReal: isReal)
    case .bitwiseAnd: bitwise(left, right) { $0 & $1 }
    case .bitwiseOr: bitwise(left, right) { $0 | $1 }
    // Swift's shifts accept any count, as SQLite's do: negative counts shift in the other
    // direction.
    case .leftShift: bitwise(left, right) { $0 << $1 }
    case .rightShift: bitwise(left, right) { $0 >> $1 }
    }
  }

  @inlinable @inline(__always)
  static func combine(
    _ left: Number, _ right: Number,
    _ integers: (Int64, Int64) -> (partialValue: Int64, overflow: Bool),
    _ reals: (Double, Double) -> Double
  ) -> Number {
    if case .integer(let a) = left, case .integer(let b) = right {
      let result = integers(a, b)
      if !result.overflow { return .integer(result.partialValue) }
    }
    guard let a = left.double, let b = right.double else { return .null }
    return Number(reals(a, b))
  }

  @inlinable
  static func divide(_ left: Number, _ right: Number, isReal: Bool) -> Number {
    if !isReal, case .integer(let a) = left, case .integer(let b) = right {
      if b == 0 { return .null }
      let result = a.dividedReportingOverflow(by: b)
      if !result.overflow { return .integer(result.partialValue) }
    }
    guard let a = left.double, let b = right.double, b != 0 else { return .null }
    return Number(a / b)
  }

  /// The remainder with the sign of the left side, of integers, or of real numbers if one operand
  /// is real.
  package static func modulus(_ left: Number, _ right: Number) -> Number {
    if case .integer(let a) = left, case .integer(let b) = right {
      if b == 0 { return .null }
      return .integer(b == -1 ? 0 : a % b)
    }
    guard let a = left.double, let b = right.double else { return .null }
    return Number(a.truncatingRemainder(dividingBy: b))
  }

  /// Applies an operator to the bits of two integers.
  @inlinable @inline(__always)
  package static func bitwise(
    _ left: Number, _ right: Number, _ operation: (Int64, Int64) -> Int64
  ) -> Number {
    guard let a = left.truncated, let b = right.truncated else { return .null }
    return .integer(operation(a, b))
  }
}

/// A function of one number.
package enum NumberFunction: Sendable {
  /// 0 for zero, 1 for any other number.
  case boolean
  /// Rounded towards zero; the nearest integer if it does not fit.
  case integer
  /// Rounded towards zero; unchanged if it does not fit.
  case whole
  case real
  case absolute
  case floor
  case ceiling
  case truncate
  case squareRoot
}

extension Number {
  /// Applies a function. NULL gives NULL.
  @inlinable
  package static func apply(_ function: NumberFunction, _ number: Number) -> Number {
    switch function {
    case .boolean: number.double.map { .integer($0 != 0 ? 1 : 0) } ?? .null
    case .integer: number.truncated.map { .integer($0) } ?? .null
    case .whole: number.whole
    case .real: number.double.map { Number($0) } ?? .null
    case .absolute: absolute(number)
    case .floor: rounded(number, .down)
    case .ceiling: rounded(number, .up)
    case .truncate: rounded(number, .towardZero)
    case .squareRoot: number.double.map { Number($0.squareRoot()) } ?? .null
    }
  }

  @inlinable
  static func absolute(_ number: Number) -> Number {
    switch number {
    case .integer(.min): .real(9_223_372_036_854_775_808)
    case .integer(let value): .integer(abs(value))
    case .real(let value): Number(abs(value))
    case .null: .null
    }
  }

  @inlinable
  static func rounded(_ number: Number, _ rule: FloatingPointRoundingRule) -> Number {
    if case .real(let value) = number { Number(value.rounded(rule)) } else { number }
  }
}

extension Value {
  /// The number as a cell.
  package init(_ number: Number) {
    switch number {
    case .null: self = .null
    case .integer(let value): self = .integer(value)
    case .real(let value): self = .real(value)
    }
  }
}
