extension FormatParser {
  typealias Level = OperatorLevel

  enum Infix {
    case or, and
    case comparison(ComparisonOperator)
    case set(SetOperator)
    /// The selector of the operator's function.
    case function(String, Level)

    var level: Level {
      switch self {
      case .or: .or
      case .and: .and
      case .comparison: .comparison
      case .set: .set
      case .function(_, let level): level
      }
    }
  }

  private static let comparisonSymbols: [String: ComparisonOperator] = [
    "=": .equal, "==": .equal, "!=": .notEqual, "<>": .notEqual, "<": .less, "<=": .lessOrEqual,
    "=<": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual, "=>": .greaterOrEqual,
  ]

  static func isComparison(_ symbol: String) -> Bool { comparisonSymbols[symbol] != nil }

  var infix: Infix? {
    switch token.kind {
    case .symbol("||"): return .or
    case .symbol("&&"): return .and
    case .symbol(let symbol):
      if let comparison = Self.comparisonSymbols[symbol] { return .comparison(comparison) }
      return Level.functions.first { $0.symbol == symbol }.map { .function($0.selector, $0.level) }
    default:
      guard let keyword = token.keyword else { return nil }
      if keyword == "OR" { return .or }
      if keyword == "AND" { return .and }
      if let set = SetOperator(rawValue: keyword) { return .set(set) }
      return ComparisonOperator(rawValue: keyword).map { .comparison($0) }
    }
  }

  /// Parses operands that are joined by operators of at least this precedence.
  mutating func parse(_ level: Level) throws(SyntaxError) -> Node {
    try nested { parser throws(SyntaxError) in
      var left = try parser.prefix()
      while let infix = parser.infix, infix.level >= level {
        let offset = parser.token.offset
        switch infix {
        case .or, .and:
          left = try parser.compound(from: left, infix.level)
        case .comparison(let comparison):
          left = try parser.comparison(from: left, comparison, .direct)
        case .set(let set):
          parser.advance()
          let right = try parser.parse(Level.set.tighter)
          let expression = ValueExpression.set(
            set, try parser.requireExpression(left), try parser.requireExpression(right),
            at: SourcePosition(offset: offset))
          left = try parser.node(.expression(expression), over: [left, right], at: left.offset)
        case .function(let selector, let functionLevel):
          parser.advance()
          let right = try parser.parse(functionLevel.tighter)
          let expression = ValueExpression.function(
            target: nil, selector: selector,
            arguments: [try parser.requireExpression(left), try parser.requireExpression(right)],
            at: SourcePosition(offset: offset))
          left = try parser.node(.expression(expression), over: [left, right], at: left.offset)
        }
      }
      return left
    }
  }

  /// Parses the rest of `a AND b AND c` or `a OR b OR c`, which becomes one node.
  private mutating func compound(from first: Node, _ level: Level) throws(SyntaxError) -> Node {
    var parts = [first]
    var predicates = [try requirePredicate(first)]
    while let infix, infix.level == level {
      advance()
      let part = try parse(level.tighter)
      parts.append(part)
      predicates.append(try requirePredicate(part))
    }
    return try node(
      .predicate(level == .or ? .or(predicates) : .and(predicates)), over: parts, at: first.offset)
  }

  /// Parses the rest of a comparison, from its operator.
  mutating func comparison(
    from left: Node, _ comparison: ComparisonOperator, _ modifier: Comparison.Modifier
  ) throws(SyntaxError) -> Node {
    let offset = token.offset
    if case .predicate(let predicate) = left.content {
      throw failure("a condition cannot be compared", remedy: remedy(forCompared: predicate))
    }
    advance()
    let options = try options(of: comparison)
    if let misplaced = self.modifier {
      let value = try requireExpression(left)
      throw self.misplaced(
        misplaced,
        beside: Comparison(value, comparison, value, options: options, modifier: modifier))
    }
    let right = try parse(Level.comparison.tighter)
    if comparison == .between { try refuseAnd(after: right) }
    let result = Comparison(
      try requireExpression(left), comparison, try requireExpression(right), options: options,
      modifier: modifier, at: SourcePosition(offset: offset))
    return try node(.predicate(.comparison(result)), over: [left, right], at: left.offset)
  }

  /// Refuses `BETWEEN 1 AND 9` as in SQL, which would be parsed as two conditions.
  private mutating func refuseAnd(after lower: Node) throws(SyntaxError) {
    guard case .expression(let expression) = lower.content, token.keyword == "AND" else { return }
    switch expression {
    case .constant, .function: break
    default: return
    }
    let error = failure("BETWEEN takes a list of two bounds, not “AND”")
    advance()
    var upper = "…"
    if let next = try? parse(Level.comparison.tighter), case .expression(let bound) = next.content {
      upper = bound.description
    }
    throw SyntaxError(
      message: error.message, offset: error.offset,
      remedy: "write BETWEEN {\(expression), \(upper)}")
  }

  /// Parses the letters in brackets after an operator, in any case and order.
  private mutating func options(
    of comparison: ComparisonOperator
  ) throws(SyntaxError) -> ComparisonOptions {
    guard skip("[") else { return [] }
    var options: ComparisonOptions = []
    if comparison == .in || comparison == .between {
      switch token.kind {
      case .integer, .real, .string, .placeholder, .variable, .symbol:
        throw failure("a list must be written in braces", remedy: "write {1, 2}")
      default: break
      }
    }
    guard case .word(let letters, isEscaped: false) = token.kind else {
      throw unexpected("the options c, d, n or l are expected after “[”")
    }
    for letter in letters.lowercased().unicodeScalars {
      guard let option = ComparisonOptions.letters.first(where: { $0.letter == letter }) else {
        throw failure("there is no option “\(letter)”", remedy: "the options are c, d, n and l")
      }
      options.insert(option.option)
    }
    advance()
    try expect("]", "after the options")
    return options
  }
}
