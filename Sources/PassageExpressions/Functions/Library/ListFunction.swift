import PassageDiagnostics
import PassageValues

/// A function whose result is a list of values. It can be used where a collection can: in `forEach`,
/// with `ANY`, `IN`, `.@count` and the functions of collections. It is evaluated in memory only.
struct ListFunction: Sendable {
  /// The type of each element.
  let type: ValueType
  let parameters: [ValueFunction.Parameter]
  let selector: String
  /// Checks the constant arguments; `nil` stands for an argument that is not constant.
  let check: @Sendable ([Value?]) throws -> Void
  /// Passes the elements in order, until `body` returns `false`.
  let forEach: @Sendable (_ arguments: [Value], _ body: (Value) throws -> Bool) throws -> Void

  /// The function that a call means; `nil` for any other call.
  ///
  /// - Parameters:
  ///   - selector: the whole selector, or the part before the first colon.
  ///   - count: the number of arguments.
  static func named(_ selector: String, count: Int) -> ListFunction? {
    all.first { function in
      function.parameters.count == count
        && (function.selector == selector
          || function.selector.prefix { $0 != ":" } == selector.prefix { $0 != ":" }
            && !selector.dropLast().contains(":"))
    }
  }

  static let all = [
    ListFunction(
      type: .string, parameters: [.type(.string), .type(.string)], selector: "split:separator:",
      check: TextParts.checkSeparator
    ) { values, body in
      for value in values {
        if case .malformedText = value { throw TextFunctions.malformed }
      }
      guard let text = values[0].string, let separator = values[1].string else { return }
      try TextParts.forEachPart(of: text, separator: separator, body)
    },
    ListFunction(
      type: .string, parameters: [.textOrBinary, .type(.string)], selector: "elementsInJSON:path:",
      check: FunctionLibrary.checkPath
    ) { values, body in
      guard let path = values[1].string else { return }
      try FunctionLibrary.forEachElement(inJSON: values[0], at: path, body)
    },
  ]
}
