import PassageDiagnostics
import PassageValues

extension BindingPass {
  /// Binds one condition.
  mutating func condition(_ predicate: ObjectPredicate) -> BoundCondition {
    switch predicate {
    case .truth(let value): return .truth(value)
    case .and(let parts): return .and(parts.map { condition($0) })
    case .or(let parts): return .or(parts.map { condition($0) })
    case .not(let operand): return .not(condition(operand))
    case .comparison(let comparison): return self.comparison(comparison)
    }
  }

  private mutating func comparison(_ comparison: Comparison) -> BoundCondition {
    let outer = compared
    compared = comparison
    defer { compared = outer }
    guard comparison.modifier != .direct else { return direct(comparison) }
    if case .aggregate(let elements, _) = comparison.left {
      isListExpanded = true
      defer { isListExpanded = false }
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
    guard let left = collection(comparison.left, for: comparison.modifier.rawValue) else {
      return .truth(false)
    }
    var part = comparison
    part.modifier = .direct
    let condition = element(of: left, comparison.left) { pass, element in
      part.left = element
      return pass.direct(part)
    }
    return switch comparison.modifier {
    case .all: .not(.exists(left.collection.filtered(settled(.not(condition)))))
    case .none: .not(.exists(left.collection.filtered(settled(condition))))
    default: .exists(left.collection.filtered(settled(condition)))
    }
  }

  /// Binds a condition on the current element of a collection.
  private mutating func element(
    of collection: CollectionOperand, _ expression: ValueExpression,
    _ body: (inout BindingPass, ValueExpression) -> BoundCondition
  ) -> BoundCondition {
    // The value that is compared may be an element of a collection outside this one.
    let name = Self.elementVariable(variables.keys.count(where: Self.isElementVariable))
    variables[name] = .value(collection.element)
    defer { variables[name] = nil }
    return body(&self, .variable(name, at: expression.position))
  }

  /// Whether a collection contains an element equal to a value.
  private mutating func has(
    _ collection: CollectionOperand, _ expression: ValueExpression, _ value: ValueExpression,
    _ comparison: Comparison
  ) -> BoundCondition {
    var part = comparison
    part.operator = .equal
    part.right = value
    let condition = element(of: collection, expression) { pass, element in
      part.left = element
      return pass.direct(part)
    }
    let membership = BoundCondition.exists(collection.collection.filtered(settled(condition)))
    guard scope.nullSemantics == .coreDataSQL, case .equal(_, let sought) = condition,
      sought.constantValue == nil, sought.isNullable, countRepeated(sought, at: comparison.position)
    else { return membership }
    // Whether there is an element is always known. This is not where the value is nil, and never true.
    return .or([membership, .ordered(.notEqual, sought, sought)])
  }

  /// Counts a value that is written twice more.
  ///
  /// - Returns: `false`, with a mistake recorded, if the tree would grow too large.
  private mutating func countRepeated(_ node: BoundNode, at position: SourcePosition) -> Bool {
    let room = Self.maximumReplacedNodes - replacedNodes
    replacedNodes += 2 * max(0, node.size(limit: room) - 1)
    guard replacedNodes > Self.maximumReplacedNodes else { return true }
    report(
      ExpressionCode.limit, "the values that are looked for in collections are too long",
      at: position, remedy: "compute the value in a policy")
    return false
  }

  /// The deepest nesting of comparisons of whole collections. Each level writes the inner one
  /// twice.
  private static let maximumCollectionComparisons = 8

  /// Whether two collections have the same elements, ignoring their order and how often each
  /// occurs.
  private mutating func haveSameElements(
    _ left: CollectionOperand, _ right: CollectionOperand, _ comparison: Comparison
  ) -> BoundCondition {
    guard collectionComparisons < Self.maximumCollectionComparisons else {
      report(
        ExpressionCode.limit, "there are too many comparisons of collections",
        at: comparison.position)
      return .truth(false)
    }
    collectionComparisons += 1
    guard isComparable(left.type, right.type) else {
      report(
        ExpressionCode.wrongType,
        "the values of “\(left.text)” are \(left.type.described) and those of “\(right.text)” \(right.type.described)",
        at: comparison.position)
      return .truth(false)
    }
    let (left, right) = (left.rounded(beside: right), right.rounded(beside: left))
    func isPart(_ a: CollectionOperand, of b: CollectionOperand) -> BoundCondition {
      let isIn = b.collection.filtered(.equal(b.collection.value, a.collection.value))
      return .not(.exists(a.collection.filtered(.not(.exists(isIn)))))
    }
    return .and([isPart(left, of: right), isPart(right, of: left)])
  }

  private mutating func direct(_ comparison: Comparison) -> BoundCondition {
    if comparison.options.contains(.localeSensitive) {
      report(
        ExpressionCode.localeIgnored, "the option [l] has no effect", at: comparison.position,
        severity: .warning,
        reason: "a migration gives the same store wherever it runs, so the locale is not used")
    }
    switch comparison.operator {
    case .equal, .notEqual:
      let sides = (meaning(comparison.left), meaning(comparison.right))
      if case (.collection(let left), .collection(let right)) = sides {
        let condition = haveSameElements(left, right, comparison)
        return comparison.operator == .equal ? condition : .not(condition)
      }
      if sides.0.isMistake || sides.1.isMistake { return .truth(false) }
      if case (.collection(let all), .value(let other)) = sides, other.type == .null {
        report(
          ExpressionCode.toManyWithoutAggregate,
          "“\(all.text)” is a collection, which is never nil", at: all.position,
          remedy:
            "write \(all.text).@count \(comparison.operator == .equal ? "==" : ">") 0"
        )
        return .truth(false)
      }
      let (left, right) = pair(
        value(sides.0, comparison.left), value(sides.1, comparison.right), comparison)
      warnOfConstants(left, right, comparison)
      let condition = counted(.equal, left, right) ?? equal(left, right)
      return comparison.operator == .equal ? condition : .not(condition)
    case .less: return ordered(.less, comparison)
    case .lessOrEqual: return ordered(.lessOrEqual, comparison)
    case .greater: return ordered(.greater, comparison)
    case .greaterOrEqual: return ordered(.greaterOrEqual, comparison)
    case .between: return between(comparison)
    case .in: return contains(comparison.right, comparison.left, comparison)
    case .contains:
      return contains(comparison.left, comparison.right, comparison)
    case .beginsWith: return text(.beginsWith(.codeUnits), values(comparison), comparison)
    case .endsWith: return text(.endsWith(.codeUnits), values(comparison), comparison)
    case .like:
      let operands = values(comparison)
      warnOfPattern(operands[1], comparison)
      return text(.like(.codeUnits), operands, comparison)
    case .matches: return matches(comparison)
    case .typeConformsTo, .typeEquals:
      report(
        ExpressionCode.unsupported, "\(comparison.operator.rawValue) is not supported",
        at: comparison.position, reason: "uniform type identifiers cannot be looked up here")
      return .truth(false)
    }
  }

  private mutating func ordered(_ ordering: Ordering, _ comparison: Comparison) -> BoundCondition {
    let (left, right) = pair(value(comparison.left), value(comparison.right), comparison)
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
    return counted(ordering, left, right) ?? ordered(ordering, left, right)
  }

  /// The list that a variable of the scope holds; any other expression unchanged.
  private func supplied(_ expression: ValueExpression) -> ValueExpression {
    guard case .variable(let name, let position) = expression, variables[name] == nil,
      case .list? = scope.variables[name]
    else { return expression }
    return scope.variables[name]?.expression(at: position) ?? expression
  }

  private mutating func between(_ comparison: Comparison) -> BoundCondition {
    guard case .aggregate(let bounds, _) = supplied(comparison.right), bounds.count == 2 else {
      report(
        ExpressionCode.wrongType, "BETWEEN takes a list of two bounds", at: comparison.position,
        remedy: "write BETWEEN {lower, upper}")
      return .truth(false)
    }
    var operands = [value(comparison.left), value(bounds[0]), value(bounds[1])]
    unify(&operands, comparison)
    warnOfNil(operands, comparison)
    if !operands.contains(where: \.isMistake), let lower = operands[1].constant,
      let upper = operands[2].constant, Value.order(lower, upper) > 0
    {
      neverVaries("the lower bound is above the upper one: this never holds", comparison)
    } else {
      warnOfBounds(operands, comparison)
    }
    operands[0].node = counted(operands[0].node, upTo: operands[2].constant)
    return between(operands[0], operands[1], operands[2])
  }

  /// `x IN {…}`, `x IN collection` or `x IN "text"`; also `CONTAINS`, with the sides exchanged.
  private mutating func contains(
    _ whole: ValueExpression, _ part: ValueExpression, _ comparison: Comparison
  ) -> BoundCondition {
    if case .aggregate(let elements, _) = supplied(whole) {
      return isIn(part, elements, comparison)
    }
    switch meaning(whole) {
    case .collection(let collection): return has(collection, whole, part, comparison)
    case .value(let operand):
      let part = value(part)
      if comparison.operator == .in, !operand.type.isText {
        report(
          ExpressionCode.wrongType,
          "IN needs a list, a collection or a text, but “\(operand.text)” is "
            + "\(operand.type.described)",
          at: operand.position,
          remedy: !part.isMistake && isComparable(part.type, operand.type)
            ? "write \(part.text) == \(operand.text), or \(part.text) IN {\(operand.text)}" : nil)
        return .truth(false)
      }
      warnOfText(operand, part, comparison)
      return text(.contains(.codeUnits), [operand, part], comparison)
    }
  }

  private mutating func isIn(
    _ element: ValueExpression, _ elements: [ValueExpression], _ comparison: Comparison
  ) -> BoundCondition {
    var operands = [value(element)] + elements.map { value($0) }
    unify(&operands, comparison)
    if elements.isEmpty { neverVaries("the list is empty: this never holds", comparison) }
    warnOfElements(operands[0], Array(operands.dropFirst()), comparison)
    return isIn(operands[0], Array(operands.dropFirst()))
  }

  // MARK: Text

  private mutating func values(_ comparison: Comparison) -> [Operand] {
    [value(comparison.left), value(comparison.right)]
  }

  private mutating func text(
    _ operation: TextOperator, _ operands: [Operand], _ comparison: Comparison
  ) -> BoundCondition {
    for operand in operands where !operand.type.isText {
      report(
        ExpressionCode.wrongType,
        "\(comparison.operator.rawValue) compares texts, but “\(operand.text)” is "
          + "\(operand.type.described)",
        at: operand.position)
    }
    if operands.contains(where: { $0.type == .null }) {
      neverVaries("no text matches nil: this never holds", comparison)
    }
    let isFolded = foldingFunction(comparison.options) != nil
    return .text(
      isFolded ? operation.byLetters : operation,
      folded(operands[0], comparison).node, folded(operands[1], comparison).node)
  }

  private mutating func matches(_ comparison: Comparison) -> BoundCondition {
    var options = comparison.options
    let isExact = options.contains(.normalized)
    let isCaseInsensitive = !isExact && options.contains(.caseInsensitive)
    // Case is an option of the regular expression itself: folding a pattern would turn \W into \w.
    options.remove(.caseInsensitive)
    var rest = comparison
    rest.options = options
    let condition = text(
      .matches(caseInsensitive: isCaseInsensitive), values(comparison), rest)
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

  /// The function that removes the differences which the options ignore.
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
