import PassageValues

extension SQLWriter {
  /// Writes a condition, in parentheses if necessary.
  mutating func condition(
    _ condition: BoundCondition, _ form: SQLTranslator.Form = .value
  ) throws(NotTranslatable) {
    try checkSize()
    switch condition {
    case .truth(let value): write(value ? "1" : "0")
    case .and(let parts): try compound(parts, " AND ", empty: "1", form)
    case .or(let parts): try compound(parts, " OR ", empty: "0", form)
    case .not(.equal(let left, let right)):
      try comparison(left, "IS NOT", right)
    case .not(let operand):
      write("(NOT ")
      try self.condition(operand)
      write(")")
    case .equal(let left, let right):
      // If NULL counts as false, `=` is enough as soon as one side cannot be NULL.
      let isPlain = form == .filter && (!left.isNullable || !right.isNullable)
      try comparison(left, isPlain ? "=" : "IS", right)
    case .ordered(let ordering, let left, let right):
      try twoValued([left, right], form) { writer throws(NotTranslatable) in
        try writer.comparison(left, ordering.rawValue, right)
      }
    case .between(let value, let lower, let upper):
      try range(value, "BETWEEN", lower, upper, form)
    case .outside(let value, let lower, let upper):
      try range(value, "NOT BETWEEN", lower, upper, form)
    case .isIn(let value, let elements): try isIn(value, elements, form)
    case .member(let value, let elements, let isNegated):
      if elements.isEmpty { return write(isNegated ? "1" : "0") }
      try twoValued([value] + elements, form) { writer throws(NotTranslatable) in
        writer.write("(")
        try writer.value(value)
        writer.write(isNegated ? " NOT IN (" : " IN (")
        try writer.list(elements)
        writer.write("))")
      }
    case .text(let operation, let value, let pattern):
      try text(operation, value, pattern, form)
    case .textDiffers(let operation, let value, let pattern):
      write("(")
      try comparison(value, "IS NOT", .constant(.null))
      write(" AND ")
      try comparison(pattern, "IS NOT", .constant(.null))
      write(" AND NOT ")
      try text(operation, value, pattern, .value)
      write(")")
    case .exists(let collection): try exists(collection)
    }
  }

  private mutating func range(
    _ value: BoundNode, _ word: String, _ lower: BoundNode, _ upper: BoundNode,
    _ form: SQLTranslator.Form
  ) throws(NotTranslatable) {
    try twoValued([value, lower, upper], form) { writer throws(NotTranslatable) in
      writer.write("(")
      try writer.value(value)
      writer.write(" \(word) ")
      try writer.value(lower)
      writer.write(" AND ")
      try writer.value(upper)
      writer.write(")")
    }
  }

  private mutating func compound(
    _ parts: [BoundCondition], _ word: String, empty: String, _ form: SQLTranslator.Form
  ) throws(NotTranslatable) {
    guard !parts.isEmpty else { return write(empty) }
    write("(")
    for (index, part) in parts.enumerated() {
      if index > 0 { write(word) }
      try condition(part, form)
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

  /// Converts NULL to 0, if an operand can be NULL and the difference matters.
  private mutating func twoValued(
    _ operands: [BoundNode], _ form: SQLTranslator.Form,
    _ content: (inout SQLWriter) throws(NotTranslatable) -> Void
  ) throws(NotTranslatable) {
    let isNullable = form == .value && operands.contains(where: \.isNullable)
    if isNullable { write("COALESCE(") }
    try content(&self)
    if isNullable { write(", 0)") }
  }

  /// SQL's `IN` does not match NULL, so NULL is compared separately.
  private mutating func isIn(
    _ value: BoundNode, _ elements: [BoundNode], _ form: SQLTranslator.Form
  ) throws(NotTranslatable) {
    let constants = elements.filter { $0.constantValue.map { !$0.isNothing } ?? false }
    let others = elements.filter { $0.constantValue.map(\.isNothing) ?? true }
    guard !elements.isEmpty else { return write("0") }
    write("(")
    if !constants.isEmpty {
      try twoValued([value], form) { writer throws(NotTranslatable) in
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
    _ operation: TextOperator, _ value: BoundNode, _ pattern: BoundNode,
    _ form: SQLTranslator.Form
  ) throws(NotTranslatable) {
    if operation == .beginsWith(.codeUnits), value.isColumn,
      case .constant(.text(let prefix)) = pattern,
      let bound = prefix.upperBoundOfPrefixed
    {
      return try twoValued([value], form) { writer throws(NotTranslatable) in
        writer.write("(")
        try writer.value(value)
        writer.write(" >= ")
        writer.bind(.text(prefix))
        writer.write(" AND ")
        try writer.value(value)
        writer.write(" < ")
        writer.bind(.text(bound))
        writer.write(")")
      }
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

extension BoundNode {
  /// Whether it is a column, which may be written twice.
  fileprivate var isColumn: Bool {
    switch self {
    case .cell, .element: true
    default: false
    }
  }
}

extension String {
  /// The first text after all texts that begin with this one, byte by byte; `nil` if there is none
  /// with the same number of bytes.
  ///
  /// If the successor of the last scalar has a longer encoding, bytes that are not UTF-8 could be
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
