import PassageDiagnostics

/// Remedies for text that was not understood.
extension FormatParser {
  /// The remedy for a misplaced word or sign.
  ///
  /// - Parameter node: what was parsed before it.
  func remedy(after node: Node?) -> String? {
    let left = node.flatMap(text) ?? "a"
    let word = token.keyword
    if let word, let remedy = remedy(forWord: word, left) { return remedy }
    if let remedy = remedyForSign(left, node) { return remedy }
    if case .word("SELECT", _)? = first { return Self.withoutClauses }
    if case .word("WHERE", _)? = first { return Self.withoutClauses }
    if word != nil, previous?.keyword == "EXISTS" { return HabitualWords.functions["exists"] }
    if let word, infix == nil,
      let suggestion = nearest(to: word, in: ReservedWords.operators)
    {
      return "did you mean \(suggestion)?"
    }
    return node.flatMap(remedy(forValue:))
  }

  /// The collection operators that are written without a point by habit; any other word after “@” may be
  /// the end of an address.
  private static let collectionOperators: Set<String> = ["avg", "count", "max", "min", "sum"]

  private static let withoutClauses = "write the condition alone, without SELECT, FROM and WHERE"

  private var first: Token.Kind? {
    guard case .word(let word, let isEscaped)? = tokens.first?.kind else { return nil }
    return .word(word.uppercased(), isEscaped: isEscaped)
  }

  private var previous: Token? { index > 0 ? tokens[index - 1] : nil }

  /// An expression as text for a message.
  private func text(_ node: Node) -> String? {
    guard case .expression(let expression) = node.content else { return nil }
    let text = expression.description
    return text.count <= 40 ? text : nil
  }

  /// The text of a key path without its last property, for a message.
  private func owner(_ node: Node) -> String? {
    guard case .expression(.keyPath(let operand, let components, _)) = node.content,
      components.count > 1 || operand != nil
    else { return nil }
    let rest = Array(components.dropLast())
    let owner = rest.isEmpty ? operand : .keyPath(operand, rest)
    return owner.map(\.description)
  }

  /// The comparison at the end of what was parsed; `nil` if something else is there.
  private func comparison(endedBy node: Node) -> Comparison? {
    guard case .predicate(var predicate) = node.content else { return nil }
    while true {
      switch predicate {
      case .comparison(let comparison): return comparison
      case .and(let parts), .or(let parts):
        guard let last = parts.last else { return nil }
        predicate = last
      case .not(let part): predicate = part
      default: return nil
      }
    }
  }

  private func remedy(forWord word: String, _ left: String) -> String? {
    let next = token(ahead: 1).keyword
    switch word {
    case "IS":
      let isNegated = next == "NOT"
      let value = isNegated ? token(ahead: 2).keyword : next
      if let value, ReservedWords.operators.contains(value) {
        return isNegated
          ? "NOT goes before the whole comparison: NOT (\(left) \(value) …)"
          : "write \(left) \(value) … without IS"
      }
      if value == "EMPTY" { return "write \(left).@count \(isNegated ? ">" : "==") 0" }
      let isNothing = value == "NULL" || value == "NIL"
      return "write \(left) \(isNegated ? "!=" : "==")\(isNothing ? " nil" : "")"
    case "NOT":
      if case .symbol(let sign) = token(ahead: 1).kind, Self.isComparison(sign) {
        return "NOT goes before the whole comparison: NOT (\(left) \(sign) …)"
      }
      guard let next else { return nil }
      if next == "NULL" || next == "NIL" { return "write \(left) != nil" }
      guard ReservedWords.operators.contains(next) else { return nil }
      return "NOT goes before the whole comparison: NOT (\(left) \(next) …)"
    case _ where HabitualWords.clauses.contains(word):
      return "write the condition alone, without \(word)"
    default:
      return HabitualWords.operators[word]?.replacing("{}", with: left)
    }
  }

