internal import PassageDiagnostics
internal import PassageSQLite
internal import PassageStores

/// Turns whatever ended a run into one kind of error: what happened, where, why, what is on disk,
/// what to do next. Sentences about failures are made here and nowhere else.
struct Failure {
  let sourcePath: String
  let workspace: String
  /// Whether work that the next run continues is in the workspace.
  let keepsWork: Bool

  func migrationError(_ error: any Error) -> MigrationError {
    var result = classified(error)
    if result.diskState == nil {
      result.diskState =
        keepsWork
        ? "the source is unchanged; the work so far is in \(workspace), and the same command goes on "
          + "from there" : "the source is unchanged and nothing was left behind"
    }
    return result
  }

  private func classified(_ error: any Error) -> MigrationError {
    switch error {
    case let error as MigrationError:
      return error
    case let error as StoreError:
      return MigrationError(Self.kind(error), error.diagnostic)
    case let error as SQLiteError:
      return classified(error)
    case let error as FileSystem.Failure:
      return MigrationError(
        error.isNoSpace ? .diskTooSmall : .inputOutput,
        Diagnostic(
          error.isNoSpace ? "RUN-006" : "RUN-007",
          error.isNoSpace ? "the disk is full" : "the operating system refused an operation",
          at: SourceLocation(file: error.path), reason: error.description,
          remedy: "see to the disk, then run the same command again"))
    case let error as RowFailure:
      return MigrationError(.policyFailed, Self.diagnostic(error))
    case let error as QuarantineFull:
      return MigrationError(.policyFailed, error.diagnostics)
    case let error as DestinationDiffers:
      return MigrationError(.wrongCall, error.diagnostic)
    case is Cancellation:
      return MigrationError(
        .cancelled,
        Diagnostic(
          "RUN-013", "the migration was stopped before it was finished",
          remedy: "run the same command again to go on"))
    case is SourceChanged:
      return MigrationError(
        .inputOutput,
        Diagnostic(
          "RUN-012", "the source was changed while it was migrated",
          at: SourceLocation(file: sourcePath),
          remedy: "end the programs that write to it, then run the same command again"),
        diskState: "the source is as the other program left it; the work so far was thrown away")
    case let error as Diagnostics:
      let kind = error.storeErrorKind.map { Self.kind(StoreError($0, path: sourcePath)) }
      return MigrationError(kind ?? .wrongFile, error)
    case let error as Diagnostic:
      return MigrationError(.policyFailed, error)
    case let error as PolicyMistake:
      return MigrationError(
        .policyFailed, Diagnostic("RUN-041", "a policy failed", reason: error.description))
    default:
      return MigrationError(
        .bug,
        Diagnostic(
          "RUN-099", "an error that was not foreseen", reason: "\(error)",
          remedy: "this is a bug of Passage: please report it"))
    }
  }

  private func classified(_ error: SQLiteError) -> MigrationError {
    if error.isInterrupt { return classified(Cancellation()) }
    if error.isDamage { return classified(StoreError(error, path: sourcePath)) }
    let isFull = error.isDiskFull
    let kind: MigrationError.Kind =
      if isFull {
        .diskTooSmall
      } else if error.isBusy {
        .locked
      } else if error.isInputOutput || error.isCannotOpen || error.isReadOnly {
        .inputOutput
      } else if error.primaryCode == 1 {
        // A function of the expression language said no.
        .policyFailed
      } else {
        .bug
      }
    return MigrationError(
      kind,
      Diagnostic(
        isFull ? "RUN-006" : "RUN-008", isFull ? "the disk is full" : "SQLite refused a statement",
        at: SourceLocation(file: sourcePath), reason: error.description,
        remedy: isFull ? "free some room, then run the same command again" : nil))
  }

  private static func kind(_ error: StoreError) -> MigrationError.Kind {
    if error.isDamage { return .sourceDamaged }
    return switch error.kind {
    case .locked: .locked
    case .diskFull: .diskTooSmall
    case .missing: .wrongCall
    case .interrupted: .cancelled
    default: .inputOutput
    }
  }

  static func diagnostic(_ failure: RowFailure) -> Diagnostic {
    let object = failure.key.map { " for the object with key \($0)" } ?? ""
    let reason =
      (failure.underlying as? Diagnostic).map { "\($0.code): \($0.message)" }
      ?? "\(failure.underlying)"
    if let hook = failure.hook {
      return Diagnostic(
        "RUN-041", "the policy of “\(failure.mapping)” failed in \(hook.rawValue)\(object)",
        reason: reason)
    }
    if let missing = failure.underlying as? MissingRequired {
      return Diagnostic(
        "RUN-044",
        "“\(failure.mapping)” gives “\(missing.attribute)” no value\(object), and it needs one",
        remedy: "filter such objects out, or give the property a \"default\"")
    }
    return Diagnostic(
      "RUN-042", "“\(failure.mapping)” cannot compute a value\(object)", reason: reason,
      remedy: "filter such objects out, or give the property a \"default\"")
  }
}
