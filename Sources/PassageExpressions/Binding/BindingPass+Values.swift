import PassageDiagnostics
import PassageModels
import PassageValues

extension BindingPass {
  /// Binds one value. A collection is reported as a mistake.
  mutating func value(_ expression: ValueExpression) -> Operand {
    value(meaning(expression), expression)
  }

  /// The value of an expression in a place that requires one value.
  mutating func value(_ meaning: Meaning, _ expression: ValueExpression) -> Operand {
    switch meaning {
    case .value(let operand): return operand
    case .collection(let collection):
      if case .aggregate = expression {
        return unsupported("a list outside of IN, BETWEEN, ANY, ALL and NONE", expression)
      }
      return fail(
        ExpressionCode.toManyWithoutAggregate,
        "“\(collection.text)” is a collection, but one value is needed", at: expression.position,
        remedy: remedy(forCollection: expression))
    }
  }

  /// Binds one value or a collection.
  mutating func meaning(_ expression: ValueExpression) -> Meaning {
    switch expression {
    case .constant(let constant, let position):
      let (value, type) = Self.stored(constant)
      return .value(
        Operand(
          node: .constant(value), type: type, position: position, text: expression.description))
    case .selfObject(let position):
      guard checkSubject(nil, at: position) else { return .value(anything(position)) }
      return .value(operand(root, at: position, text: "SELF"))
    case .variable(let name, let position): return variable(name, at: position)
    case .keyPath(let operand, let components, let position):
      return keyPath(operand, components, expression, at: position)
    case .function(nil, let selector, let arguments, _):
      if let function = ListFunction.named(selector, count: arguments.count) {
        return listFunction(function, arguments, expression)
      }
      return .value(predefined(selector, arguments, expression))
    case .function(let target?, let selector, let arguments, _):
      return call(target, selector, arguments, expression)
    case .conditional(let predicate, let then, let otherwise, let position):
      return .value(conditional(predicate, then, otherwise, expression, at: position))
    case .placeholder(let conversion, let position):
      return .value(
        fail(
          ExpressionCode.unsupported, "there is no argument for %\(conversion)", at: position,
          remedy: "write the value or the key path itself, or give the arguments"))
    case .aggregate(let elements, _): return .collection(list(elements, expression))
    case .subquery(let collection, let variable, let predicate, _):
      return subquery(collection, variable, predicate)
    case .fetch: return .value(unsupported("FETCH", expression))
    case .set(let set, let left, let right, _):
      return self.set(set, left, right, expression)
    case .element(let collection, let index, _):
      return item(of: collection, index, [], expression)
    case .assignment(let name, let value, _):
      let meaning = meaning(value)
      variables[name] = meaning
      return meaning
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

  /// The variable that represents the current element while a comparison with ANY, ALL, NONE or IN
  /// is bound. A text cannot name it.
  ///
  /// - Parameter depth: how many such comparisons are around this one.
  static func elementVariable(_ depth: Int) -> String { " \(depth)" }

  static func isElementVariable(_ name: String) -> Bool { name.hasPrefix(" ") }

  /// The largest number of nodes that may replace variables in one tree.
  static let maximumReplacedNodes = 10_000

  private mutating func variable(_ name: String, at position: SourcePosition) -> Meaning {
    if let known = variables[name] { return replaced(known, at: position) }
    if let argument = scope.variables[name] { return meaning(argument.expression) }
    if let path = scope.paths[name] {
      return walk(
        path[...], from: .value(operand(root, at: position, text: "$" + name)),
        .variable(name, at: position), at: position)
    }
    guard checkSubject(name, at: position) else { return .value(anything(position)) }
    return .value(operand(root, at: position, text: "$" + name))
  }

  /// The value of a variable is copied to each use, so its size counts each time.
  private mutating func replaced(_ meaning: Meaning, at position: SourcePosition) -> Meaning {
    let room = Self.maximumReplacedNodes - replacedNodes
    switch meaning {
    case .value(let operand): replacedNodes += operand.node.size(limit: room)
    case .collection(let operand):
      replacedNodes += BoundNode.count(operand.collection, limit: nil).size(limit: room)
    }
    guard replacedNodes <= Self.maximumReplacedNodes else {
      return .value(
        fail(
          ExpressionCode.limit, "the values of the variables make the text too long",
          at: position, remedy: "compute the value in a policy"))
    }
    return meaning
  }

  /// Whether the object is written as required in this place. Reports a mistake if not.
  mutating func checkSubject(_ variable: String?, at position: SourcePosition) -> Bool {
    switch (scope.subject, variable) {
    case (.selfObject, nil): return true
    case (.variable(let name), let variable?) where variable == name: return true
    case (.variable(let name), nil):
      report(
        ExpressionCode.wrongSubject, "a value expression must name its object", at: position,
        remedy: "write $\(name) for the object and $\(name).name for a property")
    case (.selfObject, "source"?):
      report(
        ExpressionCode.wrongSubject,
        "a filter refers to the source object directly, not by a variable", at: position,
        remedy: "write SELF for the object and the name alone for a property")
    case (_, let variable?):
      let known = variables.keys.filter { !Self.isElementVariable($0) } + scope.variables.keys
      var remedy =
        canTry
        ? nearest(to: variable, in: known.sorted()).map { "did you mean $\($0)?" } : nil
      if case .variable(let name) = scope.subject, variable == "element" {
        remedy = "begin at $\(name), or give the entity mapping a “forEach”"
      }
      report(
        ExpressionCode.unknownVariable, "the variable $\(variable) has no value here",
        at: position,
        remedy: remedy
          ?? "declare it in “variables” of the mapping model, or write its value in its place")
    }
    return false
  }

  private mutating func conditional(
    _ predicate: ObjectPredicate, _ then: ValueExpression, _ otherwise: ValueExpression,
    _ expression: ValueExpression,
    at position: SourcePosition
  ) -> Operand {
    let condition = settled(condition(predicate))
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
      text: expression.description, isSingle: first.isSingle && second.isSingle)
  }

  /// The common type of two types; `nil` if there is none.
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
