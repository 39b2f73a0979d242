internal import PassageFiles
internal import PassageDiagnostics
internal import PassagePlanning
internal import PassageStores

/// What is at the destination of a migration into a type of store that is not Core Data's, and is
/// not what the migration writes.
struct DestinationDiffers: Error {
  let path: String

  var diagnostic: Diagnostic {
    OccupiedPlace.refusal(
      path, reason: "it is not what this migration writes: it was changed, or has other contents")
  }
}

/// A migration into a type of store that is not Core Data's, repeated.
///
/// A file of such a type has no room to say what it was made from, and a note beside it would go
/// stale or be lost. So it is judged by what counts: the migration is done again, and the destination
/// is finished when it holds what was written now.
extension MigrationRun {
  /// Whether the file at the destination can be an earlier run's result: a whole file of the type
  /// asked for, with the names of the model.
  func canBeRepeated(_ path: String) throws -> Bool {
    let unit = StoreUnit(path: path)
    // To open a database with its log would make an index beside it.
    guard try [unit.walPath, unit.journalPath].allSatisfy({ try files.byteCount($0) == 0 }),
      let type = try outputType(), let last = steps.last,
      (try? FileSystem.linkStatus(path))?.kind == .file,
      options.boundedStoreTypes.type(ofFileAt: path)?.name == type.name
    else { return false }
    do {
      _ = try type.open(path: path, as: last.destination)
      return true
    } catch let refusal as MemoryExceeded {
      throw refusal
    } catch {
      return false
    }
  }

  /// The present that the earlier run had; another one where the file's time was changed.
  func repeatedPresent() -> FrozenPresent? {
    guard isRepeating else { return nil }
    return (try? FileSystem.status(destinationPath))
      .flatMap { FrozenPresent(fileTime: $0.modifiedNanoseconds) }
  }

  /// Compares the destination with what this run has written. Nothing beside the destination is
  /// touched either way.
  ///
  /// - Throws: ``DestinationDiffers``.
  func judgeRepetition(_ written: String) throws {
    guard let type = try outputType(),
      try type.isUnchanged(path: destinationPath, from: written)
    else { throw DestinationDiffers(path: destinationPath) }
  }

  /// What a run says that found its own result.
  var repeatedNote: Diagnostic {
    Diagnostic(
      "RUN-087", "the file at the destination is what this migration writes", severity: .note,
      at: SourceLocation(file: destinationPath),
      reason: "files of its type keep no record of what made them: the migration was done again, "
        + "beside it, and gave the same")
  }

  /// What a plan says of a destination that may be finished.
  var repetitionNote: Diagnostic {
    Diagnostic(
      "RUN-016", "a file exists at the destination already", severity: .note,
      at: SourceLocation(file: destinationPath),
      reason:
        "a run compares it with what it writes: nothing is to do when they are equal, and it is "
        + "refused (RUN-002) when they are not")
  }
}

extension DestinationDiffers: MigrationFailure {
  func migrationError(store path: String) -> MigrationError { MigrationError(diagnostic) }
}
