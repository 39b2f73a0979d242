extension FormatParser {
  /// The value of a placeholder: the next argument, or the placeholder itself if there are no
  /// arguments.
  mutating func placeholder(
    _ conversion: String, at offset: Int
  ) throws(SyntaxError) -> ValueExpression {
    let position = SourcePosition(offset: offset)
    guard let argument = try argument(for: conversion, at: offset) else {
      return .placeholder(conversion, at: position)
    }
    if conversion == "K", case .string(let text) = argument {
      return PredicateArgument.keyPath(text).expression(at: position)
    }
    let isFit =
      switch (conversion.last, argument) {
      case ("@", _), ("K", .keyPath): true
      case ("s", .string), ("S", .string): true
      case ("d", .boolean), ("i", .boolean), ("u", .boolean): true
      case ("s", _), ("S", _), ("K", _): false
      case (_, .integer), (_, .real): true
      default: false
      }
    guard isFit else { throw misfit(conversion, argument, at: offset) }
    return argument.expression(at: position)
  }

  /// The components for a placeholder after a point.
  mutating func components(
    for conversion: String, at offset: Int
  ) throws(SyntaxError) -> [KeyPathComponent] {
    switch try argument(for: conversion, at: offset) {
    case nil: return [.placeholder(conversion)]
    case .keyPath(let text)?, .string(let text)?:
      let components = PredicateArgument.components(text)
      if components.isEmpty { return [.name("self")] }
      return components
    case let argument?: throw misfit(conversion, argument, at: offset)
    }
  }

  func requireAllArgumentsUsed() throws(SyntaxError) {
    guard let rest = arguments, !rest.isEmpty else { return }
    throw SyntaxError(
      code: ExpressionCode.arguments,
      message: "there are \(rest.count) more arguments than placeholders", offset: token.offset)
  }

  private mutating func argument(
    for conversion: String, at offset: Int
  ) throws(SyntaxError) -> PredicateArgument? {
    guard arguments != nil else { return nil }
    guard let argument = arguments?.popFirst() else {
      throw SyntaxError(
        code: ExpressionCode.arguments, message: "there is no argument for %\(conversion)",
        offset: offset, remedy: "give one argument for each placeholder, in their order")
    }
    return argument
  }

  private func misfit(
    _ conversion: String, _ argument: PredicateArgument, at offset: Int
  ) -> SyntaxError {
    let takes =
      switch conversion.last {
      case "K": "a key path"
      case "s", "S": "a text"
      default: "a number"
      }
    return SyntaxError(
      code: ExpressionCode.arguments,
      message: "%\(conversion) takes \(takes), not \(argument.expression)", offset: offset,
      remedy: "%@ takes a value of any kind, %K a key path")
  }
}
