/// One word, number or sign of a format text.
struct Token: Hashable {
  enum Kind: Hashable {
    /// An identifier or a keyword; `isEscaped` if a `#` before it makes it an identifier.
    case word(String, isEscaped: Bool)
    /// `$name`.
    case variable(String)
    /// `@name`.
    case collectionOperator(String)
    /// `%@`, `%K`, `%ld` …, without the sign.
    case placeholder(String)
    /// Digits without a sign.
    case integer(UInt64)
    case real(Double)
    case string(String)
    /// Punctuation and operators made of signs.
    case symbol(String)
    case end
  }

  var kind: Kind
  /// The offset in scalars from the beginning of the text.
  var offset: Int

  /// The word as a keyword, in upper case; `nil` if it cannot be one.
  var keyword: String? {
    guard case .word(let text, isEscaped: false) = kind else { return nil }
    return text.uppercased()
  }

  func isSymbol(_ symbol: String) -> Bool { kind == .symbol(symbol) }

  /// The name of the token in messages.
  var described: String {
    switch kind {
    case .word(let text, _): "“\(text)”"
    case .variable(let name): "“$\(name)”"
    case .collectionOperator(let name): "“@\(name)”"
    case .placeholder(let conversion): "“%\(conversion)”"
    case .integer(let value): "the number \(value)"
    case .real(let value): "the number \(value)"
    case .string: "a text"
    case .symbol(let symbol): "“\(symbol)”"
    case .end: "the end"
    }
  }
}

/// A mistake in a format text whose location is not known yet.
struct SyntaxError: Error {
  var code = ExpressionCode.syntax
  var message: String
  var offset: Int
  var remedy: String?
}
