extension ObjectPredicate: CustomStringConvertible {
  /// The predicate in the format language. Parsing the text gives this tree again.
  package var description: String { FormatPrinter.predicate(self) }
}

extension ValueExpression: CustomStringConvertible {
  /// The expression in the format language. Parsing the text gives this tree again.
  package var description: String { FormatPrinter.expression(self, in: .set) }
}

/// Prints trees as text, with parentheses where they are necessary.
enum FormatPrinter {
  typealias Level = OperatorLevel

  // MARK: Predicates

  static func predicate(_ predicate: ObjectPredicate) -> String {
    switch predicate {
    case .truth(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .and(let parts): compound(parts, " AND ", empty: "TRUEPREDICATE")
    case .or(let parts): compound(parts, " OR ", empty: "FALSEPREDICATE")
    case .not(let operand): "NOT " + parenthesised(operand)
    case .comparison(let comparison): self.comparison(comparison)
    }
  }

  private static func compound(_ parts: [ObjectPredicate], _ word: String, empty: String) -> String
  {
    parts.isEmpty ? empty : parts.map(parenthesised).joined(separator: word)
  }

  private static func parenthesised(_ predicate: ObjectPredicate) -> String {
    switch predicate {
    case .and, .or: "(\(self.predicate(predicate)))"
    default: self.predicate(predicate)
    }
  }

  private static func comparison(_ comparison: Comparison) -> String {
    let letters = ComparisonOptions.letters.filter { comparison.options.contains($0.option) }
      .map { String($0.letter) }.joined()
    let modifier = comparison.modifier == .direct ? "" : comparison.modifier.rawValue + " "
    return modifier + expression(comparison.left, in: .set) + " " + comparison.operator.rawValue
      + (letters.isEmpty ? "" : "[\(letters)]") + " " + expression(comparison.right, in: .set)
  }

  // MARK: Expressions

  /// The expression as an operand of an operator of this level.
  static func expression(_ expression: ValueExpression, in level: Level) -> String {
    let (text, own) = print(expression)
    return own >= level ? text : "(\(text))"
  }

  private static func print(_ expression: ValueExpression) -> (String, Level) {
    switch expression {
    case .constant(let constant, _): return self.constant(constant)
    case .selfObject: return ("SELF", .primary)
    case .variable(let name, _): return (variable(name), .primary)
    case .placeholder(let conversion, _): return ("%" + conversion, .primary)
    case .keyPath(let operand, let components, _): return (keyPath(operand, components), .postfix)
    case .function(let target, let selector, let arguments, _):
      return function(target, selector, arguments)
    case .aggregate(let elements, _): return ("{\(list(elements))}", .primary)
    case .conditional(let predicate, let then, let otherwise, _):
      return ("TERNARY(\(self.predicate(predicate)), \(list([then, otherwise])))", .primary)
    case .subquery(let collection, let variable, let predicate, _):
      let parts = [list([collection]), self.variable(variable), self.predicate(predicate)]
      return ("SUBQUERY(\(parts.joined(separator: ", ")))", .primary)
    case .fetch(let request, let context, let countOnly, _):
      return ("FETCH(\(list([request, context])), \(countOnly ? "YES" : "NO"))", .primary)
    case .set(let set, let left, let right, _):
      return (infix(left, set.rawValue, right, .set), .set)
    case .element(let collection, let index, _):
      return ("\(self.expression(collection, in: .postfix))[\(self.index(index))]", .postfix)
    case .assignment(let name, let value, _):
      return ("(\(variable(name)) := \(list([value])))", .primary)
    }
  }

  private static func constant(_ constant: Constant) -> (String, Level) {
    switch constant {
    case .null: ("nil", .primary)
    case .boolean(let value): (value ? "YES" : "NO", .primary)
    // A point after a number would be read as part of it, so a number cannot begin a path.
    case .integer(let value): (String(value), .unary)
    case .real(let value): (String(value), .unary)
    case .string(let value): (quoted(value), .primary)
    }
  }

  private static func function(
    _ target: ValueExpression?, _ selector: String, _ arguments: [ValueExpression]
  ) -> (String, Level) {
    if let target {
      let rest = arguments.isEmpty ? "" : ", " + list(arguments)
      return ("FUNCTION(\(list([target])), \(quoted(selector))\(rest))", .primary)
    }
    if arguments.count == 2,
      let sign = Level.functions.first(where: { $0.selector == selector })
    {
      return (infix(arguments[0], sign.symbol, arguments[1], sign.level), sign.level)
    }
    if arguments.count == 1, selector == "negate:" || selector == "onesComplement:" {
      let sign = selector == "negate:" ? "-" : "~"
      if case .constant = arguments[0] { return ("\(sign)(\(list(arguments)))", .unary) }
      return (sign + expression(arguments[0], in: .unary), .unary)
    }
    if selector == "castObject:toType:", arguments.count == 2,
      case .constant(.string, _) = arguments[1]
    {
      return ("CAST(\(list(arguments)))", .primary)
    }
    let name = selector.split(separator: ":", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : word(String($0)) }.joined(separator: ":")
    return ("\(name)(\(list(arguments)))", .primary)
  }

  private static func infix(
    _ left: ValueExpression, _ sign: String, _ right: ValueExpression, _ level: Level
  ) -> String {
    "\(expression(left, in: level)) \(sign) \(expression(right, in: level.tighter))"
  }

  private static func list(_ expressions: [ValueExpression]) -> String {
    expressions.map { expression($0, in: .set) }.joined(separator: ", ")
  }

  private static func index(_ index: ElementIndex) -> String {
    switch index {
    case .first: "FIRST"
    case .last: "LAST"
    case .size: "SIZE"
    case .at(let expression): self.expression(expression, in: .set)
    }
  }

  // MARK: Names and texts

  private static func keyPath(_ operand: ValueExpression?, _ components: [KeyPathComponent])
    -> String
  {
    let names = components.map { component in
      switch component {
      case .name(let name): word(name)
      case .collectionOperator(let name): "@" + word(name, isReservable: false)
      case .placeholder(let conversion): "%" + conversion
      }
    }
    let start = operand.map { [expression($0, in: .postfix)] } ?? []
    return (start + names).joined(separator: ".")
  }

  /// After the sign, no word is reserved.
  private static func variable(_ name: String) -> String { "$" + word(name, isReservable: false) }

  /// A name in the notation of the grammar: `#` before reserved words, escapes for other
  /// characters.
  private static func word(_ name: String, isReservable: Bool = true) -> String {
    var text = isReservable && ReservedWords.all.contains(name.uppercased()) ? "#" : ""
    for (index, scalar) in name.unicodeScalars.enumerated() {
      let isPlain =
        index == 0 ? WordLetters.begin(scalar) : WordLetters.areInside(scalar)
      text += isPlain ? String(scalar) : escape(scalar)
    }
    return text
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case "\r": quoted += "\\r"
      default: quoted += scalar.value < 0x20 ? escape(scalar) : String(scalar)
      }
    }
    return quoted + "\""
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    String(scalar).utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }
}
