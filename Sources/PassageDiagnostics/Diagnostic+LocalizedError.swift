public import PassagePlatform

extension Diagnostic: LocalizedError {
  /// What is wrong, in one sentence.
  public var errorDescription: String? { message }

  /// Why it is wrong.
  public var failureReason: String? { reason }

  /// What to do next.
  public var recoverySuggestion: String? { remedy }
}

extension Diagnostics: LocalizedError {
  /// The one that speaks for all: the first error, or the first of all where nothing is an error.
  private var spokesman: Diagnostic? { first { $0.severity == .error } ?? first }

  /// What is wrong, in the words of the first error.
  public var errorDescription: String? { spokesman?.errorDescription }

  /// Why, in the words of the first error.
  public var failureReason: String? { spokesman?.failureReason }

  /// What to do next, in the words of the first error.
  public var recoverySuggestion: String? { spokesman?.recoverySuggestion }
}
