import PassageDiagnostics
import PassageModels
import PassagePlatform
import PassageValues

extension BindingPass {
  /// Both sides of a comparison, converted to comparable types and folded according to the options.
  mutating func pair(
    _ left: Operand, _ right: Operand, _ comparison: Comparison
  ) -> (Operand, Operand) {
    var operands = [left, right]
    unify(&operands, comparison)
    warnOfRange(operands, comparison)
    return (operands[0], operands[1])
  }

  /// Converts the constants among the operands to the type of the others, and reports operands that
  /// cannot be compared with the first.
  mutating func unify(_ operands: inout [Operand], _ comparison: Comparison) {
    let typed = operands.first(where: { $0.constant == nil }) ?? operands.first
    guard let typed else { return }
    for index in operands.indices {
      operands[index] = adapt(operands[index], to: typed.type)
    }
    simplifyNamedObjects(&operands)
    for operand in operands.dropFirst() where !isComparable(operands[0].type, operand.type) {
      report(
        ExpressionCode.wrongType,
        "“\(operands[0].text)” is \(operands[0].type.described) and “\(operand.text)” is \(operand.type.described)",
        at: operand.position, reason: "values of different types cannot be compared",
        remedy: remedy(forComparing: operands[0], with: operand))
    }
    if !comparison.options.isDisjoint(with: [.caseInsensitive, .diacriticInsensitive]) {
      for index in operands.indices {
        guard operands[index].type.isText else {
          report(
            ExpressionCode.wrongType,
            "the options [c] and [d] are for texts, but “\(operands[index].text)” is "
              + "\(operands[index].type.described)",
            at: operands[index].position)
          continue
        }
        operands[index] = folded(operands[index], comparison)
      }
    }
  }

  func isComparable(_ a: ValueType, _ b: ValueType) -> Bool {
    if a == .null || b == .null || a == .any || b == .any { return true }
    if case .object(let left) = a, case .object(let right) = b {
      // Keys are unique within one table, and a table belongs to a root entity.
      return root(left) == root(right)
    }
    if a == .opaque || b == .opaque { return false }
    return a == b || (a.isNumber && b.isNumber) || (a.isText && b.isText)
  }

  private func root(_ entityName: String) -> String {
    scope.model.entity(named: entityName).map { scope.model.root(of: $0).name } ?? entityName
  }

  // MARK: Warnings

  /// Warns of a comparison of two constants. Usually a property name was put in quotation marks.
  mutating func warnOfConstants(_ left: Operand, _ right: Operand, _ comparison: Comparison) {
    guard !isListExpanded, let a = left.constant, let b = right.constant, left.type != .any,
      right.type != .any
    else { return }
    let holds = Value.isSame(a, b) == (comparison.operator == .equal)
    let name = [a, b].compactMap(\.string).first { name in
      scope.model.attribute(name, of: scope.entity) != nil
        || scope.model.relationship(name, of: scope.entity) != nil
    }
    neverVaries(
      "two constants are compared: this \(holds ? "always" : "never") holds", comparison,
      remedy: name.flatMap { property(named: $0, beside: .any) }
        .map { "write \($0) without quotation marks for the property" })
  }

  /// Warns of a pattern with SQL's wildcards.
  mutating func warnOfPattern(_ pattern: Operand, _ comparison: Comparison) {
    guard let text = pattern.constant?.string, !text.contains("*"), !text.contains("?"),
      text.hasPrefix("%") || text.hasSuffix("%")
    else { return }
    let meant = text.replacingScalars { $0 == "%" ? "*" : $0 == "_" ? "?" : nil }
    report(
      ExpressionCode.otherwiseMeant, "“%” is an ordinary character in a pattern of LIKE",
      at: comparison.right.position, severity: .warning,
      remedy: "write * for any text and ? for one character, as in “\(meant)”")
  }

  /// Warns of a list of one element that is written as a text.
  mutating func warnOfText(_ whole: Operand, _ part: Operand, _ comparison: Comparison) {
    guard comparison.operator == .in, whole.constant?.string != nil, part.constant == nil else {
      return
    }
    report(
      ExpressionCode.otherwiseMeant, "“\(part.text)” is searched for as a part of a text",
      at: comparison.position, severity: .warning,
      remedy: "write IN {\(whole.text)} for an element of a list")
  }

  mutating func neverVaries(
    _ message: String, _ comparison: Comparison, remedy: String? = nil
  ) {
    report(
      ExpressionCode.neverVaries, message, at: comparison.position, severity: .warning,
      remedy: remedy)
  }

  mutating func warnOfNil(_ operands: [Operand], _ comparison: Comparison) {
    if operands.contains(where: { $0.type == .null }) {
      neverVaries("nothing is less or greater than nil: this never holds", comparison)
    }
  }
}
