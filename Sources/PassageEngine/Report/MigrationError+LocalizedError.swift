internal import PassageDiagnostics
public import PassagePlatform

extension MigrationError: LocalizedError {
  /// What happened, in the words of the first error.
  public var errorDescription: String? { diagnostics.errorDescription }

  /// Why, in the words of the first error, and what is on disk now.
  public var failureReason: String? {
    let sentences = [diagnostics.failureReason, diskState].compactMap(\.self)
    return sentences.isEmpty ? nil : sentences.joined(separator: "; ")
  }

  /// What to do next, in the words of the first error.
  public var recoverySuggestion: String? { diagnostics.recoverySuggestion }
}
