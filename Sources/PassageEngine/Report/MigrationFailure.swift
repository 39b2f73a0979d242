internal import PassageDiagnostics
internal import PassageFiles
internal import PassageSQLite
internal import PassageStores

/// An error that determines its own class of failure and its diagnostics.
///
/// Nothing else decides an exit status, so code that throws such an error need not know who catches
/// it.
protocol MigrationFailure: Error {
  /// The failure as a ``MigrationError``, with its class.
  ///
  /// - Parameter path: the store that was read, for errors that do not contain their file.
  func migrationError(store path: String) -> MigrationError
}

extension MigrationError {
  /// Turns any error into a migration error with a class. An error that is not a
  /// `MigrationFailure` is reported as a bug.
  ///
  /// - Parameters:
  ///   - error: the error that was thrown.
  ///   - path: the store that was processed, for errors that do not contain their file.
  public init(_ error: any Error, store path: String) {
    guard let failure = error as? any MigrationFailure else {
      self.init(
        Diagnostic(
          "RUN-099", "an unexpected error occurred", reason: "\(error)",
          remedy: "this is a bug of Passage: please report it"))
      return
    }
    self = failure.migrationError(store: path)
  }

  /// Turns any error of a command that takes no destination into a migration error.
  ///
  /// - Parameters:
  ///   - error: the error that was thrown.
  ///   - path: the store that was processed, for errors that do not contain their file.
  ///   - elsewhere: what can be done without permission to write; `nil` for nothing.
  package init(_ error: any Error, store path: String, elsewhere: String?) {
    if let failure = error as? FileSystem.Failure, failure.isPermission {
      self.init(failure.permissionDiagnostic(elsewhere: elsewhere))
    } else {
      self.init(error, store: path)
    }
  }
}

extension MigrationError: MigrationFailure {
  func migrationError(store path: String) -> MigrationError { self }
}

extension Diagnostic: MigrationFailure {
  func migrationError(store path: String) -> MigrationError { MigrationError(self) }
}

extension Diagnostics: MigrationFailure {
  func migrationError(store path: String) -> MigrationError { MigrationError(self) }
}

extension MemoryExceeded: MigrationFailure {
  func migrationError(store path: String) -> MigrationError { MigrationError(diagnostic) }
}

extension SQLiteError: MigrationFailure {
  func migrationError(store path: String) -> MigrationError {
    if isInterrupt { return Cancellation().migrationError(store: path) }
    if isDamage || isBusy || isTooManyOpenFiles || isNameTooLong {
      return StoreError(self, path: path).migrationError(store: path)
    }
    // All databases of a run are made in the encoding of the source.
    if isOtherEncoding {
      return StoreError(.damaged, path: path, detail: description).migrationError(store: path)
    }
    let place = SourceLocation(file: path)
    let diagnostic =
      if isDiskFull {
        Diagnostic.diskFull(at: place, description)
      } else if isPermission {
        StoreError(.permissionDenied, path: path, detail: description).diagnostic
      } else if isInputOutput || isCannotOpen {
        Diagnostic.refusedOperation(at: place, description)
      } else if isStatementError, !isOfAttaching {
        // A function of the expression language failed.
        Diagnostic(
          "RUN-042", "a value cannot be computed", at: place, reason: message,
          remedy: "filter such objects out")
      } else {
        Diagnostic("RUN-008", "SQLite refused a statement", at: place, reason: description)
      }
    return MigrationError(diagnostic)
  }
}

extension FileSystem.Failure: MigrationFailure {
  func migrationError(store _: String) -> MigrationError {
    let place = SourceLocation(file: path)
    let diagnostic =
      if isNoSpace {
        Diagnostic.diskFull(at: place, description)
      } else if isPermission {
        permissionDiagnostic(
          elsewhere:
            "name a destination elsewhere (--output FILE), for a fleet a folder (--output-dir DIR)")
      } else if isTooManyOpenFiles || isNameTooLong {
        StoreError(self, path: path).diagnostic
      } else {
        Diagnostic.refusedOperation(at: place, description)
      }
    return MigrationError(diagnostic)
  }

  /// That this user may not do it.
  ///
  /// - Parameter elsewhere: what does without the permission; `nil` for nothing.
  fileprivate func permissionDiagnostic(elsewhere: String?) -> Diagnostic {
    Diagnostic(
      "STO-112", "this user does not have permission for this operation",
      at: SourceLocation(file: path), reason: description,
      remedy: ([permissionRemedy] + [elsewhere].compactMap(\.self)).joined(separator: ", or "))
  }

  /// What gives this user the missing permission.
  private var permissionRemedy: String {
    if isReadOnlyFileSystem { return "make the file system writable, which is read-only" }
    let folder = StoreUnit(path: path).folder
    if [.rename, .remove].contains(operation), FileSystem.isHeldByStickyBit(path) {
      return "\(folder) has the sticky bit, so that only the owner of the file or of the folder "
        + "can replace it: run the same command as one of them"
    }
    return "give this user permission to read and write in \(folder)"
  }
}

extension Cancellation: MigrationFailure {
  func migrationError(store path: String) -> MigrationError {
    MigrationError(
      Diagnostic(
        "RUN-013", "the work was stopped before it was finished",
        remedy: "run the same command again"))
  }

  /// The error of a run that has left nothing to continue when its time budget was over.
  static var beforeAnythingIsKept: MigrationError {
    MigrationError(
      Diagnostic(
        "RUN-013", "the work was stopped before it was finished",
        reason: "the time budget was over before anything was done that could be kept",
        remedy: "allow more time (--time-budget), then run the same command again"))
  }
}

extension Diagnostic {
  fileprivate static func diskFull(at place: SourceLocation, _ reason: String) -> Self {
    Diagnostic(
      "RUN-006", "the disk is full", at: place, reason: reason,
      remedy: "free some disk space, then run the same command again")
  }

  fileprivate static func refusedOperation(at place: SourceLocation, _ reason: String) -> Self {
    Diagnostic(
      "RUN-007", "the operating system refused an operation", at: place, reason: reason,
      remedy: "check the disk, then run the same command again")
  }
}
