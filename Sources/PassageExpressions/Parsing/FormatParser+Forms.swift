extension FormatParser {
  /// A form that begins with a keyword; `nil` if the word is a name here.
  mutating func keyword(_ word: String, at offset: Int) throws(SyntaxError) -> Node? {
    let position = SourcePosition(offset: offset)
    switch word {
    case "NULL", "NIL": return try constant(.null, at: offset)
    case "TRUE", "YES": return try constant(.boolean(true), at: offset)
    case "FALSE", "NO": return try constant(.boolean(false), at: offset)
    case "SELF":
      advance()
      return try node(.expression(.selfObject(at: position)), at: offset)
    case "TRUEPREDICATE", "FALSEPREDICATE":
      advance()
      return try node(.predicate(.truth(word == "TRUEPREDICATE")), at: offset)
    case "SUBQUERY", "FETCH", "CAST", "FUNCTION", "TERNARY":
      if token(ahead: 1).isSymbol("(") { return try form(word, at: offset) }
    default: break
    }
    guard ReservedWords.reserved.contains(word) else { return nil }
    throw unexpectedReservedWord()
  }

  private func unexpectedReservedWord() -> SyntaxError {
    guard case .word(let text, _) = token.kind else {
      return failure("a value or a condition is expected here")
    }
    let isCalled = token(ahead: 1).isSymbol("(")
    let isOperator = ReservedWords.operators.contains(text.uppercased())
    return failure(
      "a value or a condition is expected here, not the reserved word “\(text)”",
      remedy: isCalled && isOperator
        ? "put it between two values, as in a \(text.uppercased()) b"
        : "write #\(text) for a property of that name")
  }

  private mutating func constant(_ constant: Constant, at offset: Int) throws(SyntaxError) -> Node {
    advance()
    let expression = ValueExpression.constant(constant, at: SourcePosition(offset: offset))
    return try node(.expression(expression), at: offset)
  }

  private mutating func form(_ word: String, at offset: Int) throws(SyntaxError) -> Node {
    advance()
    advance()
    switch word {
    case "TERNARY": return try ternary(at: offset)
    case "SUBQUERY": return try subquery(at: offset)
    default: break
    }
    let (arguments, parts) = try list(closedBy: ")")
    let expression: ValueExpression =
      switch word {
      case "CAST": try cast(arguments, at: offset)
      case "FETCH": try fetch(arguments, at: offset)
      default: try function(arguments, at: offset)
      }
    return try node(.expression(expression), over: parts, at: offset)
  }

  private mutating func ternary(at offset: Int) throws(SyntaxError) -> Node {
    let condition = try parse(.or)
    let predicate = try requirePredicate(condition)
    try expect(",", "after the condition of TERNARY")
    let (branches, parts) = try list(closedBy: ")")
    guard branches.count == 2 else {
      throw arity("TERNARY", "a condition and two values", at: offset)
    }
    let expression = ValueExpression.conditional(
      predicate, then: branches[0], otherwise: branches[1], at: SourcePosition(offset: offset))
    return try node(.expression(expression), over: [condition] + parts, at: offset)
  }

  private mutating func subquery(at offset: Int) throws(SyntaxError) -> Node {
    let collection = try parse(.set)
    let expression = try requireExpression(collection)
    try expect(",", "after the collection of SUBQUERY")
    guard case .variable(let name) = token.kind else {
      var remedy: String?
      if case .word(let name, _) = token.kind { remedy = "write $\(name)" }
      throw failure(
        "a variable such as $x is expected here, not \(token.described)", remedy: remedy)
    }
    advance()
    try expect(",", "after the variable of SUBQUERY")
    let condition = try parse(.or)
    let predicate = try requirePredicate(condition)
    try expect(")", "to close SUBQUERY")
    return try node(
      .expression(
        .subquery(expression, variable: name, predicate, at: SourcePosition(offset: offset))),
      over: [collection, condition], at: offset)
  }

  private func cast(_ arguments: [ValueExpression], at offset: Int) throws(SyntaxError)
    -> ValueExpression
  {
    if arguments.count == 2, case .keyPath(nil, let components, _) = arguments[1],
      case .name(let name)? = components.first, components.count == 1
    {
      throw SyntaxError(
        message: "CAST takes a value and the name of a class in quotation marks", offset: offset,
        remedy: "write CAST(\(arguments[0]), \"\(name)\")")
    }
    guard arguments.count == 2, case .constant(.string, _) = arguments[1] else {
      throw arity("CAST", "a value and the name of a class in quotation marks", at: offset)
    }
    return .function(
      target: nil, selector: "castObject:toType:", arguments: arguments,
      at: SourcePosition(offset: offset))
  }

  private func fetch(_ arguments: [ValueExpression], at offset: Int) throws(SyntaxError)
    -> ValueExpression
  {
    guard arguments.count == 3, case .constant(.boolean(let countOnly), _) = arguments[2] else {
      throw arity("FETCH", "a request, a context and YES or NO", at: offset)
    }
    return .fetch(
      arguments[0], context: arguments[1], countOnly: countOnly,
      at: SourcePosition(offset: offset))
  }

  private func function(_ arguments: [ValueExpression], at offset: Int) throws(SyntaxError)
    -> ValueExpression
  {
    guard arguments.count >= 2, case .constant(.string(let selector), _) = arguments[1] else {
      throw arity("FUNCTION", "a target, a selector in quotation marks and arguments", at: offset)
    }
    return .function(
      target: arguments[0], selector: selector, arguments: Array(arguments.dropFirst(2)),
      at: SourcePosition(offset: offset))
  }

  private func arity(_ form: String, _ takes: String, at offset: Int) -> SyntaxError {
    SyntaxError(message: "\(form) takes \(takes)", offset: offset)
  }

  // MARK: Names and calls

  /// A property's name, or a call of a predefined function: `now()`, `sum(a)`,
  /// `multiply:by:(a, b)`.
  mutating func nameOrCall(_ word: String) throws(SyntaxError) -> Node {
    let offset = token.offset
    var position = SourcePosition(offset: offset)
    advance()
    var selector = word
    while token.isSymbol(":") {
      advance()
      selector += ":"
      if case .word(let part, _) = token.kind, token(ahead: 1).isSymbol(":") {
        advance()
        selector += part
      }
    }
    let hasColon = selector.count > word.count
    guard skip("(") else {
      guard !hasColon else { throw unexpected("“(” is expected after “\(selector)”") }
      position.componentOffsets = [offset]
      return try node(.expression(.keyPath(nil, [.name(word)], at: position)), at: offset)
    }
    let (arguments, parts) = try list(closedBy: ")")
    if !hasColon, !arguments.isEmpty { selector += ":" }
    let call = ValueExpression.function(
      target: nil, selector: selector, arguments: arguments, at: position)
    return try node(.expression(call), over: parts, at: offset)
  }
}
