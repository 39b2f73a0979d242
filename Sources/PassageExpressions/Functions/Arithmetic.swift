import PassagePlatform
import PassageValues

/// Arithmetic on cells by the rules of ``Number``, so that results are the same in all lanes.
enum Arithmetic {
  static func apply(
    _ operation: ArithmeticOperator, _ left: Value, _ right: Value, isReal: Bool
  ) -> Value {
    Value(Number.apply(operation, Number(left), Number(right), isReal: isReal))
  }

  static func subtract(_ left: Value, _ right: Value) -> Value {
    apply(.subtract, left, right, isReal: false)
  }

  static func modulus(_ left: Value, _ right: Value) -> Value {
    Value(Number.modulus(Number(left), Number(right)))
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

  static func apply(_ function: NumberFunction, _ value: Value) -> Value {
    Value(Number.apply(function, Number(value)))
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
    Value(Number.bitwise(Number(left), Number(right), operation))
  }

  static func onesComplement(_ value: Value) -> Value {
    integer(value).map { .integer(~$0) } ?? .null
  }

  /// A number as an integer: rounded towards zero, and the nearest integer if it does not fit.
  static func integer(_ value: Value) -> Int64? { Number(value).truncated }

  /// SQLite cannot store NaN; it becomes NULL.
  static func number(_ value: Double) -> Value { Value(Number(value)) }
}
