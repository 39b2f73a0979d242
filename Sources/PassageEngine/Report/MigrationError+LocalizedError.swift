internal import PassageDiagnostics
public import PassagePlatform

extension MigrationError: LocalizedError {
  /// What happened, from the first error.
  public var errorDescription: String? { diagnostics.errorDescription }

  /// Why it happened, from the first error, and what is on disk now.
  public var failureReason: String? {
    let sentences = [diagnostics.failureReason, diskState].compactMap(\.self)
    return sentences.isEmpty ? nil : sentences.joined(separator: "; ")
  }

  /// What to do next, from the first error.
  public var recoverySuggestion: String? { diagnostics.recoverySuggestion }
}
