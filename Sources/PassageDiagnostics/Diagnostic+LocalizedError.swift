public import PassagePlatform

extension Diagnostic: LocalizedError {
  /// The message of the diagnostic.
  public var errorDescription: String? { message }

  /// The reason of the diagnostic.
  public var failureReason: String? { reason }

  /// The remedy of the diagnostic.
  public var recoverySuggestion: String? { remedy }
}

extension Diagnostics: LocalizedError {
  /// The diagnostic that represents the list: the first error, or the first diagnostic if there are
  /// no errors.
  private var spokesman: Diagnostic? { first { $0.severity == .error } ?? first }

  /// The message of the first error.
  public var errorDescription: String? { spokesman?.errorDescription }

  /// The reason of the first error.
  public var failureReason: String? { spokesman?.failureReason }

  /// The remedy of the first error.
  public var recoverySuggestion: String? { spokesman?.recoverySuggestion }
}
