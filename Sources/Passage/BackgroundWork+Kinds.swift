public import PassageEngine

/// A migration that is running on a thread of its own. Stopped, it ends at its next batch; the same call
/// made again continues it.
public typealias Migration = BackgroundWork<MigrationReport>

/// An installation that is running on a thread of its own. Stopped, it leaves nothing at the destination.
public typealias Installation = BackgroundWork<InstallationReport>

/// A packing that is running on a thread of its own. Stopped, it leaves nothing at the output.
public typealias Packing = BackgroundWork<PackingReport>

extension StoreMigration {
  /// Starts the migration on a thread of its own, within the time budget of its options.
  package func start() -> Migration {
    Migration(storePath: storePath, timeBudget: options.limits.timeBudget) { control in
      try run(control: control)
    }
  }
}

extension StoreInstallation {
  /// Starts the installation on a thread of its own, within the time budget of its options.
  package func start() -> Installation {
    Installation(storePath: source.path, timeBudget: options.migration.limits.timeBudget) {
      control in
      try run(control: control)
    }
  }
}

extension StorePacking {
  /// Starts the packing on a thread of its own.
  package func start() -> Packing {
    Packing(storePath: source.path) { control in try run(control: control) }
  }
}
