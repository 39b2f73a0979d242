internal import PassageModels
internal import PassagePlatform
import PassageValues

/// Writes one fragment from left to right, so that values have the order of their parameters.
struct SQLWriter {
  let now: Double
  let column: (ResolvedKeyPath) -> String
  /// The rows of each collection of objects, by its number.
  let rows: [RelatedRows?]
  /// The rows of the collection whose element is in each frame; no rows for elements that are not
  /// objects.
  var frames: [Int: RelatedRows?] = [:]
  var fragment = SQLFragment("")

  mutating func write(_ sql: String) { fragment.sql += sql }

  /// Checks the size limits: a comparison with several values repeats the other side for each of
  /// them.
  func checkSize() throws(NotTranslatable) {
    let count = fragment.bindings.count
    if count > SQLTranslator.maximumBindings {
      throw NotTranslatable(
        part: "{…}", reason: "it has \(count) constants, more than one statement allows")
    }
    if fragment.sql.utf8.count > SQLTranslator.maximumBytes {
      throw NotTranslatable(
        part: "…", reason: "in SQL it is longer than one statement may be")
    }
  }

  /// Checks that SQLite's parser can read the whole text.
  func checkDepth() throws(NotTranslatable) {
    // A short text is not deep.
    guard fragment.sql.utf8.count > 150,
      fragment.depth > SQLTranslator.maximumDepth
        || fragment.junctionCount > SQLTranslator.maximumJunctions
    else { return }
    throw NotTranslatable(part: "…", reason: "in SQL it is nested deeper than a statement may be")
  }

  mutating func bind(_ value: Value) {
    fragment.sql += "?"
    fragment.bindings.append(value)
  }

  // MARK: Values

  mutating func value(_ node: BoundNode) throws(NotTranslatable) {
    try checkSize()
    switch node {
    case .constant(let value): bind(value)
    case .cell(let path): write(column(path))
    case .key: write(column(.object))
    case .now: bind(Arithmetic.number(now))
    case .arithmetic(let operation, let left, let right, let isReal):
      try arithmetic(operation, left, right, isReal: isReal)
    case .call(let function, let arguments):
      if arguments.count == 1, try builtIn(function, arguments[0]) { return }
      write(function.rawValue + "(")
      try list(arguments)
      write(")")
    case .function(let function, let arguments):
      guard node.waitingTexts <= SQLTranslator.maximumWaitingTexts else {
        throw NotTranslatable(
          part: "\(function.selector)(…)",
          reason: "it combines many texts that may be large, whose size is only checked in memory")
      }
      write((function.native ?? function.sqlName) + "(")
      try list(arguments)
      write(")")
    case .lookup(let lookup, let key):
      // The plus removes a column's affinity, so that nothing is converted.
      let table = "\"" + lookup.tableName.doubling("\"") + "\""
      write("(SELECT l.result FROM temp.\(table) AS l WHERE l.key = +(")
      try value(key)
      write("))")
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
    case .element(let frame, let part): write(element(frame, part))
    case .count(let collection, let limit): try count(collection, limit)
    case .aggregate(let function, let collection):
      try select(collection, once: function.isSameForSets) { writer throws(NotTranslatable) in
        writer.write(function.rawValue + "(")
        try writer.value(collection.value)
        writer.write(")")
      }
    case .item(let collection, let position): try item(collection, position)
    }
  }

  private mutating func arithmetic(
    _ operation: ArithmeticOperator, _ left: BoundNode, _ right: BoundNode, isReal: Bool
  ) throws(NotTranslatable) {
    // SQLite divides integers as integers, and a real attribute may hold a whole number as an
    // integer. If one operand is a constant that is stored as real, the division is real anyway.
    let isForced = operation == .divide && isReal && !right.isRealConstant
    write(isForced ? "(CAST(" : "(")
    let isConvertedAnyway =
      right.isRealConstant && [.add, .subtract, .multiply, .divide].contains(operation)
    try number(isConvertedAnyway ? left.withoutConversion : left)
    write(isForced ? " AS REAL) \(operation.rawValue) " : " \(operation.rawValue) ")
    try number(right)
    write(")")
  }

