import PassageDiagnostics
import PassageModels
import PassageValues

extension BindingPass {
  /// A function call, evaluated now if all its arguments are constant.
  mutating func fold(
    _ function: BuiltInFunction, _ arguments: [BoundNode], at position: SourcePosition
  ) -> BoundNode {
    let values = arguments.compactMap(\.constantValue)
    guard values.count == arguments.count else { return .call(function, arguments) }
    do throws(Diagnostic) {
      return .constant(try function.evaluate(values, PatternCache()))
    } catch {
      report(error.code, error.message, at: position, reason: error.reason, remedy: error.remedy)
      return .constant(.null)
    }
  }

  func fold(
    _ operation: ArithmeticOperator, _ left: BoundNode, _ right: BoundNode, isReal: Bool
  ) -> BoundNode {
    guard let a = left.constantValue, let b = right.constantValue else {
      return .arithmetic(operation, left, right, isReal: isReal)
    }
    return .constant(Arithmetic.apply(operation, a, b, isReal: isReal))
  }

  /// Converts a constant to the stored form of `type`. Anything that is not a constant, or needs no
  /// change, is returned unchanged; a constant without such a form is reported.
  mutating func adapt(_ operand: Operand, to type: ValueType) -> Operand {
    guard let constant = operand.constant, operand.type != type, !constant.isNull else {
      return operand
    }
    var result = operand
    result.type = type
    switch (constant, type) {
    case (.text, .uuid):
      return converted(
        operand, .uuidFromText, to: .uuid, "a UUID", "8-4-4-4-12 hexadecimal digits")
    case (.text, .date) where operand.type == .string:
      return converted(
        operand, .dateFromText, to: .date, "a point in time",
        "write ISO 8601 with its zone, as in “2024-01-31T12:00:00Z”")
    case (.text(let text), .object) where text.hasPrefix("x-coredata:"):
      return object(operand)
    case (.text, .uri), (.text, .string):
      return result
    case (.integer(let value), .real):
      result.node = .constant(.real(Double(value)))
      // An integer beyond 2^53 is kept as an integer: comparisons are exact.
      return Int64(exactly: Double(value)) == value ? result : operand
    default: return operand
    }
  }

  /// Replaces a constant URI by the key of the object that it names.
  mutating func object(_ operand: Operand) -> Operand {
    if case .object = operand.type { return operand }
    if operand.type == .null { return operand }
    guard let text = operand.constant?.string, let uri = ObjectURI(text),
      let entity = scope.model.entity(named: uri.entityName)
    else {
      return fail(
        ExpressionCode.unconvertibleConstant, "“\(operand.text)” does not name an object",
        at: operand.position,
        remedy: "write \"x-coredata:///Entity/p12\" for the object with the primary key 12")
    }
    return Operand(
      node: key(uri.key, of: entity), type: .object(entityName: uri.entityName),
      position: operand.position, text: operand.text)
  }

  private mutating func converted(
    _ operand: Operand, _ function: BuiltInFunction, to type: ValueType, _ what: String,
    _ remedy: String
  ) -> Operand {
    var result = operand
    result.node = fold(function, [operand.node], at: operand.position)
    result.type = type
    if result.constant?.isNull ?? true {
      return fail(
        ExpressionCode.unconvertibleConstant, "\(operand.text) is not \(what)",
        at: operand.position, remedy: remedy)
    }
    return result
  }

  /// Converts a value for an attribute of `type`.
  mutating func convert(_ operand: Operand, to type: ValueType) -> Operand {
    let adapted = adapt(operand, to: type)
    if adapted.type == type || adapted.type == .any || adapted.type == .null || type == .any {
      return adapted
    }
    switch (adapted.type, type) {
    case (.integer, .real), (.boolean, .real), (.boolean, .integer), (.uri, .string),
      (.string, .uri):
      return Operand(
        node: adapted.node, type: type, position: adapted.position, text: adapted.text)
    case (.real, .integer):
      // As when a number with a fraction is set in Core Data, the fraction is cut off.
      let node = fold(.wholeFromNumber, [adapted.node], at: adapted.position)
      return Operand(node: node, type: .integer, position: adapted.position, text: adapted.text)
    case (.integer, .boolean), (.real, .boolean):
      let node = fold(.booleanFromNumber, [adapted.node], at: adapted.position)
      return Operand(node: node, type: .boolean, position: adapted.position, text: adapted.text)
    default:
      return fail(
        ExpressionCode.wrongType,
        "the value is \(adapted.type.described), but the attribute takes \(type.described)",
        at: adapted.position, remedy: remedy(forConverting: adapted, to: type))
    }
  }
}
