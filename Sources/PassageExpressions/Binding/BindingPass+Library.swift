import PassageDiagnostics
import PassageModels
import PassageValues

extension BindingPass {
  /// Binds a call of a library function, or of one of the forms that are written as calls; `nil`
  /// for any other name.
  mutating func library(
    _ selector: String, _ arguments: [ValueExpression], _ expression: ValueExpression
  ) -> Operand? {
    switch (selector, arguments.count) {
    case ("random", 0), ("random:", 1), ("randomn:", 1): return random(arguments, expression)
    case ("lookup:key:value:result:", 4), ("lookup:", 4): return lookup(arguments, expression)
    case ("lookupObject:key:value:", 3), ("lookupObject:", 3):
      return lookupObject(arguments, expression)
    case ("depthAlong:", 1): return depth(arguments, expression)
    case ("pathAlong:of:separator:", 3), ("pathAlong:", 3): return path(arguments, expression)
    case ("sequenceNumber", 0): return sequenceNumber(expression)
    case ("objectKey", 0): return objectKey(expression)
    case ("objectURI", 0): return objectURI(expression)
    case ("randomUUID", 0): return randomUUID(expression)
    case ("if:then:else:", 3), ("if:", 3): return choice(arguments, expression)
    default: break
    }
    guard let function = scope.functions.function(selector, count: arguments.count) else {
      return wrongCount(selector, arguments, expression)
    }
    var whole: Operand?
    if function.selector == "join:", arguments.count == 2 {
      let meaning = meaning(arguments[1])
      if case .collection(let collection) = meaning {
        return joined(arguments[0], collection, expression)
      }
      whole = value(meaning, arguments[1])
    }
    let operands = arguments.enumerated().map { index, argument in
      var operand = index == 1 ? whole ?? value(argument) : value(argument)
      // Functions read the bytes of a transformable attribute.
      if operand.isTransformable { operand.type = .binary }
      guard case .type(let type) = function.parameter(index), type == .date || type == .uuid else {
        return operand
      }
      return adapt(operand, to: type)
    }
    var isOK = true
    for (index, operand) in operands.enumerated() {
      let parameter = function.parameter(index)
      guard !parameter.isFit(operand.type) else { continue }
      isOK = false
      report(
        ExpressionCode.wrongType,
        "“\(function.selector)” takes \(parameter.described) as its argument \(index + 1), but "
          + "“\(operand.text)” is \(operand.type.described)",
        at: operand.position)
    }
    if let check = function.check { isOK = self.check(operands, check, expression) && isOK }
    guard isOK, let type = function.type ?? common(operands, expression) else {
      return Operand(node: .constant(.null), type: .any, position: expression.position, text: "")
    }
    if function.isRegistered,
      !registeredFunctions.contains(where: { $0.sqlName == function.sqlName })
    {
      registeredFunctions.append(function)
    }
    return Operand(
      node: fold(function, operands.map(\.node), at: expression.position), type: type,
      position: expression.position, text: expression.description)
  }

  mutating func check(
    _ operands: [Operand], _ check: @Sendable ([Value?]) throws -> Void,
    _ expression: ValueExpression
  ) -> Bool {
    do {
      try check(operands.map(\.constant))
      return true
    } catch {
      report(error, at: expression.position)
      return false
    }
  }

  private mutating func report(_ error: any Error, at position: SourcePosition) {
    if let diagnostic = error as? Diagnostic {
      report(
        diagnostic.code, diagnostic.message, at: position, reason: diagnostic.reason,
        remedy: diagnostic.remedy)
    } else {
      report(
        FunctionCode.unreadable, "the function cannot compute its constant arguments", at: position,
        reason: "\(error)")
    }
  }

  /// A function call, evaluated now if all its arguments are constant.
  private mutating func fold(
    _ function: ValueFunction, _ arguments: [BoundNode], at position: SourcePosition
  ) -> BoundNode {
    let values = arguments.compactMap(\.constantValue)
    guard values.count == arguments.count else { return .function(function, arguments) }
    do {
      return .constant(try function.makeEvaluator()(values))
    } catch {
      report(error, at: position)
      return .constant(.null)
    }
  }

  /// The common type of all operands. Reports operands without a common type.
  private mutating func common(_ operands: [Operand], _ expression: ValueExpression) -> ValueType? {
    var type = ValueType.null
    for operand in operands {
      guard let both = Self.common(type, operand.type) else {
        report(
          ExpressionCode.wrongType,
          "“\(operand.text)” is \(operand.type.described), but the value before it is "
            + "\(type.described)",
          at: operand.position, reason: "the values of “\(expression)” must be of one type")
        return nil
      }
      type = both
    }
    return type
  }

