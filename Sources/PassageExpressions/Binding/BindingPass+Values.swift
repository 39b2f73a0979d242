import PassageDiagnostics
import PassageModels
import PassageValues

extension BindingPass {
  /// Binds one value.
  mutating func value(_ expression: Expression) -> Operand {
    switch expression {
    case .constant(let constant, let position):
      let (value, type) = Self.stored(constant)
      return Operand(
        node: .constant(value), type: type, position: position, text: expression.description)
    case .selfObject(let position): return subject(nil, expression, at: position)
    case .variable(let name, let position): return subject(name, expression, at: position)
    case .keyPath(let operand, let components, let position):
      return keyPath(operand, components, expression, at: position)
    case .function(nil, let selector, let arguments, _):
      return predefined(selector, arguments, expression)
    case .function(let target?, let selector, let arguments, _):
      return call(target, selector, arguments, expression)
    case .conditional(let predicate, let then, let otherwise, let position):
      return conditional(predicate, then, otherwise, expression, at: position)
    case .placeholder(let conversion, let position):
      return fail(
        ExpressionCode.unsupported, "nothing is supplied for %\(conversion)", at: position,
        remedy: "write the value or the key path itself")
    case .aggregate:
      return unsupported("a list outside of IN, BETWEEN, ANY, ALL and NONE", expression)
    case .subquery: return unsupported("SUBQUERY", expression)
    case .fetch: return unsupported("FETCH", expression)
    case .set(let set, _, _, _): return unsupported(set.rawValue, expression)
    case .element: return unsupported("an index", expression)
    case .assignment: return unsupported("an assignment", expression)
    }
  }

  private static func stored(_ constant: Constant) -> (Value, ValueType) {
    switch constant {
    case .null: (.null, .null)
    case .boolean(let value): (Value(value), .boolean)
    case .integer(let value): (.integer(value), .integer)
    case .real(let value): (Arithmetic.number(value), .real)
    case .string(let value): (.text(value), .string)
    }
  }

  /// `SELF`, or a variable.
  private mutating func subject(
    _ variable: String?, _ expression: Expression, at position: SourcePosition
  ) -> Operand {
    guard checkSubject(variable, at: position) else {
      return Operand(node: .constant(.null), type: .any, position: position, text: "")
    }
    return Operand(
      node: .key, type: .object(entityName: scope.entity.name), position: position,
      text: expression.description)
  }

  /// Whether a way of writing the object is the one of this place; reports it when it is not.
  mutating func checkSubject(_ variable: String?, at position: SourcePosition) -> Bool {
    switch (scope.subject, variable) {
    case (.selfObject, nil): return true
    case (.variable(let name), let variable?) where variable == name: return true
    case (.variable(let name), nil):
      report(
        ExpressionCode.wrongSubject, "a value expression names its object", at: position,
        remedy: "write $\(name) for the object and $\(name).name for a property")
    case (.selfObject, "source"?):
      report(
        ExpressionCode.wrongSubject, "a filter is about the source object itself", at: position,
        remedy: "write SELF for the object and the name alone for a property")
    case (_, let variable?):
      report(
        ExpressionCode.unknownVariable, "the variable $\(variable) has no value here",
        at: position)
    }
    return false
  }

  private mutating func conditional(
    _ predicate: Predicate, _ then: Expression, _ otherwise: Expression, _ expression: Expression,
    at position: SourcePosition
  ) -> Operand {
    let condition = condition(predicate)
    var (first, second) = (value(then), value(otherwise))
    if first.constant != nil, second.constant == nil {
      first = adapt(first, to: second.type)
    } else {
      second = adapt(second, to: first.type)
    }
    guard let type = Self.common(first.type, second.type) else {
      return fail(
        ExpressionCode.wrongType,
        "the two values of TERNARY are \(first.type.described) and \(second.type.described)",
        at: position)
    }
    return Operand(
      node: .conditional(condition, first.node, second.node), type: type, position: position,
      text: expression.description)
  }

  /// The type of a value that is one or the other; `nil` when they do not go together.
  static func common(_ a: ValueType, _ b: ValueType) -> ValueType? {
    if a == b { return a }
    if a == .null { return b }
    if b == .null { return a }
    if a == .any || b == .any { return .any }
    if a.isNumber, b.isNumber { return a == .real || b == .real ? .real : .integer }
    if a.isText, b.isText { return .string }
    return nil
  }
}
