extension FormatParser {
  /// Parses an operand with the signs and words before it.
  mutating func prefix() throws(SyntaxError) -> Node {
    let offset = token.offset
    if token.isSymbol("!") || token.keyword == "NOT" {
      advance()
      let operand = try parse(.comparison)
      return try node(
        .predicate(.not(try requirePredicate(operand))), over: [operand], at: offset)
    }
    if let modifier = modifier {
      advance()
      let left = try parse(Level.comparison.tighter)
      guard let comparison = comparisonOperator else {
        if case .predicate = left.content {
          throw failure(
            "a comparison operator is expected after \(modifier.rawValue) and its value",
            remedy:
              "write \(modifier.rawValue) before the comparison, without parentheses around it")
        }
        throw unexpected(
          "a comparison operator is expected after \(modifier.rawValue) and its value")
      }
      return try self.comparison(from: left, comparison, modifier)
    }
    if token.isSymbol("-") || token.isSymbol("~") {
      return try sign(token.isSymbol("-") ? "negate:" : "onesComplement:")
    }
    return try postfix(try primary())
  }

  var modifier: Comparison.Modifier? {
    switch token.keyword {
    case "ANY", "SOME": .any
    case "ALL": .all
    case "NONE": Comparison.Modifier.none
    default: nil
    }
  }

  private var comparisonOperator: ComparisonOperator? {
    if case .comparison(let comparison)? = infix { comparison } else { nil }
  }

  /// `-x` or `~x`; a minus before a number is part of the number.
  private mutating func sign(_ selector: String) throws(SyntaxError) -> Node {
    let offset = token.offset
    advance()
    let position = SourcePosition(offset: offset)
    if selector == "negate:", case .integer(let magnitude) = token.kind,
      magnitude == UInt64(Int64.max) + 1
    {
      advance()
      let constant = ValueExpression.constant(.integer(.min), at: position)
      return try postfix(try node(.expression(constant), at: offset))
    }
    var (isNumber, isInteger) = (false, false)
    switch token.kind {
    case .integer: (isNumber, isInteger) = (true, true)
    case .real: isNumber = true
    default: break
    }
    let operand = try nested { parser throws(SyntaxError) in try parser.prefix() }
    let expression = try requireExpression(operand)
    if isNumber, selector == "negate:", case .constant(let constant, _) = expression {
      switch constant {
      case .integer(let value):
        return try node(.expression(.constant(.integer(-value), at: position)), at: offset)
      case .real(let value):
        // An integer below the least one stays below it when it is rounded.
        let isRoundedUp = isInteger && value == -Double(Int64.min)
        let constant = Constant.real(isRoundedUp ? (-value).nextDown : -value)
        return try node(.expression(.constant(constant, at: position)), at: offset)
      default: break
      }
    }
    let function = ValueExpression.function(
      target: nil, selector: selector, arguments: [expression], at: position)
    return try node(.expression(function), over: [operand], at: offset)
  }

  // MARK: Key paths and indexes

  private mutating func postfix(_ start: Node) throws(SyntaxError) -> Node {
    var left = start
    while token.isSymbol(".") || token.isSymbol("[") {
      let operand = try requireExpression(left)
      var position = SourcePosition(offset: left.offset)
      if token.isSymbol(".") {
        // All components are collected first, so that the path is not copied for each of them.
        var added: [KeyPathComponent] = []
        while skip(".") {
          let offset = token.offset
          added += try component()
          while position.componentOffsets.count < added.count {
            position.componentOffsets.append(offset)
          }
        }
        switch operand {
        case .keyPath(let inner, let components, let start):
          position.componentOffsets = start.componentOffsets + position.componentOffsets
          left.content = .expression(.keyPath(inner, components + added, at: position))
        case .selfObject:
          left.content = .expression(.keyPath(nil, added, at: position))
        default:
          left = try node(
            .expression(.keyPath(operand, added, at: position)), over: [left], at: left.offset)
        }
      } else {
        advance()
        let (index, part) = try elementIndex()
        try expect("]", "after the index")
        left = try node(
          .expression(.element(operand, index, at: position)),
          over: [left] + (part.map { [$0] } ?? []), at: left.offset)
      }
    }
    return left
  }