  private func remedyForSign(_ left: String, _ node: Node?) -> String? {
    guard case .symbol(let sign) = token.kind else {
      guard case .collectionOperator(let name) = token.kind, let node else { return nil }
      guard let compared = comparison(endedBy: node)?.right else {
        return "put a point before it: \(left).@\(name)"
      }
      return Self.collectionOperators.contains(name)
        ? "put a point before it: \(compared).@\(name)"
        : "put a text in quotation marks, as in '\(compared)@\(name)'"
    }
    switch sign {
    case "(":
      guard case .word(let name, _)? = previous?.kind else { return nil }
      let operand = node.flatMap(owner) ?? left
      return HabitualWords.methods[name.lowercased()]?.replacing("{}", with: operand)
        ?? HabitualWords.operators[name.uppercased()]?.replacing("{}", with: operand)
        ?? "a function is called by its name alone, as in name:(\(operand))"
    case "~" where token(ahead: 1).isSymbol("="):
      return "write \(left) MATCHES for a regular expression, CONTAINS for a part"
    case "!" where token(ahead: 1).isSymbol("="): return "write != without a space"
    case "," where node?.isCondition ?? false:
      guard let comparison = node.flatMap(comparison(endedBy:)),
        [.in, .between].contains(comparison.operator)
      else { return "join conditions with AND" }
      return "put a list in braces, as in "
        + "\(comparison.left) \(comparison.operator.rawValue) {\(comparison.right), …}"
    case "*" where previous?.isSymbol("(") ?? false:
      return "write collection.@count for the number of its elements"
    case "[": return "leave out the brackets of a name, and put a list in braces, as in {1, 2}"
    case "." where node == nil: return "write 0 before the point of a number"
    case "+" where node == nil: return "leave out the plus"
    case "/" where previous?.isSymbol("/") ?? false, "*" where previous?.isSymbol("/") ?? false:
      return "there are no comments"
    case ">" where previous?.isSymbol("-") ?? false:
      return "the properties of an object follow a point, as in owner.name"
    case "||":
      return "compare \(left) with something; texts are joined by concatenate(a, b)"
    default:
      guard case .comparison? = infix, node == nil else { return nil }
      switch previous?.kind {
      case .symbol(let before) where Self.isComparison(before):
        return "write one sign: ==, !=, <, <=, > or >="
      default: return "write what is compared on both sides of AND, as in a >= 1 AND a <= 9"
      }
    }
  }

  /// The remedy for a value where a condition is required.
  private func remedy(forValue node: Node) -> String? {
    guard case .expression(let expression) = node.content else { return nil }
    switch expression {
    case .keyPath:
      let name = text(node) ?? "name"
      return "compare it, as in “\(name) == YES” or “\(name) != nil”"
    case .constant(.boolean(let value), _): return "write \(value ? "TRUE" : "FALSE")PREDICATE"
    case .constant:
      return "write what is compared in each condition, as in a == 1 OR a == 2, or a IN {1, 2}"
    case .function(nil, let selector, _, _):
      let name = selector.prefix { $0 != ":" }.lowercased()
      return HabitualWords.functions[name] ?? "compare its value, as in \(text(node) ?? "a") != nil"
    default: return nil
    }
  }

  /// The failure of ANY, ALL or NONE after the operator of a comparison. What follows it is parsed to
  /// write the condition anew.
  ///
  /// - Parameter comparison: the comparison, whose right side was not parsed yet.
  mutating func misplaced(
    _ modifier: Comparison.Modifier, beside comparison: Comparison
  ) -> SyntaxError {
    let offset = token.offset
    let word = modifier.rawValue
    advance()
    var condition: ObjectPredicate?
    if let next = try? parse(Level.comparison.tighter),
      case .expression(let collection) = next.content
    {
      var comparison = comparison
      comparison.right = collection
      condition = turned(comparison, modifier)
    }
    return SyntaxError(
      message: "\(word) stands before a comparison, not after its operator", offset: offset,
      remedy: condition.map { "write \($0)" })
  }

  /// The condition that a comparison holds for the elements of the collection on its right; `nil` if
  /// it is not clear what is meant.
  private func turned(
    _ comparison: Comparison, _ modifier: Comparison.Modifier
  ) -> ObjectPredicate? {
    if comparison.modifier == .direct, let mirrored = comparison.operator.mirrored {
      return .comparison(
        Comparison(
          comparison.right, mirrored, comparison.left, options: comparison.options,
          modifier: modifier))
    }
    let names = ["x", "y", "z"]
    guard modifier == .any, [.direct, .any].contains(comparison.modifier),
      ![.in, .between].contains(comparison.operator),
      let name = names.first(where: { name in !tokens.contains { $0.kind == .variable(name) } })
    else { return nil }
    var inner = comparison
    inner.right = .variable(name)
    return .hasElement(comparison.right, name, inner)
  }

  /// The remedy for a condition on the left of a comparison.
  func remedy(forCompared predicate: ObjectPredicate) -> String {
    guard case .comparison(let comparison) = predicate else {
      return "join conditions with AND or OR"
    }
    if case .function(nil, let selector, _, _) = comparison.right,
      selector == "bitwiseAnd:with:" || selector == "bitwiseOr:with:"
    {
      return "join conditions with AND or OR, && or ||; & and | are for the bits of numbers"
    }
    return "join conditions with AND or OR, as in a > 1 AND a < 9, or write a BETWEEN {1, 9}"
  }
}
