import PassageDiagnostics
import PassagePlatform
import PassageValues

extension BindingPass {
  /// Binds a predefined function or an operator.
  mutating func predefined(
    _ selector: String, _ arguments: [ValueExpression], _ expression: ValueExpression
  ) -> Operand {
    let position = expression.position
    if selector == "castObject:toType:" { return cast(arguments, expression) }
    if let operand = collectionFunction(selector, arguments, expression) { return operand }
    if let operand = library(selector, arguments, expression) { return operand }
    if let reason = PredefinedFunction.refused[selector] {
      return fail(
        ExpressionCode.unsupported, "the function “\(selector)” is not supported",
        at: position, reason: reason,
        remedy: PredefinedFunction.remedies[selector] ?? "compute the value in a policy")
    }
    guard let function = PredefinedFunction.named[selector] else {
      let known =
        PredefinedFunction.named.keys.sorted() + PredefinedFunction.ofCollections
        + scope.functions.selectors
      return fail(
        ExpressionCode.unknownFunction, "there is no function “\(selector)”",
        at: position,
        remedy: HabitualWords.functions[selector.prefix { $0 != ":" }.lowercased()]
          ?? suggestion(selector, known).map { "did you mean “\($0)”?" })
    }
    let operands = arguments.map { value($0) }
    guard operands.count == function.argumentCount else {
      return fail(
        ExpressionCode.argumentCount,
        "“\(selector)” takes \(function.argumentCount) values, not \(operands.count)",
        at: position)
    }
    switch function {
    case .now:
      return Operand(node: .now, type: .date, position: position, text: "now()")
    case .withoutIndex:
      return operands[0]
    case .arithmetic(let operation):
      return arithmetic(operation, operands[0], operands[1], expression)
    case .numeric(let builtIn, let type):
      guard check(operands, are: \.isNumber, "numbers", expression) else {
        return Operand(node: .constant(.null), type: .any, position: position, text: "")
      }
      let isInteger = operands.allSatisfy { $0.type == .integer || $0.type == .boolean }
      return Operand(
        node: fold(builtIn, operands.map(\.node), at: position),
        type: type ?? (isInteger ? .integer : .real), position: position,
        text: expression.description)
    case .text(let builtIn, let type):
      guard check(operands, are: \.isText, "texts", expression) else {
        return Operand(node: .constant(.null), type: .any, position: position, text: "")
      }
      return Operand(
        node: fold(builtIn, operands.map(\.node), at: position), type: type, position: position,
        text: expression.description)
    }
  }

  private mutating func check(
    _ operands: [Operand], are isFit: (ValueType) -> Bool, _ what: String,
    _ expression: ValueExpression
  ) -> Bool {
    var isOK = true
    for operand in operands where !isFit(operand.type) {
      isOK = false
      report(
        ExpressionCode.wrongType,
        "“\(expression)” takes \(what), but “\(operand.text)” is \(operand.type.described)",
        at: operand.position, remedy: remedy(forArgument: operand, of: expression, operands))
    }
    return isOK
  }

  private mutating func arithmetic(
    _ operation: ArithmeticOperator, _ left: Operand, _ right: Operand,
    _ expression: ValueExpression
  ) -> Operand {
    let position = expression.position
    let text = expression.description
    let type: ValueType
    switch (operation, left.type, right.type) {
    case (.subtract, .date, .date): type = .real
    case (.add, .date, let other) where other.isNumber,
      (.subtract, .date, let other) where other.isNumber:
      type = .date
    case (.add, let other, .date) where other.isNumber: type = .date
    default:
      guard check([left, right], are: \.isNumber, "numbers", expression) else {
        return Operand(node: .constant(.null), type: .any, position: position, text: text)
      }
      switch operation {
      case .bitwiseAnd, .bitwiseOr, .leftShift, .rightShift: type = .integer
      default:
        type =
          left.type == .any || right.type == .any
          ? .any : (left.type == .real || right.type == .real ? .real : .integer)
      }
    }
    let isReal = type == .real || type == .date
    return Operand(
      node: fold(operation, left.node, right.node, isReal: isReal), type: type,
      position: position, text: text)
  }

  // MARK: CAST

