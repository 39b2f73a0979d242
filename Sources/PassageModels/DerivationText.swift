/// A derived attribute's expression as Core Data prints the stored expression. This text is part of
/// the version hash.
///
/// A model file writes a collection operator as a component of a key path (`pages.@count`); the
/// stored expression is a function call (`count:(pages)`).
package struct DerivationText: Sendable, Hashable {
  /// The text as printed: `primaryLabel.code`, `count:(pages)`, `now()`.
  package private(set) var printed: String
  /// Whether stores written by Core Data confirm this form.
  private(set) var isProved: Bool

  /// The collection operators of key-value coding and the corresponding functions.
  private static let functions = [
    "@count": "count", "@sum": "sum", "@avg": "average", "@min": "min", "@max": "max",
  ]

  /// The longest expression in bytes that is parsed.
  package static let maximumBytes = 64 << 10

  /// Parses a derivation expression; `nil` if it is neither a key path nor a single function call, or
  /// longer than ``maximumBytes``.
  package init?(_ expression: String) {
    guard expression.utf8.count <= Self.maximumBytes, let text = Self.compact(expression) else {
      return nil
    }
    if let open = text.firstIndex(of: "(") {
      self.init(call: text, open: open)
    } else {
      self.init(keyPath: text)
    }
  }

  /// The expression without white space; `nil` if that would join two words.
  private static func compact(_ expression: String) -> String? {
    let words = expression.split(whereSeparator: \.isWhitespace)
    func isNamePart(_ character: Character?) -> Bool {
      character.map { $0 == "_" || $0 == "@" || $0.isLetter || $0.isNumber } ?? false
    }
    for (word, next) in zip(words, words.dropFirst())
    where isNamePart(word.last) && isNamePart(next.first) {
      return nil
    }
    return words.joined()
  }

  private init?(keyPath: String) {
    let steps = keyPath.split(separator: ".", omittingEmptySubsequences: false)
    let names = steps.filter { !$0.hasPrefix("@") }
    let operators = steps.filter { $0.hasPrefix("@") }
    guard !names.isEmpty, names.allSatisfy({ String($0).isPropertyName }), operators.count <= 1
    else { return nil }
    let path = names.joined(separator: ".")
    guard let name = operators.first else {
      self.init(printed: path, isProved: true)
      return
    }
    guard let function = Self.functions[String(name)], steps.first != name else { return nil }
    self.init(printed: "\(function):(\(path))", isProved: function == "count" && names.count == 1)
  }

  /// `selector:(keyPath)`, or a selector without arguments.
  private init?(call: String, open: String.Index) {
    guard call.hasSuffix(")") else { return nil }
    let argument = String(call[call.index(after: open)...].dropLast())
    let selector = String(call[..<open])
    if argument.isEmpty {
      guard selector.isPropertyName else { return nil }
      self.init(printed: "\(selector)()", isProved: selector == "now")
      return
    }
    guard selector.hasSuffix(":"), String(selector.dropLast()).isPropertyName,
      let inner = DerivationText(keyPath: argument), !argument.contains("@")
    else { return nil }
    self.init(printed: "\(selector)(\(inner.printed))", isProved: selector == "count:")
  }

  private init(printed: String, isProved: Bool) {
    self.printed = printed
    self.isProved = isProved
  }
}

extension DerivationText {
  /// The selector of the function: `count:`, `now`; `nil` for a plain key path.
  package var selector: String? {
    printed.firstIndex(of: "(").map { String(printed[..<$0]) }
  }

  /// The name of the function, without its colon; empty for a plain key path, `nil` for a selector
  /// with several arguments.
  package var functionName: String? {
    guard let selector else { return "" }
    let name = selector.last == ":" ? selector.dropLast() : selector[...]
    return name.contains(":") ? nil : String(name)
  }

  /// The names of the key path.
  package var keyPath: [String] {
    let path =
      printed.firstIndex(of: "(").map { printed[printed.index(after: $0)...].dropLast() }
      ?? printed[...]
    return path.split(separator: ".").map(String.init)
  }
}
