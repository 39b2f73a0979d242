import PassageDiagnostics
import PassageValues

extension ValueFunction {
  /// A function that may meet a value it cannot read, in both its forms: under its own name that
  /// ends the migration, and with `OrNull` after the first part of its name it gives NULL.
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
