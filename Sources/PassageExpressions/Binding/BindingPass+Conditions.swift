import PassageDiagnostics
import PassageValues

extension BindingPass {
  /// Binds one condition.
  mutating func condition(_ predicate: Predicate) -> BoundCondition {
    switch predicate {
    case .truth(let value): return .truth(value)
    case .and(let parts): return .and(parts.map { condition($0) })
    case .or(let parts): return .or(parts.map { condition($0) })
    case .not(let operand): return .not(condition(operand))
    case .comparison(let comparison): return self.comparison(comparison)
    }
  }

  private mutating func comparison(_ comparison: Comparison) -> BoundCondition {
    guard comparison.modifier != .direct else { return direct(comparison) }
    guard case .aggregate(let elements, _) = comparison.left else {
      _ = unsupported(comparison.modifier.rawValue, comparison.left)
      return .truth(false)
    }
    let parts = elements.map { element in
      var part = comparison
      part.modifier = .direct
      part.left = element
      return direct(part)
    }
    return switch comparison.modifier {
    case .all: .and(parts)
    case .none: .not(.or(parts))
    default: .or(parts)
    }
  }

  private mutating func direct(_ comparison: Comparison) -> BoundCondition {
    if comparison.options.contains(.localeSensitive) {
      report(
        ExpressionCode.localeIgnored, "the option [l] has no effect", at: comparison.position,
        severity: .warning,
        reason: "a migration gives the same store wherever it runs, so no locale is asked")
    }
    switch comparison.operator {
    case .equal, .notEqual:
      let (left, right) = pair(comparison)
      let condition = BoundCondition.equal(left.node, right.node)
      return comparison.operator == .equal ? condition : .not(condition)
    case .less: return ordered(.less, comparison)
    case .lessOrEqual: return ordered(.lessOrEqual, comparison)
    case .greater: return ordered(.greater, comparison)
    case .greaterOrEqual: return ordered(.greaterOrEqual, comparison)
    case .between: return between(comparison)
    case .in: return isIn(comparison.left, comparison.right, comparison)
    case .contains:
      if case .aggregate = comparison.left {
        return isIn(comparison.right, comparison.left, comparison)
      }
      return text(.contains, comparison.left, comparison.right, comparison)
    case .beginsWith: return text(.beginsWith, comparison.left, comparison.right, comparison)
    case .endsWith: return text(.endsWith, comparison.left, comparison.right, comparison)
    case .like: return text(.like, comparison.left, comparison.right, comparison)
    case .matches: return matches(comparison)
    case .typeConformsTo, .typeEquals:
      report(
        ExpressionCode.unsupported, "\(comparison.operator.rawValue) cannot be carried out",
        at: comparison.position, reason: "there is no register of uniform types here")
      return .truth(false)
    }
  }

  private mutating func ordered(_ ordering: Ordering, _ comparison: Comparison) -> BoundCondition {
    let (left, right) = pair(comparison)
    warnOfNil([left, right], comparison)
    for operand in [left, right] {
      switch operand.type {
      case .object, .uuid, .binary:
        report(
          ExpressionCode.wrongType, "\(operand.type.described) has no order", at: operand.position,
          remedy: "compare it with == or !=")
      default: break
      }
    }
    return .ordered(ordering, left.node, right.node)
  }

  private mutating func between(_ comparison: Comparison) -> BoundCondition {
    guard case .aggregate(let bounds, _) = comparison.right, bounds.count == 2 else {
      report(
        ExpressionCode.wrongType, "BETWEEN takes a list of two bounds", at: comparison.position,
        remedy: "write BETWEEN {lower, upper}")
      return .truth(false)
    }
    var operands = [value(comparison.left), value(bounds[0]), value(bounds[1])]
    unify(&operands, comparison)
    warnOfNil(operands, comparison)
    if let lower = operands[1].constant, let upper = operands[2].constant,
      Value.order(lower, upper) > 0
    {
      neverVaries("the lower bound is above the upper one: this never holds", comparison)
    }
    return .between(operands[0].node, operands[1].node, operands[2].node)
  }

  /// `x IN {…}`, or `x IN "text"`, which is the other way round of `CONTAINS`.
  private mutating func isIn(
    _ element: Expression, _ collection: Expression, _ comparison: Comparison
  ) -> BoundCondition {
    guard case .aggregate(let elements, _) = collection else {
      return text(.contains, collection, element, comparison)
    }
    var operands = [value(element)] + elements.map { value($0) }
    unify(&operands, comparison)
    if elements.isEmpty { neverVaries("the list is empty: this never holds", comparison) }
    return .isIn(operands[0].node, operands.dropFirst().map(\.node))
  }

  // MARK: Text

  private mutating func text(
    _ operation: TextOperator, _ subject: Expression, _ pattern: Expression,
    _ comparison: Comparison
  ) -> BoundCondition {
    let operands = [value(subject), value(pattern)]
    for operand in operands where !operand.type.isText {
      report(
        ExpressionCode.wrongType,
        "\(comparison.operator.rawValue) is about texts, and “\(operand.text)” is \(operand.type.described)",
        at: operand.position)
    }
    if operands.contains(where: { $0.type == .null }) {
      neverVaries("no text is found with nil: this never holds", comparison)
    }
    return .text(
      operation, folded(operands[0], comparison).node, folded(operands[1], comparison).node)
  }

  private mutating func matches(_ comparison: Comparison) -> BoundCondition {
    var options = comparison.options
    let isExact = options.contains(.normalized)
    let isCaseInsensitive = !isExact && options.contains(.caseInsensitive)
    // Case is the regular expression's own matter: folding a pattern would turn \W into \w.
    options.remove(.caseInsensitive)
    var rest = comparison
    rest.options = options
    let condition = text(
      .matches(caseInsensitive: isCaseInsensitive), comparison.left, comparison.right, rest)
    if case .text(_, _, .constant(.text(let pattern))) = condition {
      do throws(Diagnostic) {
        _ = try TextPattern(pattern, caseInsensitive: isCaseInsensitive)
      } catch {
        report(
          error.code, error.message, at: comparison.right.position, reason: error.reason,
          remedy: error.remedy)
      }
    }
    return condition
  }

  /// The operand without the differences that the options take no account of.
  func foldingFunction(_ options: ComparisonOptions) -> BuiltInFunction? {
    if options.contains(.normalized) { return nil }
    return switch (options.contains(.caseInsensitive), options.contains(.diacriticInsensitive)) {
    case (true, true): .foldBoth
    case (true, false): .foldCase
    case (false, true): .foldDiacritics
    case (false, false): nil
    }
  }

  mutating func folded(_ operand: Operand, _ comparison: Comparison) -> Operand {
    guard let function = foldingFunction(comparison.options), operand.type.isText else {
      return operand
    }
    var result = operand
    result.node = fold(function, [operand.node], at: operand.position)
    return result
  }
}
