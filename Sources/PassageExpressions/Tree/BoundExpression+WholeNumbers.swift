package import PassageModels
internal import PassageValues

extension BoundExpression {
  /// The whole numbers of which the value is one, where it is not NULL: known from the types of the
  /// attributes of which it is made. `nil` when it may be any number, or none.
  package var wholeNumbers: ClosedRange<Int64>? {
    guard let numbers = node.wholeNumbers else { return nil }
    return Int64(numbers.lowerBound)...Int64(numbers.upperBound)
  }
}

extension AttributeType {
  /// The whole numbers that an attribute can hold; `nil` for one that holds other values.
  package var wholeNumbers: ClosedRange<Int64>? {
    switch self {
    case .integer16: Int64(Int16.min)...Int64(Int16.max)
    case .integer32: Int64(Int32.min)...Int64(Int32.max)
    case .integer64: Int64.min...Int64.max
    default: nil
    }
  }
}

extension BoundNode {
  /// Never beyond 64 bits: a larger number is a floating-point one.
  var wholeNumbers: ClosedRange<Int128>? {
    let numbers: ClosedRange<Int128>? =
      switch self {
      case .constant(.null): 0...0
      case .constant(.integer(let number)): Int128(number)...Int128(number)
      case .cell(let path): Self.wholeNumbers(of: path.leaf)
      case .arithmetic(let operation, let left, let right, let isReal):
        isReal ? nil : Self.wholeNumbers(operation, left.wholeNumbers, right.wholeNumbers)
      case .conditional(_, let then, let otherwise):
        if let first = then.wholeNumbers, let second = otherwise.wholeNumbers {
          min(first.lowerBound, second.lowerBound)...max(first.upperBound, second.upperBound)
        } else {
          nil
        }
      case .key, .count: 0...Int128(Int64.max)
      default: nil
      }
    guard let numbers, numbers.lowerBound >= Int64.min, numbers.upperBound <= Int64.max else {
      return nil
    }
    return numbers
  }

  private static func wholeNumbers(of leaf: ResolvedKeyPath.Leaf) -> ClosedRange<Int128>? {
    switch leaf {
    case .attribute(let attribute):
      // Core Data stores a Boolean as 0 or 1.
      attribute.type == .boolean
        ? 0...1
        : attribute.type.wholeNumbers.map { Int128($0.lowerBound)...Int128($0.upperBound) }
    case .object, .relationship: 0...Int128(Int64.max)
    }
  }

  private static func wholeNumbers(
    _ operation: ArithmeticOperator, _ left: ClosedRange<Int128>?, _ right: ClosedRange<Int128>?
  ) -> ClosedRange<Int128>? {
    guard let left, let right else { return nil }
    switch operation {
    case .add:
      return left.lowerBound + right.lowerBound...left.upperBound + right.upperBound
    case .subtract:
      return left.lowerBound - right.upperBound...left.upperBound - right.lowerBound
    case .multiply:
      // Numbers of 64 bits have products of 127.
      let products = [left.lowerBound, left.upperBound].flatMap { number in
        [number * right.lowerBound, number * right.upperBound]
      }
      return (products.min() ?? 0)...(products.max() ?? 0)
    default: return nil
    }
  }
}
