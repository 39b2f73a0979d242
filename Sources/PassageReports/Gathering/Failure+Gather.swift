package import PassageDiagnostics
package import PassageEngine

extension MigrationPage.Failure {
  /// What an error says.
  ///
  /// - Parameter excerpt: the lines of an author's file for a diagnostic; empty for none.
  package init(_ error: MigrationError, excerpt: (Diagnostic) -> [String]) {
    self.init(
      summary: error.kind.summary, exitStatus: Int(error.kind.rawValue),
      findings: error.diagnostics.map { diagnostic in
        var finding = MigrationPage.Finding(diagnostic, excerpt: excerpt(diagnostic))
        finding.isExplained = MigrationError.Kind(code: diagnostic.code) != nil
        return finding
      },
      diskState: error.diskState)
    unlistedCount = error.diagnostics.unlistedCount
  }
}

extension MigrationError.Kind {
  /// The class of failure in words, as in the list of exit statuses.
  fileprivate var summary: String {
    switch self {
    case .bug: "a mistake in Passage itself"
    case .migrationNeeded: "the store must be migrated first"
    case .checkFailed: "a check of the history has findings"
    case .sourceModelUnknown: "the source model is not known"
    case .noMapping: "there is no mapping between two models"
    case .locked: "another runner or program is at work"
    case .diskTooSmall: "the disk is too small"
    case .inputOutput: "the system failed to read or write; the same command continues"
    case .cancelled: "stopped; the same command continues"
    case .sourceDamaged: "the source is damaged"
    case .policyFailed: "a policy, a value or a validation failed"
    case .verificationFailed: "the verification failed"
    case .valuesLost: "values would be lost that may not be lost"
    case .wrongCall: "the call is wrong"
    case .wrongFile: "a model, mapping model, history or predicate is wrong"
    }
  }
}
