import PassageDiagnostics
import PassageValues

extension Compiler {
  func test(_ condition: BoundCondition) throws(Diagnostic) -> Test {
    switch condition {
    case .truth(let value): return { _, _ in value }
    case .and(let parts): return try all(parts, are: true)
    case .or(let parts): return try all(parts, are: false)
    case .not(let operand):
      let operand = try test(operand)
      return { try !operand($0, $1) }
    case .equal(let left, let right): return try equal(left, right)
    case .ordered(let ordering, let left, let right):
      return try ordered(ordering, try computation(left), try computation(right))
    case .between(let value, let lower, let upper):
      let value = try computation(value)
      let lower = try computation(lower)
      let upper = try computation(upper)
      return {
        let (value, low, high) = (try value($0, $1), try lower($0, $1), try upper($0, $1))
        if value.isNothing || low.isNothing || high.isNothing { return false }
        return Value.order(low, value) <= 0 && Value.order(value, high) <= 0
      }
    case .isIn(let value, let elements): return try isIn(value, elements)
    case .text(let operation, let value, let pattern):
      return try text(operation, value, pattern)
    case .exists(let collection): return try exists(collection)
    case .outside(let value, let lower, let upper): return try outside(value, lower, upper)
    case .member(let value, let elements, let isNegated):
      return try member(value, elements, isNegated: isNegated)
    case .textDiffers(let operation, let value, let pattern):
      return try textDiffers(operation, value, pattern)
    }
  }

  /// `AND` for true, `OR` for false. Stops at the first part that decides the result.
  private func all(_ parts: [BoundCondition], are wanted: Bool) throws(Diagnostic) -> Test {
    var tests: [Test] = []
    for part in parts { tests.append(try test(part)) }
    if tests.count == 2 {
      let (first, second) = (tests[0], tests[1])
      return {
        try first($0, $1) == wanted ? try second($0, $1) : !wanted
      }
    }
    return { [tests] object, context in
      for test in tests where try test(object, context) != wanted { return !wanted }
      return wanted
    }
  }

  private func equal(_ left: BoundNode, _ right: BoundNode) throws(Diagnostic) -> Test {
    if case .call(let function, let operands) = left, case .constant(.text(let folded)) = right,
      let operand = operands.first, [.foldCase, .foldBoth, .foldDiacritics].contains(function)
    {
      let operand = try computation(operand)
      let ignoresCase = function != .foldDiacritics
      return {
        let value = try operand($0, $1)
        if case .text(let text) = value,
          let isSame = TextFolding.isSameASCII(text, folded, ignoringCase: ignoresCase)
        {
          return isSame
        }
        return Value.isSame(try function.evaluate(value), .text(folded))
      }
    }
    let left = try computation(left)
    if case .constant(let constant) = right {
      return { Value.isSame(try left($0, $1), constant) }
    }
    let right = try computation(right)
    return { Value.isSame(try left($0, $1), try right($0, $1)) }
  }

  private func ordered(
    _ ordering: Ordering, _ left: @escaping Computation, _ right: @escaping Computation
  ) throws(Diagnostic) -> Test {
    func compare(_ holds: @escaping @Sendable (Int) -> Bool) -> Test {
      {
        let (a, b) = (try left($0, $1), try right($0, $1))
        return !a.isNothing && !b.isNothing && holds(Value.order(a, b))
      }
    }
    // A separate closure for each ordering, so that nothing is decided again for each object.
    return switch ordering {
    case .less: compare { $0 < 0 }
    case .lessOrEqual: compare { $0 <= 0 }
    case .greater: compare { $0 > 0 }
    case .greaterOrEqual: compare { $0 >= 0 }
    case .equal: compare { $0 == 0 }
    case .notEqual: compare { $0 != 0 }
    }
  }

  /// Constants are sorted once and found by binary search; other elements are computed one after
  /// the other.
  private func isIn(_ value: BoundNode, _ elements: [BoundNode]) throws(Diagnostic) -> Test {
    let value = try computation(value)
    let constants = elements.compactMap(\.constantValue).sorted { Value.order($0, $1) < 0 }
    var others: [Computation] = []
    for element in elements where element.constantValue == nil {
      others.append(try computation(element))
    }
    return { [others] object, context in
      let value = try value(object, context)
      var range = 0..<constants.count
      while !range.isEmpty {
        let middle = range.lowerBound + range.count / 2
        let order = Value.order(constants[middle], value)
        if order == 0 { return true }
        range = order < 0 ? middle + 1..<range.upperBound : range.lowerBound..<middle
      }
      for other in others where Value.isSame(try other(object, context), value) { return true }
      return false
    }
  }

  private func text(
    _ operation: TextOperator, _ value: BoundNode, _ pattern: BoundNode
  ) throws(Diagnostic) -> Test {
    let subject = try computation(value)
    if case .constant(.text(let constant)) = pattern {
      switch operation {
      case .like(let unit):
        let compiled = LikePattern(constant, by: unit)
        return {
          try Self.holds(try subject($0, $1)) { text throws(Diagnostic) in
            try compiled.matches(text)
          }
        }
      case .matches(let caseInsensitive):
        let compiled = try TextPattern(constant, caseInsensitive: caseInsensitive)
        return {
          try Self.holds(try subject($0, $1)) { text throws(Diagnostic) in
            try compiled.matches(text)
          }
        }
      default: break
      }
    }
    let pattern = try computation(pattern)
    switch operation {
    case .contains, .beginsWith, .endsWith, .like:
      let function = operation.function
      return { try function.evaluate(try subject($0, $1), try pattern($0, $1)).bool ?? false }
    case .matches(let caseInsensitive):
      return { [patterns] in
        try patterns.matches(
          try subject($0, $1), try pattern($0, $1), caseInsensitive: caseInsensitive)
      }
    }
  }

  /// Whether a value is a text that satisfies a test.
  private static func holds(
    _ value: Value, _ fits: (String) throws(Diagnostic) -> Bool
  ) throws(Diagnostic) -> Bool {
    switch value {
    case .text(let text): return try fits(text)
    case .malformedText: throw TextFunctions.malformed
    default: return false
    }
  }
}
