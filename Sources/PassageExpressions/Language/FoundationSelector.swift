/// Selectors of Foundation's classes in `FUNCTION(target, "selector:", …)` that correspond to
/// something in this language and are parsed as that. Nothing else is looked up by name.
enum FoundationSelector {
  /// The expression for a call; `nil` if the selector is not known or has another number of
  /// arguments.
  ///
  /// - Parameters:
  ///   - target: the receiver of the selector.
  ///   - position: the place of the call, for messages.
  static func expression(
    _ target: ValueExpression, _ selector: String, _ arguments: [ValueExpression],
    at position: SourcePosition
  ) -> ValueExpression? {
    switch (selector, arguments.count) {
    case ("stringByAppendingString:", 1):
      call("concatenate:", [target, arguments[0]], at: position)
    case ("substringFromIndex:", 1):
      call("substring:from:", [target, arguments[0]], at: position)
    case ("substringToIndex:", 1):
      call(
        "substring:from:length:", [target, .constant(.integer(0), at: position), arguments[0]],
        at: position)
    case ("stringByReplacingOccurrencesOfString:withString:", 2):
      call("replace:occurrencesOf:with:", [target] + arguments, at: position)
    case ("dateByAddingTimeInterval:", 1):
      call("add:to:", [target, arguments[0]], at: position)
    case ("timeIntervalSinceDate:", 1):
      call("from:subtract:", [target, arguments[0]], at: position)
    case (_, 1):
      comparisons[selector].map { truth(of: target, $0, arguments[0], at: position) }
    default: nil
    }
  }

  /// Selectors with one argument and a Boolean result.
  static let comparisons: [String: ComparisonOperator] = [
    "hasPrefix:": .beginsWith, "hasSuffix:": .endsWith, "containsString:": .contains,
    "isEqual:": .equal, "isEqualToString:": .equal, "isEqualToNumber:": .equal,
    "isEqualToDate:": .equal, "isEqualToData:": .equal,
  ]

  private static func call(
    _ selector: String, _ arguments: [ValueExpression], at position: SourcePosition
  ) -> ValueExpression {
    .function(target: nil, selector: selector, arguments: arguments, at: position)
  }

  private static func truth(
    of left: ValueExpression, _ comparison: ComparisonOperator, _ right: ValueExpression,
    at position: SourcePosition
  ) -> ValueExpression {
    .conditional(
      .comparison(Comparison(left, comparison, right, at: position)),
      then: .constant(.boolean(true), at: position),
      otherwise: .constant(.boolean(false), at: position), at: position)
  }
}