  private mutating func cast(_ arguments: [ValueExpression], _ expression: ValueExpression)
    -> Operand
  {
    let position = expression.position
    guard arguments.count == 2, case .constant(.string(let name), _) = arguments[1] else {
      return fail(
        ExpressionCode.argumentCount, "CAST takes a value and the name of a class", at: position)
    }
    let operand = value(arguments[0])
    if name == "NSData" { return data(operand, expression) }
    if name == "NSManagedObjectID" { return object(operand) }
    guard let type = PredefinedFunction.castTypes[name] else {
      return fail(
        ExpressionCode.unsupported, "CAST to “\(name)” is not supported", at: position,
        remedy: "the classes are "
          + PredefinedFunction.castTypes.keys.sorted().joined(separator: ", "))
    }
    guard let function = PredefinedFunction.conversion(from: operand.type, to: type) else {
      return fail(
        ExpressionCode.wrongType,
        "“\(operand.text)” is \(operand.type.described), which cannot be converted to "
          + "\(type.described)",
        at: position)
    }
    var result = Operand(
      node: operand.node, type: type, position: position, text: expression.description)
    if case .function(let builtIn) = function {
      result.node = fold(operand.precise(builtIn), [operand.node], at: position)
      if let constant = operand.constant, !constant.isNull, result.constant?.isNull ?? false {
        return fail(
          ExpressionCode.unconvertibleConstant, "\(operand.text) is not \(type.described)",
          at: position,
          remedy: type == .date ? "write ISO 8601 with its zone, as in “2024-01-31T12:00:00Z”" : nil
        )
      }
    }
    if type == .real, operand.type == .integer || operand.type == .boolean {
      result.type = .integer
    }
    return result
  }

  /// `CAST("…", "NSData")`: the bytes of a constant in Base64.
  private mutating func data(_ operand: Operand, _ expression: ValueExpression) -> Operand {
    if operand.type == .binary || operand.type == .null { return operand }
    guard case .text(let text)? = operand.constant, let data = Data(base64Encoded: text) else {
      return fail(
        ExpressionCode.unconvertibleConstant, "“\(operand.text)” is not binary data",
        at: expression.position,
        remedy: "write the bytes in Base64, as in CAST(\"AAE=\", \"NSData\")")
    }
    return Operand(
      node: .constant(.blob(Array(data))), type: .binary, position: expression.position,
      text: expression.description)
  }

  // MARK: FUNCTION

  /// Binds `FUNCTION(target, "selector:", …)`.
  mutating func call(
    _ target: ValueExpression, _ selector: String, _ arguments: [ValueExpression],
    _ expression: ValueExpression
  ) -> Meaning {
    let position = expression.position
    switch target {
    case .variable("entityPolicy", _):
      return .value(policy(selector, arguments, expression))
    case .variable("manager", _):
      return .value(
        fail(
          ExpressionCode.unsupported, "“\(selector)” of $manager cannot be evaluated here",
          at: position,
          reason:
            "the functions of the migration manager find destination objects, and are supported "
            + "only as the whole expression of a relationship mapping"
        ))
    default: break
    }
    if ["valueForKey:", "valueForKeyPath:"].contains(selector), arguments.count == 1,
      case .constant(.string(let path), _) = arguments[0]
    {
      let names = selector == "valueForKey:" ? [path] : path.split(separator: ".").map(String.init)
      let components = names.map { name in
        name.hasPrefix("@")
          ? KeyPathComponent.collectionOperator(String(name.dropFirst())) : .name(name)
      }
      return keyPath(target, components, expression, at: position)
    }
    if let known = FoundationSelector.expression(target, selector, arguments, at: position) {
      return meaning(known)
    }
    guard arguments.isEmpty, !selector.contains(":") else {
      return .value(
        fail(
          ExpressionCode.unknownFunction, "there is no function “\(selector)” of “\(target)”",
          at: position,
          reason: "only registered functions can be called: classes are not looked up by name",
          remedy: HabitualWords.functions[selector.prefix { $0 != ":" }.lowercased()]
            ?? "register it with the policy and call FUNCTION($entityPolicy, …)"))
    }
    return keyPath(target, [.name(selector)], expression, at: position)
  }

  private mutating func policy(
    _ selector: String, _ arguments: [ValueExpression], _ expression: ValueExpression
  ) -> Operand {
    let position = expression.position
    if let functions = scope.policyFunctions {
      guard let count = functions[selector] else {
        let suggestion = nearest(to: selector, in: functions.keys.sorted())
        return fail(
          ExpressionCode.unknownFunction,
          "no function “\(selector)” is registered with the policy", at: position,
          remedy: suggestion.map { "did you mean “\($0)”?" } ?? "register it with the policy")
      }
      if count != arguments.count {
        report(
          ExpressionCode.argumentCount,
          "“\(selector)” is registered with \(count) arguments, but called with \(arguments.count)",
          at: position)
      }
    }
    let bound = arguments.map { argument -> BoundArgument in
      switch argument {
      case .selfObject, .variable("source", _):
        let operand = value(argument)
        if case .key = operand.node { return .object }
        return .value(operand.node)
      case .variable(let name, _)
      where [
        "manager", "entityMapping", "propertyMapping", "entityPolicy", "destination",
      ].contains(name):
        return .variable(name)
      default: return .value(value(argument).node)
      }
    }
    return Operand(
      node: .policy(selector: selector, bound), type: .any, position: position,
      text: expression.description)
  }
}