  /// A component after a point. Keywords cannot occur there, so none needs its `#`.
  private mutating func component() throws(SyntaxError) -> [KeyPathComponent] {
    let offset = token.offset
    switch token.kind {
    case .word(let name, _):
      advance()
      return [.name(name)]
    case .collectionOperator(let name):
      advance()
      return [.collectionOperator(name)]
    case .placeholder(let conversion):
      advance()
      return try components(for: conversion, at: offset)
    case .variable(let name):
      throw failure(
        "a name is expected after the point, not “$\(name)”",
        remedy: "write $\(name) alone, and give it the whole key path as a variable of type "
          + "keyPath")
    default:
      throw unexpected("a name is expected after the point")
    }
  }

  private mutating func elementIndex() throws(SyntaxError) -> (ElementIndex, Node?) {
    let words: [String: ElementIndex] = ["FIRST": .first, "LAST": .last, "SIZE": .size]
    if let keyword = token.keyword, let index = words[keyword], token(ahead: 1).isSymbol("]") {
      advance()
      return (index, nil)
    }
    let node = try parse(.set)
    return (.at(try requireExpression(node)), node)
  }

  // MARK: Primaries

  private mutating func primary() throws(SyntaxError) -> Node {
    let offset = token.offset
    let position = SourcePosition(offset: offset)
    switch token.kind {
    case .integer(let value):
      advance()
      let constant = Int64(exactly: value).map { Constant.integer($0) } ?? .real(Double(value))
      return try node(.expression(.constant(constant, at: position)), at: offset)
    case .real(let value):
      advance()
      return try node(.expression(.constant(.real(value), at: position)), at: offset)
    case .string(let value):
      advance()
      return try node(.expression(.constant(.string(value), at: position)), at: offset)
    case .placeholder(let conversion):
      advance()
      return try node(.expression(try placeholder(conversion, at: offset)), at: offset)
    case .variable(let name):
      advance()
      guard skip(":=") else {
        return try node(.expression(.variable(name, at: position)), at: offset)
      }
      let value = try parse(.set)
      let assignment = ValueExpression.assignment(name, try requireExpression(value), at: position)
      return try node(.expression(assignment), over: [value], at: offset)
    case .collectionOperator(let name):
      advance()
      let path = ValueExpression.keyPath(nil, [.collectionOperator(name)], at: position)
      return try node(.expression(path), at: offset)
    case .symbol("("):
      return try parenthesised()
    case .symbol("{"):
      return try aggregate()
    case .word(let word, let isEscaped):
      if !isEscaped, let node = try keyword(word.uppercased(), at: offset) { return node }
      return try nameOrCall(word)
    default:
      throw unexpected("a value or a condition is expected here")
    }
  }

  private mutating func parenthesised() throws(SyntaxError) -> Node {
    let start = token.offset
    advance()
    let inner = try parse(.or)
    if token.kind == .end {
      throw failure(
        "“)” is expected to close the parenthesis, not the end",
        remedy: "the parenthesis opens at character \(start + 1)")
    }
    if token.isSymbol(",") {
      throw failure(
        "“)” is expected to close the parenthesis, not “,”",
        remedy: "put a list in braces, as in {1, 2}")
    }
    try expect(")", "to close the parenthesis")
    return inner
  }

  private mutating func aggregate() throws(SyntaxError) -> Node {
    let offset = token.offset
    advance()
    let (elements, parts) = try list(closedBy: "}")
    return try node(
      .expression(.aggregate(elements, at: SourcePosition(offset: offset))), over: parts,
      at: offset)
  }

  /// Parses values separated by commas up to a closing sign, and skips that.
  mutating func list(closedBy close: String) throws(SyntaxError) -> ([ValueExpression], [Node]) {
    var elements: [ValueExpression] = []
    var parts: [Node] = []
    if skip(close) { return (elements, parts) }
    while true {
      let part = try parse(.set)
      elements.append(try requireExpression(part))
      parts.append(part)
      if skip(close) { return (elements, parts) }
      if case .comparison? = infix {
        throw failure(
          "a condition is used where a value is expected",
          remedy: "TERNARY(condition, a, b) turns a condition into a value")
      }
      guard skip(",") else {
        throw unexpected("a comma or “\(close)” is expected here", after: part)
      }
    }
  }
}
