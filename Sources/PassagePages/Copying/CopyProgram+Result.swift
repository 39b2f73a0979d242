package import PassageValues

extension CopyProgram {
  /// The result of a calculation outside a copy; NULL when the operations do not leave a number.
  ///
  /// - Parameter number: returns a column as a number.
  package static func result(
    of operations: [Operation], key: Int64, number: (Int) -> Number
  ) -> Number {
    var stack: [Number] = []
    for operation in operations {
      switch operation {
      case .column(let column): stack.append(number(column))
      case .constant(let constant): stack.append(constant)
      case .key: stack.append(.integer(key))
      case .apply(let operation, let isReal):
        guard let right = stack.popLast(), let left = stack.popLast() else { return .null }
        stack.append(Number.apply(operation, left, right, isReal: isReal))
      case .function(let function):
        guard let last = stack.popLast() else { return .null }
        stack.append(Number.apply(function, last))
      }
    }
    return stack.last ?? .null
  }
}
