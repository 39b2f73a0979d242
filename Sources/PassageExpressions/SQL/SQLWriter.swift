import PassageValues

/// Writes one fragment from left to right, so that parameters are in the order of their values.
struct SQLWriter {
  let now: Double
  let column: (ResolvedKeyPath) -> String
  private(set) var fragment = SQLFragment("")

  mutating func write(_ sql: String) { fragment.sql += sql }

  mutating func bind(_ value: Value) {
    fragment.sql += "?"
    fragment.bindings.append(value)
  }

  // MARK: Values

  mutating func value(_ node: BoundNode) throws(NotTranslatable) {
    switch node {
    case .constant(let value): bind(value)
    case .cell(let path): write(column(path))
    case .key: write(column(.object))
    case .now: bind(Arithmetic.number(now))
    case .arithmetic(let operation, let left, let right, let isReal):
      try arithmetic(operation, left, right, isReal: isReal)
    case .call(let function, let arguments):
      write(function.rawValue + "(")
      try list(arguments)
      write(")")
    case .conditional(let condition, let then, let otherwise):
      write("CASE WHEN ")
      try self.condition(condition)
      write(" THEN ")
      try value(then)
      write(" ELSE ")
      try value(otherwise)
      write(" END")
    case .policy(let selector, _):
      throw NotTranslatable(
        part: "FUNCTION($entityPolicy, \"\(selector)\", …)",
        reason: "it is a function of the policy, written in Swift")
    }
  }

  private mutating func arithmetic(
    _ operation: ArithmeticOperator, _ left: BoundNode, _ right: BoundNode, isReal: Bool
  ) throws(NotTranslatable) {
    // SQLite divides integers as integers; a real attribute may hold a whole number as an integer.
    let isForced = operation == .divide && isReal
    write(isForced ? "(CAST(" : "(")
    try number(left)
    write(isForced ? " AS REAL) \(operation.rawValue) " : " \(operation.rawValue) ")
    try number(right)
    write(")")
  }

  /// A value that is a number or NULL: SQLite would take text for a number, and memory would not.
  private mutating func number(_ node: BoundNode) throws(NotTranslatable) {
    switch node {
    case .cell(let path):
      let cell = column(path)
      write("CASE WHEN typeof(\(cell)) IN ('integer', 'real') THEN \(cell) END")
    case .conditional(let condition, let then, let otherwise):
      write("CASE WHEN ")
      try self.condition(condition)
      write(" THEN ")
      try number(then)
      write(" ELSE ")
      try number(otherwise)
      write(" END")
    default: try value(node)
    }
  }

  mutating func list(_ nodes: [BoundNode]) throws(NotTranslatable) {
    for (index, node) in nodes.enumerated() {
      if index > 0 { write(", ") }
      try value(node)
    }
  }
}

extension ResolvedKeyPath {
  /// The object itself.
  static let object = ResolvedKeyPath(
    entityName: "", components: [], relationships: [], leaf: .object)
}
