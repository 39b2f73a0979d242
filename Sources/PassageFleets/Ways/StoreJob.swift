package import PassageEngine
package import PassageFiles
internal import PassageStores

/// The migration of one store of a fleet. It does what `migrate run` does for the store, with what was
/// prepared for all.
package struct StoreJob {
  package let ways: FleetWays
  package let places: ResultPlaces
  package let files: FileSystem

  package init(ways: FleetWays, places: ResultPlaces, files: FileSystem) {
    self.ways = ways
    self.places = places
    self.files = files
  }

  /// - Parameters:
  ///   - path: the store.
  ///   - notes: gets the way and what the store says of itself, as soon as they are known.
  /// - Throws: ``MigrationError``.
  package func run(
    _ path: String, control: RunControl, notes: inout StoreNotes
  ) throws -> MigrationReport {
    do {
      let destination = try places.destination(of: path)
      let (way, metadata, sight) = try ways.way(ofStoreAt: path) {
        guard case .inPlace = destination else { return }
        try InterruptedCutOver.rollBack(storePath: path, files: files)
      }
      (notes.way, notes.metadata) = (way, metadata)
      guard let migration = way.migration(of: path, to: destination, ways, files: files) else {
        return upToDate(path, destination)
      }
      // A refusal may be the effect of another runner's work: the run itself decides.
      if let metadata, let report = try? migration.finishedReport(metadata) {
        removeSpareFolders()
        return report
      }
      try places.makeFolder(of: destination, files: files)
      return try migration.run(control: control, isRolledBack: true, sight: sight)
    } catch {
      throw MigrationError(error, store: path)
    }
  }

  /// As long as stores need no work folder, none is left beside the last one that did.
  private func removeSpareFolders() { files.spareFolders?.removeAll(files) }

  private func upToDate(_ path: String, _ destination: MigrationDestination) -> MigrationReport {
    let worked: String
    switch destination {
    case .file(let path): worked = path
    case .inPlace: worked = files.resolved(path)
    }
    removeSpareFolders()
    // The last run may have been interrupted after its cut-over.
    return MigrationReport(
      outcome: .upToDate, sourcePath: path, destinationPath: path,
      warnings: FinishedWork.remove(destinationPath: worked, storePath: path, files: files))
  }

  /// Whether a run would find nothing to do. Nothing is written.
  ///
  /// - Throws: ``MigrationError``.
  package func isDone(_ path: String) throws -> Bool {
    do {
      let destination = try places.destination(of: path)
      let (way, metadata, _) = try ways.way(ofStoreAt: path)
      guard let migration = way.migration(of: path, to: destination, ways, files: files) else {
        return true
      }
      // Any other kind of store, and one that cannot be read, is looked at as a plan does.
      return try metadata.map { try migration.isFinished($0) } ?? migration.plan().isUpToDate
    } catch {
      throw MigrationError(error, store: path)
    }
  }
}