  /// Writes a conversion that SQLite makes by the same rules: a call from SQL into Swift takes
  /// longer than the rest of a row.
  ///
  /// - Returns: `false` if the function must be called.
  private mutating func builtIn(
    _ function: BuiltInFunction, _ argument: BoundNode
  ) throws(NotTranslatable) -> Bool {
    // https://www.sqlite.org/lang_expr.html#castexpr: a cast to INTEGER rounds towards zero, and
    // gives the nearest integer if the number does not fit.
    let (before, after): (String, String)
    switch function {
    case .wholeFromNumber:
      (before, after) = (
        "(SELECT CASE WHEN v < -9223372036854775808.0 OR v >= 9223372036854775808.0 THEN v "
          + "ELSE CAST(v AS INTEGER) END FROM (SELECT ", " AS v))"
      )
    case .realFromNumber: (before, after) = ("CAST(", " AS REAL)")
    case .integerFromNumber: (before, after) = ("CAST(", " AS INTEGER)")
    case .booleanFromNumber: (before, after) = ("(", " <> 0)")
    case .negate: (before, after) = ("(0 - ", ")")
    default: return false
    }
    write(before)
    try number(argument)
    write(after)
    return true
  }

  /// Writes a value that is a number or NULL: SQLite would convert text to a number, and the
  /// evaluation in memory does not.
  ///
  /// Numbers come before all texts (https://www.sqlite.org/datatype3.html#sort_order), and a
  /// comparison takes a third of the time of `typeof`. The plus removes the column's affinity, so
  /// that nothing is converted.
  private mutating func number(_ node: BoundNode) throws(NotTranslatable) {
    switch node {
    case .cell(let path):
      let cell = column(path)
      // Two integers are compared in less time than a number and a text, and are so nearly always.
      let isInteger = path.holdsIntegers ? "+\(cell) <= \(Int64.max) OR " : ""
      write("CASE WHEN \(isInteger)+\(cell) < '' THEN \(cell) END")
    case .element(let frame, let part):
      let cell = element(frame, part)
      write("CASE WHEN +\(cell) < '' THEN \(cell) END")
    case .aggregate, .item:
      write("(SELECT CASE WHEN +v < '' THEN v END FROM (SELECT ")
      try value(node)
      write(" AS v))")
    case .conditional(let condition, let then, let otherwise):
      write("CASE WHEN ")
      try self.condition(condition)
      write(" THEN ")
      try number(then)
      write(" ELSE ")
      try number(otherwise)
      write(" END")
    case .lookup:
      try checked(node)
    case .function(let function, _) where function.native != nil:
      try checked(node)
    default: try value(node)
    }
  }

  /// Writes a number from a cell, unchanged, or NULL.
  private mutating func checked(_ node: BoundNode) throws(NotTranslatable) {
    write("(SELECT CASE WHEN +v < '' THEN v END FROM (SELECT ")
    try value(node)
    write(" AS v))")
  }

  mutating func list(_ nodes: [BoundNode]) throws(NotTranslatable) {
    for (index, node) in nodes.enumerated() {
      if index > 0 { write(", ") }
      try value(node)
    }
  }
}

extension BoundNode {
  /// Whether it is a constant that SQLite stores as a real number.
  fileprivate var isRealConstant: Bool {
    if case .constant(.real) = self { true } else { false }
  }

  /// The operand of a conversion to a real number, for use beside a real constant, where SQLite
  /// makes the conversion anyway.
  fileprivate var withoutConversion: BoundNode {
    if case .call(.realFromNumber, let arguments) = self, arguments.count == 1 {
      arguments[0]
    } else {
      self
    }
  }
}

extension ResolvedKeyPath {
  /// The object itself.
  static let object = ResolvedKeyPath(
    entityName: "", components: [], relationships: [], leaf: .object)
}

extension ResolvedKeyPath {
  /// Whether the cells are integers, unless something else has written them.
  fileprivate var holdsIntegers: Bool {
    guard case .attribute(let attribute) = leaf else { return false }
    return [.integer16, .integer32, .integer64, .boolean].contains(attribute.type)
  }
}
