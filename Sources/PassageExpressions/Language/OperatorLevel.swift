/// The precedence of an operator.
enum OperatorLevel: Int, Comparable {
  case or, and, not, comparison, set, bits, sum, product, power, unary, postfix, primary

  static func < (left: OperatorLevel, right: OperatorLevel) -> Bool {
    left.rawValue < right.rawValue
  }

  /// The level for the right operand: operators of one level are left-associative.
  var tighter: OperatorLevel { OperatorLevel(rawValue: rawValue + 1) ?? .primary }
}

extension OperatorLevel {
  /// Operators that correspond to a predefined function of two arguments.
  static let functions: [(symbol: String, selector: String, level: OperatorLevel)] = [
    ("&", "bitwiseAnd:with:", .bits), ("|", "bitwiseOr:with:", .bits),
    ("^", "bitwiseXor:with:", .bits), ("<<", "leftshift:by:", .bits),
    (">>", "rightshift:by:", .bits), ("+", "add:to:", .sum), ("-", "from:subtract:", .sum),
    ("*", "multiply:by:", .product), ("/", "divide:by:", .product),
    ("**", "raise:toPower:", .power),
  ]
}
