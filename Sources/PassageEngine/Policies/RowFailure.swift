internal import PassageDiagnostics
internal import PassageFiles
internal import PassagePages
internal import PassageSQLite
internal import PassageStores

/// An error while one object was migrated.
struct RowFailure: Error {
  /// The hook that threw; `nil` when no policy was called.
  var hook: MigrationHook?
  var mapping: String
  var entity: String
  /// The object's key; `nil` for a hook that is called once per mapping.
  var key: Int64?
  var underlying: any Error

  /// Whether the error is due to the object or the policy, and not to a cause such as a full disk
  /// or a damaged source.
  var isOfObject: Bool {
    switch underlying {
    case let error as SQLiteError: error.isStatementError || error.isConstraint
    case is FileSystem.Failure, is Cancellation, is UndeclaredNeed, is PagesUnsuitable,
      is DamagedTable, is KeyOutOfOrder, is PageDamage,
      is ConvertedValue:
      false
    case is StoreError, is MigrationError: hook != nil
    default: true
    }
  }
}

extension RowFailure {
  /// Describes the error.
  var diagnostic: Diagnostic {
    let object = key.map { " for the object with key \($0)" } ?? ""
    let reason =
      (underlying as? Diagnostic).map { failure in
        "\(failure.code): \(failure.message)" + (failure.reason.map { "; \($0)" } ?? "")
      } ?? "\(underlying)"
    if let hook {
      return Diagnostic(
        "RUN-041", "the policy of “\(mapping)” failed in \(hook.rawValue)\(object)",
        reason: reason)
    }
    if let missing = underlying as? MissingRequired {
      return Diagnostic(
        "RUN-044",
        "“\(mapping)” gives the required attribute “\(missing.attribute)” no value\(object)",
        remedy: "filter such objects out, or give the property a “default”")
    }
    return Diagnostic(
      "RUN-042", "“\(mapping)” cannot compute a value\(object)", reason: reason,
      remedy: (underlying as? Diagnostic)?.remedy ?? "filter such objects out")
  }
}

extension RowFailure: MigrationFailure {
  func migrationError(store path: String) -> MigrationError { MigrationError(diagnostic) }
}
