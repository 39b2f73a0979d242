import PassageDiagnostics

/// Tries what a remedy would propose, so that it proposes only what can be bound.
extension BindingPass {
  /// Whether remedies are tried. A trial binds a comparison once more, and whoever made many mistakes corrects the
  /// first ones.
  var canTry: Bool { !isTrial && diagnostics.errorCount < 50 }

  /// Whether a condition can be bound in this place.
  func canBind(_ predicate: ObjectPredicate) -> Bool {
    var trial = trial
    _ = trial.condition(predicate)
    return !trial.diagnostics.hasErrors
  }

  /// The type of an expression's value, or of each of its elements; `nil` if it cannot be bound.
  func boundType(of expression: ValueExpression) -> ValueType? {
    var trial = trial
    let type =
      switch trial.meaning(expression) {
      case .value(let operand): operand.type
      case .collection(let collection): collection.type
      }
    return trial.diagnostics.hasErrors ? nil : type
  }

  /// The text, if it is an expression whose value can be compared with one of the type.
  func proposal(_ text: String, beside other: ValueType) -> String? {
    guard canTry, let tree = Self.parsed(text), let type = boundType(of: tree),
      isComparable(type, other)
    else { return nil }
    return text
  }

  /// A property of a value as a text that a remedy can propose.
  func property(_ name: String, ofValue operand: Operand, beside other: ValueType) -> String? {
    guard let tree = Self.parsed(operand.text) else { return nil }
    return proposal(
      FormatPrinter.expression(tree, in: .postfix) + "." + name, beside: other)
  }

  static func parsed(_ text: String) -> ValueExpression? {
    try? FormatParser.expression(text)
  }

  private var trial: BindingPass {
    var trial = self
    trial.diagnostics = Diagnostics()
    trial.isTrial = true
    return trial
  }
}
