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

extension MigrationError {
  /// The code of the error as an `NSError`, whose domain is `PassageEngine.MigrationError`: the exit status of
  /// its ``kind``. `CustomNSError` would bring all of Foundation, and on Linux take the sentences away.
  public var _code: Int { Int(kind.rawValue) }
}
