package import PassageModels
internal import PassageValues

extension BoundExpression {
  /// A magnitude that no value exceeds which is a finite number: known from the types of the attributes of
  /// which it is made. `nil` when it may be any number, or none.
  package var largestMagnitude: Double? {
    if let numbers = wholeNumbers { return numbers.largestMagnitude }
    return node.largestMagnitude
  }
}

extension AttributeType {
  /// The magnitude up to which an attribute holds finite numbers; `nil` for one that holds integers, all
  /// floating-point numbers, or other values.
  package var largestMagnitude: Double? {
    switch self {
    case .float: Double(Float.greatestFiniteMagnitude)
    // NSDecimalNumber has 38 digits, and exponents up to 127.
    case .decimal: 1e165
    default: nil
    }
  }
}

extension ClosedRange<Int64> {
  fileprivate var largestMagnitude: Double {
    Swift.max(Double(lowerBound).magnitude, Double(upperBound).magnitude)
  }
}

extension BoundNode {
  /// Results are rounded in the same way as what is computed here, so they do not exceed it.
  fileprivate var largestMagnitude: Double? {
    switch self {
    case .constant(.null): 0
    case .constant(.integer(let number)): Double(number).magnitude
    case .constant(.real(let number)): number.isFinite ? number.magnitude : nil
    case .cell(let path): Self.largestMagnitude(of: path.leaf)
    case .key, .count: 0x1p63
    case .arithmetic(let operation, let left, let right, _):
      Self.largestMagnitude(operation, left, right)
    case .call(let function, let arguments): Self.largestMagnitude(function, arguments)
    case .conditional(_, let then, let otherwise):
      if let first = then.largestMagnitude, let second = otherwise.largestMagnitude {
        max(first, second)
      } else {
        nil
      }
    default: nil
    }
  }

  private static func largestMagnitude(of leaf: ResolvedKeyPath.Leaf) -> Double? {
    switch leaf {
    case .attribute(let attribute):
      // Core Data stores a Boolean as 0 or 1.
      attribute.type == .boolean
        ? 1 : attribute.type.wholeNumbers?.largestMagnitude ?? attribute.type.largestMagnitude
    case .object, .relationship: 0x1p63
    }
  }

  private static func largestMagnitude(
    _ operation: ArithmeticOperator, _ left: BoundNode, _ right: BoundNode
  ) -> Double? {
    switch operation {
    case .add, .subtract, .multiply:
      guard let first = left.largestMagnitude, let second = right.largestMagnitude else {
        return nil
      }
      return operation == .multiply ? first * second : first + second
    case .divide:
      // A whole number that divides is at least one: a division by zero gives nil.
      return right.wholeNumbers == nil ? nil : left.largestMagnitude
    case .bitwiseAnd, .bitwiseOr, .leftShift, .rightShift: return 0x1p63
    }
  }

  private static func largestMagnitude(
    _ function: BuiltInFunction, _ arguments: [BoundNode]
  ) -> Double? {
    switch function {
    case .negate, .absolute, .wholeFromNumber, .realFromNumber:
      arguments.first?.largestMagnitude
    case .floor, .ceiling, .truncate: arguments.first?.largestMagnitude.map { $0 + 1 }
    case .bitwiseXor, .onesComplement, .integerFromNumber, .length, .byteCount: 0x1p63
    case .booleanFromNumber: 1
    default: nil
    }
  }
}
