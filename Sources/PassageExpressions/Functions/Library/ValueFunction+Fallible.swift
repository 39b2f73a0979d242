import PassageDiagnostics
import PassageValues

extension ValueFunction {
  /// Two variants of a function that cannot read every value: one with its own name, which ends the
  /// migration in that case, and one with `OrNull` after the first part of its name, which gives
  /// NULL.
  static func reading(
    _ selector: String, _ parameters: [Parameter], _ type: ValueType,
    check: (@Sendable ([Value?]) throws -> Void)? = nil, makeBody: @escaping @Sendable () -> Body
  ) -> [ValueFunction] {
    let base = selector.prefix { $0 != ":" }
    return [
      ValueFunction(selector, parameters, type, check: check, makeBody: makeBody),
      ValueFunction(
        base + "OrNull" + selector.dropFirst(base.count), parameters, type, check: check
      ) {
        let body = makeBody()
        return { arguments in
          do {
            return try body(arguments)
          } catch let diagnostic as Diagnostic where diagnostic.code == FunctionCode.unreadable {
            return .null
          }
        }
      },
    ]
  }
}
