package import PassageDiagnostics

/// Parses the format language of NSPredicate and NSExpression into trees.
///
/// One grammar is used for both (Predicate Programming Guide, "Predicate Format String Syntax").
/// Values and conditions are parsed by one operator-precedence parser, so that `(a + 1) * 2 > b`
/// and `(a > 1) AND b == 2` need no backtracking. From lowest to highest precedence: `OR`, `AND`,
/// `NOT`, comparisons, `UNION INTERSECT MINUS`, `& | ^ << >>`, `+ -`, `* /`, `**`, unary `- ~`,
/// then `.` and `[…]`. Operators of one level are left-associative.
package struct FormatParser {
  /// The words, in capital letters, that cannot be the name of a property without a `#` before them.
  package static var reservedWords: Set<String> { ReservedWords.reserved }

  /// The longest text in bytes.
  package static let maximumBytes = 64 << 10
  /// The deepest tree in levels.
  package static let maximumDepth = 50

  let tokens: [Token]
  var index = 0
  var nesting = 0
  /// The values of the placeholders that were not read yet; `nil` to keep placeholders in the tree.
  var arguments: ArraySlice<PredicateArgument>?

  /// Parses a condition.
  ///
  /// ```swift
  /// try FormatParser.predicate("%K == %@ AND age > %ld", arguments: [.keyPath("owner.name"), "Ann", 5])
  /// ```
  ///
  /// - Parameters:
  ///   - text: the format text.
  ///   - arguments: the values of its placeholders, in their order; `nil` to keep the placeholders
  ///     in the tree. `%K` accepts a key path, `%@` any value, the conversions of `printf` numbers
  ///     or, for `%s`, a text. Between quotation marks there are no placeholders.
  ///   - location: the location of the text; for a text in a JSON file, its opening quotation mark.
  /// - Throws: `PRE-001` for a text that is not a condition, `PRE-002` for one that is too long or
  ///   too deep, `PRE-003` for arguments that do not match the placeholders. The location is that
  ///   of the character.
  package static func predicate(
    _ text: String, arguments: [PredicateArgument]? = nil, at location: SourceLocation? = nil
  ) throws(Diagnostics) -> ObjectPredicate {
    try parse(text, arguments, at: location) { parser throws(SyntaxError) in
      let node = try parser.whole()
      return try parser.requirePredicate(node)
    }
  }

  /// Parses a value expression. Parameters and errors are those of ``predicate(_:arguments:at:)``.
  package static func expression(
    _ text: String, arguments: [PredicateArgument]? = nil, at location: SourceLocation? = nil
  ) throws(Diagnostics) -> ValueExpression {
    try parse(text, arguments, at: location) { parser throws(SyntaxError) in
      let node = try parser.whole()
      return try parser.requireExpression(node)
    }
  }

  private static func parse<Tree>(
    _ text: String, _ arguments: [PredicateArgument]?, at location: SourceLocation?,
    _ read: (inout FormatParser) throws(SyntaxError) -> Tree
  ) throws(Diagnostics) -> Tree {
    do throws(SyntaxError) {
      guard text.utf8.count <= maximumBytes else {
        throw SyntaxError(
          code: ExpressionCode.limit, message: "the text is longer than \(maximumBytes) bytes",
          offset: 0)
      }
      var parser = FormatParser(tokens: try Lexer.tokens(of: text), arguments: arguments)
      let tree = try read(&parser)
      try parser.requireAllArgumentsUsed()
      return tree
    } catch {
      throw Diagnostics([error.diagnostic(at: location)])
    }
  }

  private init(tokens: [Token], arguments: [PredicateArgument]?) {
    self.tokens = tokens
    self.arguments = arguments?[...]
  }

  /// The result of parsing. Values and conditions share the operators and the parentheses.
  struct Node {
    enum Content {
      case expression(ValueExpression)
      case predicate(ObjectPredicate)
    }

    var content: Content
    /// The number of levels of the tree.
    var depth: Int
    /// The offset at which it begins.
    var offset: Int

    var isCondition: Bool {
      if case .predicate = content { true } else { false }
    }
  }

  private mutating func whole() throws(SyntaxError) -> Node {
    if token.kind == .end { throw failure("the text is empty") }
    let node = try parse(.or)
    guard token.kind == .end else {
      throw unexpected("an operator or the end is expected here", after: node)
    }
    return node
  }

  // MARK: Tokens

  /// The current token. The last one is ``Token/Kind/end``, which is never skipped.
  var token: Token { tokens[min(index, tokens.count - 1)] }

  func token(ahead count: Int) -> Token { tokens[min(index + count, tokens.count - 1)] }

  mutating func advance() { index = min(index + 1, tokens.count - 1) }

  mutating func skip(_ symbol: String) -> Bool {
    guard token.isSymbol(symbol) else { return false }
    advance()
    return true
  }

  mutating func expect(_ symbol: String, _ place: String) throws(SyntaxError) {
    guard skip(symbol) else { throw unexpected("“\(symbol)” is expected \(place)") }
  }

  // MARK: Depth and kinds

  /// Runs a parsing function one level deeper.
  mutating func nested<Result>(
    _ read: (inout FormatParser) throws(SyntaxError) -> Result
  ) throws(SyntaxError) -> Result {
    nesting += 1
    defer { nesting -= 1 }
    guard nesting <= 2 * Self.maximumDepth else { throw tooDeep(at: token.offset) }
    return try read(&self)
  }

  func node(
    _ content: Node.Content, over parts: [Node] = [], at offset: Int
  ) throws(SyntaxError) -> Node {
    let depth = 1 + (parts.map(\.depth).max() ?? 0)
    guard depth <= Self.maximumDepth else { throw tooDeep(at: offset) }
    return Node(content: content, depth: depth, offset: offset)
  }

  private func tooDeep(at offset: Int) -> SyntaxError {
    SyntaxError(
      code: ExpressionCode.limit,
      message: "the text is nested more than \(Self.maximumDepth) levels deep", offset: offset)
  }

  func requirePredicate(_ node: Node) throws(SyntaxError) -> ObjectPredicate {
    switch node.content {
    case .predicate(let predicate): return predicate
    case .expression:
      throw unexpected("a comparison operator is expected after the value", after: node)
    }
  }

  func requireExpression(_ node: Node) throws(SyntaxError) -> ValueExpression {
    switch node.content {
    case .expression(let expression): return expression
    case .predicate:
      throw SyntaxError(
        message: "a condition is used where a value is expected", offset: node.offset,
        remedy: "TERNARY(condition, YES, NO) turns a condition into a value")
    }
  }

  // MARK: Failures

  func failure(_ message: String, remedy: String? = nil) -> SyntaxError {
    SyntaxError(message: message, offset: token.offset, remedy: remedy)
  }

  /// A failure at the current token that names the token and suggests a remedy.
  func unexpected(_ message: String, after node: Node? = nil) -> SyntaxError {
    failure("\(message), not \(token.described)", remedy: remedy(after: node))
  }
}

extension SyntaxError {
  /// The diagnostic at the mistake's character. The text begins after its opening quotation mark.
  func diagnostic(at location: SourceLocation?) -> Diagnostic {
    let place = location == nil ? " (character \(offset + 1))" : ""
    return Diagnostic(
      code, message + place, at: location?.advanced(by: offset + 1), remedy: remedy)
  }
}
