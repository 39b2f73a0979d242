package import PassageValues

/// One step of a calculation in postfix order: operands, then their operator.
package enum ArithmeticStep: Sendable {
  case cell(ResolvedKeyPath)
  case constant(Number)
  /// The object's primary key.
  case key
  case apply(ArithmeticOperator, isReal: Bool)
  case function(NumberFunction)
}

extension BoundExpression {
  /// The steps of a value that is arithmetic on numbers of the object itself; `nil` for any other
  /// value.
  ///
  /// - Parameter now: the value of `now()`.
  package func arithmeticSteps(now: Double) -> [ArithmeticStep]? {
    var steps: [ArithmeticStep] = []
    func append(_ node: BoundNode) -> Bool {
      switch node {
      case .cell(let path):
        guard path.relationships.isEmpty else { return false }
        steps.append(.cell(path))
      case .constant(let value): steps.append(.constant(Number(value)))
      case .key: steps.append(.key)
      case .now: steps.append(.constant(Number(now)))
      case .arithmetic(let operation, let left, let right, let isReal):
        guard append(left), append(right) else { return false }
        steps.append(.apply(operation, isReal: isReal))
      case .call(let function, let arguments):
        guard let function = function.ofNumber, arguments.count == 1, append(arguments[0]) else {
          return false
        }
        steps.append(.function(function))
      default: return false
      }
      return true
    }
    // A cell or constant by itself may be a text.
    switch node {
    case .arithmetic, .call: return append(node) ? steps : nil
    default: return nil
    }
  }
}
