/// Divides a format text into tokens.
///
/// Rules: Predicate Programming Guide, "Predicate Format String Syntax". White space only separates
/// tokens. Words may contain letters, digits, `_` and backslash escapes.
struct Lexer {
  let scalars: [Unicode.Scalar]
  var position = 0

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  /// All tokens of the text, ``Token/Kind/end`` last.
  static func tokens(of text: String) throws(SyntaxError) -> [Token] {
    var lexer = Lexer(text)
    var tokens: [Token] = []
    repeat { tokens.append(try lexer.next()) } while tokens.last?.kind != .end
    return tokens
  }

  /// The symbols, longest first.
  private static let symbols = [
    "==", "=<", "=>", "!=", "<>", "<=", ">=", "<<", ">>", "**", "&&", "||", ":=", "=", "<", ">",
    "!", "+", "-", "*", "/", "&", "|", "^", "~", "(", ")", "{", "}", "[", "]", ",", ".", ":",
  ].map { Array($0.unicodeScalars) }

  private mutating func next() throws(SyntaxError) -> Token {
    while let scalar = peek, scalar.properties.isWhitespace { position += 1 }
    let start = position
    return Token(kind: try kind(), offset: start)
  }

  private mutating func kind() throws(SyntaxError) -> Token.Kind {
    let start = position
    guard let scalar = peek else { return .end }
    switch scalar {
    case "\"", "'":
      position += 1
      return .string(try quoted(by: scalar, from: start))
    case "0"..."9":
      return try number()
    case "%":
      position += 1
      return .placeholder(try conversion(from: start))
    case "$", "@", "#":
      position += 1
      guard let name = try word() else {
        // Literals of Objective-C begin like this.
        let isLiteral = peek.map { "\"'0123456789({[".unicodeScalars.contains($0) } ?? false
        throw SyntaxError(
          message: "a name is expected after “\(scalar)”", offset: position,
          remedy: isLiteral && scalar == "@" ? "write the value without “@”" : nil)
      }
      if scalar == "$" { return .variable(name) }
      return scalar == "@" ? .collectionOperator(name) : .word(name, isEscaped: true)
    default:
      if let name = try word() {
        return .word(name + typeOperatorSuffix(after: name), isEscaped: false)
      }
      for symbol in Self.symbols where scalars[position...].starts(with: symbol) {
        position += symbol.count
        return .symbol(String(String.UnicodeScalarView(symbol)))
      }
      throw SyntaxError(
        message: "the character “\(scalar)” has no meaning here", offset: position,
        remedy: HabitualWords.characters[scalar])
    }
  }

  /// The rest of `UTI-CONFORMS-TO` and `UTI-EQUALS`, the only words with a hyphen.
  private mutating func typeOperatorSuffix(after name: String) -> String {
    guard name.uppercased() == "UTI" else { return "" }
    for suffix in ["-CONFORMS-TO", "-EQUALS"] {
      let end = position + suffix.unicodeScalars.count
      guard end <= scalars.count else { continue }
      let text = String(String.UnicodeScalarView(scalars[position..<end])).uppercased()
      let isBoundary = end == scalars.count || !WordLetters.areInside(scalars[end])
      if text == suffix, isBoundary {
        position = end
        return suffix
      }
    }
    return ""
  }

  /// Reads a printf conversion after its `%`.
  private mutating func conversion(from start: Int) throws(SyntaxError) -> String {
    var text = String.UnicodeScalarView()
    while let scalar = peek, "hlqzt".unicodeScalars.contains(scalar), text.count < 2 {
      text.append(scalar)
      position += 1
    }
    let allowed = text.isEmpty ? "@KdDiuUxXoOfFeEgGaAcCsSp" : "diuxXofFeEgGaA"
    guard let scalar = peek, allowed.unicodeScalars.contains(scalar) else {
      throw SyntaxError(
        message: "a conversion is expected after “%”", offset: start,
        remedy:
          "write %@ for a value, %K for a key path, %ld or %f for a number; the remainder of a division is modulus:by:(a, b)"
      )
    }
    text.append(scalar)
    position += 1
    return String(text)
  }

  // MARK: Words

  /// Reads a word at the current position; `nil` if none begins there.
  private mutating func word() throws(SyntaxError) -> String? {
    guard let first = peek, WordLetters.begin(first) || first == "\\" else { return nil }
    var name = String.UnicodeScalarView()
    while let scalar = peek {
      if scalar == "\\" {
        name.append(try escape())
      } else if WordLetters.areInside(scalar) {
        name.append(scalar)
        position += 1
      } else {
        break
      }
    }
    return String(name)
  }

  var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }
}
