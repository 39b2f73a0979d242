internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageValues

extension EvaluationContext {
  /// A context in which expressions call the functions of a policy.
  ///
  /// - Parameter functions: by selector.
  init(now: Double, functions: [String: PolicyFunction]) {
    self.init(now: now) { selector, arguments in
      guard let function = functions[selector] else {
        throw PolicyMistake("the policy has no function “\(selector)”")
      }
      let result = try function(arguments)
      guard !result.isNotANumber else { throw Self.notANumber(selector) }
      return result
    }
  }

  private static func notANumber(_ selector: String) -> Diagnostic {
    Diagnostic(
      FunctionCode.wrongResult,
      "the policy's function “\(selector)” returned a value that is not a number, "
        + "which SQLite stores as nil", remedy: "correct the function: it may return nil")
  }
}
