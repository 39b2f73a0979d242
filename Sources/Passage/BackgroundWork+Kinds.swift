public import PassageEngine

/// A migration that runs on a thread of its own. If it is stopped, it ends at its next batch;
/// repeating the same call continues it.
public typealias Migration = BackgroundWork<MigrationReport>

/// An installation that runs on a thread of its own. If it is stopped, it leaves nothing at the
/// destination.
public typealias Installation = BackgroundWork<InstallationReport>

/// A packing that runs on a thread of its own. If it is stopped, it leaves nothing at the output
/// path.
public typealias Packing = BackgroundWork<PackingReport>

/// A restoration that runs on a thread of its own. If it is stopped, the store is as it was.
public typealias Restoration = BackgroundWork<KeptStore.RestorationReport>

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

extension StoreRestoration {
  /// Starts the restoration on a thread of its own.
  package func start() -> Restoration {
    Restoration(storePath: store.path) { control in try run(control: control) }
  }
}
