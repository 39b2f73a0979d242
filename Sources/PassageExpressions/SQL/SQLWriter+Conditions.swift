import PassageValues

extension SQLWriter {
  /// A condition that is 1 or 0, in parentheses of its own where it needs them.
  mutating func condition(_ condition: BoundCondition) throws(NotTranslatable) {
    switch condition {
    case .truth(let value): write(value ? "1" : "0")
    case .and(let parts): try compound(parts, " AND ", empty: "1")
    case .or(let parts): try compound(parts, " OR ", empty: "0")
    case .not(.equal(let left, let right)):
      try comparison(left, "IS NOT", right)
    case .not(let operand):
      write("(NOT ")
      try self.condition(operand)
      write(")")
    case .equal(let left, let right): try comparison(left, "IS", right)
    case .ordered(let ordering, let left, let right):
      try twoValued([left, right]) { writer throws(NotTranslatable) in
        try writer.comparison(left, ordering.rawValue, right)
      }
    case .between(let value, let lower, let upper):
      try twoValued([value, lower, upper]) { writer throws(NotTranslatable) in
        writer.write("(")
        try writer.value(value)
        writer.write(" BETWEEN ")
        try writer.value(lower)
        writer.write(" AND ")
        try writer.value(upper)
        writer.write(")")
      }
    case .isIn(let value, let elements): try isIn(value, elements)
    case .text(let operation, let value, let pattern): try text(operation, value, pattern)
    }
  }

  private mutating func compound(
    _ parts: [BoundCondition], _ word: String, empty: String
  ) throws(NotTranslatable) {
    guard !parts.isEmpty else { return write(empty) }
    write("(")
    for (index, part) in parts.enumerated() {
      if index > 0 { write(word) }
      try condition(part)
    }
    write(")")
  }

  private mutating func comparison(
    _ left: BoundNode, _ sign: String, _ right: BoundNode
  ) throws(NotTranslatable) {
    write("(")
    try value(left)
    write(" \(sign) ")
    try value(right)
    write(")")
  }

  /// Makes 0 of NULL, where an operand can be NULL.
  private mutating func twoValued(
    _ operands: [BoundNode],
    _ content: (inout SQLWriter) throws(NotTranslatable) -> Void
  ) throws(NotTranslatable) {
    let isNullable = operands.contains(where: \.isNullable)
    if isNullable { write("COALESCE(") }
    try content(&self)
    if isNullable { write(", 0)") }
  }

  /// SQL's `IN` knows nothing of NULL, so NULL is compared by itself.
  private mutating func isIn(
    _ value: BoundNode, _ elements: [BoundNode]
  ) throws(NotTranslatable) {
    let constants = elements.filter { $0.constantValue.map { !$0.isNothing } ?? false }
    let others = elements.filter { $0.constantValue.map(\.isNothing) ?? true }
    guard !elements.isEmpty else { return write("0") }
    write("(")
    if !constants.isEmpty {
      try twoValued([value]) { writer throws(NotTranslatable) in
        try writer.value(value)
        writer.write(" IN (")
        try writer.list(constants)
        writer.write(")")
      }
    }
    for (index, other) in others.enumerated() {
      if index > 0 || !constants.isEmpty { write(" OR ") }
      try comparison(value, "IS", other)
    }
    write(")")
  }

  private mutating func text(
    _ operation: TextOperator, _ value: BoundNode, _ pattern: BoundNode
  ) throws(NotTranslatable) {
    if operation == .beginsWith, case .cell = value,
      case .constant(.text(let prefix)) = pattern, let bound = prefix.upperBoundOfPrefixed
    {
      write("COALESCE((")
      try self.value(value)
      write(" >= ")
      bind(.text(prefix))
      write(" AND ")
      try self.value(value)
      write(" < ")
      bind(.text(bound))
      return write("), 0)")
    }
    write(operation.function.rawValue + "(")
    try list([value, pattern])
    if case .matches(let caseInsensitive) = operation {
      write(", ")
      bind(Value(caseInsensitive))
    }
    write(")")
  }
}

extension String {
  /// The first text after every text that begins with this one, byte by byte; `nil` when there is
  /// none of the same length in bytes.
  ///
  /// Where the last scalar's successor has a longer encoding, bytes that are no UTF-8 could stand
  /// between the two, so such a prefix has no bound here.
  var upperBoundOfPrefixed: String? {
    guard let last = unicodeScalars.last, let next = Unicode.Scalar(last.value + 1),
      String(next).utf8.count == String(last).utf8.count
    else { return nil }
    var bound = unicodeScalars
    bound.removeLast()
    bound.append(next)
    return String(bound)
  }
}
