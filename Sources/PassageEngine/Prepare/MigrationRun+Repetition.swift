internal import PassageDiagnostics
internal import PassageFiles
internal import PassagePlanning
internal import PassageStores

/// The file at the destination of a migration into another type of store is not what the migration
/// writes.
struct DestinationDiffers: Error {
  let path: String

  var diagnostic: Diagnostic {
    OccupiedPlace.refusal(
      path,
      reason: "it differs from the result of this migration: it was changed, or has other "
        + "contents")
  }
}

/// A repeated migration into another type of store.
///
/// A file of such a type cannot record what it was made from, and a separate file with that record
/// would become outdated or get lost. So the migration is run again, and the destination counts as
/// finished if it has the same contents as the new result.
extension MigrationRun {
  /// Whether the file at the destination can be the result of an earlier run: a complete file of
  /// the requested type, with the names of the model.
  func canBeRepeated(_ path: String) throws -> Bool {
    let unit = StoreUnit(path: path)
    // Opening a database that has a log would create an index beside it.
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

  /// The time that the earlier run used as `now()`; a different one if the file's modification time
  /// was changed.
  ///
  /// - Parameter isRepeating: whether the destination may be this migration's own result.
  /// - Returns: `nil` when it cannot be.
  func repeatedPresent(_ isRepeating: Bool) -> FrozenPresent? {
    isRepeating ? FrozenPresent(ofFileAt: destinationPath) : nil
  }

  /// Compares the destination with what this run has written. In either case nothing beside the
  /// destination is touched.
  ///
  /// - Throws: ``DestinationDiffers`` when they differ.
  func judgeRepetition(_ written: String) throws {
    guard let type = try outputType(),
      try type.isUnchanged(path: destinationPath, from: written)
    else { throw DestinationDiffers(path: destinationPath) }
  }

  /// The note of a run that found its own result at the destination.
  var repeatedNote: Diagnostic {
    Diagnostic(
      "RUN-087", "the file at the destination equals the result of this migration", severity: .note,
      at: SourceLocation(file: destinationPath),
      reason: "files of its type do not record how they were made, so the migration was repeated "
        + "beside it, with the same result")
  }

  /// The note of a plan about a destination that may already be finished.
  var repetitionNote: Diagnostic {
    Diagnostic(
      "RUN-016", "a file exists at the destination already", severity: .note,
      at: SourceLocation(file: destinationPath),
      reason:
        "a run compares it with its own result: if they are equal, nothing needs to be done; if "
        + "not, the run is refused (RUN-002)")
  }
}

extension DestinationDiffers: MigrationFailure {
  func migrationError(store path: String) -> MigrationError { MigrationError(diagnostic) }
}
