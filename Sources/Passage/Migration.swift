public import PassageEngine

/// A migration that is running on a thread of its own. Stopped, it ends at its next batch; the same call
/// made again continues it.
public typealias Migration = BackgroundWork<MigrationReport>

extension StoreMigration {
  /// Starts the migration on a thread of its own, within the time budget of its options.
  package func start() -> Migration {
    Migration(storePath: storePath, timeBudget: options.timeBudget) { control in
      try run(control: control)
    }
  }
}