  /// Reports a known function that has no variant with this number of arguments.
  private mutating func wrongCount(
    _ selector: String, _ arguments: [ValueExpression], _ expression: ValueExpression
  ) -> Operand? {
    let base = selector.prefix { $0 != ":" }
    guard PredefinedFunction.named[selector] == nil else { return nil }
    let others = scope.functions.selectors(named: selector)
      .filter { $0.prefix { $0 != ":" } == base }
    guard !others.isEmpty else { return nil }
    return fail(
      ExpressionCode.argumentCount,
      "there is no function “\(base)” with \(arguments.count) "
        + (arguments.count == 1 ? "argument" : "arguments"),
      at: expression.position, remedy: "there is “\(others.joined(separator: "”, “"))”")
  }

  /// The known selector most similar to another, compared as a whole or by the part before the
  /// first colon.
  func suggestion(_ selector: String, _ known: [String]) -> String? {
    if let whole = nearest(to: selector, in: known) { return whole }
    let bases = known.map { String($0.prefix { $0 != ":" }) }
    let base = nearest(to: String(selector.prefix { $0 != ":" }), in: bases)
    return base.flatMap { base in known.first { $0.prefix { $0 != ":" } == base } }
  }

  // MARK: Forms

  /// `if:then:else:(flag, a, b)`: a if the flag is a number other than zero, otherwise b.
  private mutating func choice(_ arguments: [ValueExpression], _ expression: ValueExpression)
    -> Operand
  {
    let flag = value(arguments[0])
    guard flag.type.isNumber else {
      return fail(
        ExpressionCode.wrongType, "“\(flag.text)” is \(flag.type.described), not a truth value",
        at: flag.position, remedy: "write TERNARY(condition, a, b) for a condition")
    }
    var (then, otherwise) = (value(arguments[1]), value(arguments[2]))
    if then.constant != nil, otherwise.constant == nil {
      then = adapt(then, to: otherwise.type)
    } else {
      otherwise = adapt(otherwise, to: then.type)
    }
    guard let type = Self.common(then.type, otherwise.type) else {
      return fail(
        ExpressionCode.wrongType,
        "the two values of “\(expression)” are \(then.type.described) and \(otherwise.type.described)",
        at: expression.position)
    }
    let truth = fold(.booleanFromNumber, [flag.node], at: flag.position)
    return Operand(
      node: .conditional(
        .equal(truth, .constant(.integer(1))), then.node, otherwise.node), type: type,
      position: expression.position, text: expression.description)
  }

  /// `random()` and `randomn:(bound)`: numbers that depend on the migration, the object and the
  /// place of the call.
  private mutating func random(_ arguments: [ValueExpression], _ expression: ValueExpression)
    -> Operand
  {
    var bound = Operand(
      node: .constant(.null), type: .null, position: expression.position, text: "")
    if let argument = arguments.first {
      bound = value(argument)
      guard [.integer, .null, .any].contains(bound.type) else {
        return fail(
          ExpressionCode.wrongType, "“\(bound.text)” is \(bound.type.described), not an integer",
          at: bound.position)
      }
    }
    let line = location?.line ?? 0
    let column = (location?.column ?? 0) &+ (expression.position.offset ?? 0)
    let place = Int64(line) << 32 ^ Int64(column)
    let isInteger = !arguments.isEmpty
    let node = BoundNode.function(
      FunctionLibrary.random,
      [
        .now, .constant(.text(scope.entity.name)), .key, .constant(.integer(place)), bound.node,
      ])
    return Operand(
      node: node, type: isInteger ? .integer : .real, position: expression.position,
      text: expression.description)
  }
}

extension Operand {
  /// Whether it is a transformable attribute, which is stored as bytes.
  fileprivate var isTransformable: Bool {
    if case .cell(let path) = node, case .attribute(let attribute) = path.leaf {
      attribute.type == .transformable
    } else {
      false
    }
  }
}

extension ValueFunction.Parameter {
  /// Whether a value of this type is accepted as an argument.
  func isFit(_ type: ValueType) -> Bool {
    if type == .any || type == .null { return true }
    switch self {
    case .textOrBinary: return type.isText || type == .binary
    case .type(.any): return type != .opaque
    case .type(.string), .type(.uri): return type.isText
    case .type(.integer): return type == .integer || type == .boolean
    case .type(.real): return type.isNumber
    case .type(.boolean): return type == .boolean || type == .integer
    case .type(let wanted): return type == wanted
    }
  }

  /// The name of the parameter's type, with its article.
  var described: String {
    switch self {
    case .type(let type): type.described
    case .textOrBinary: "a text or binary data"
    }
  }
}
