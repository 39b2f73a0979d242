internal import Passage

/// Runs a migration in the foreground, shows its progress, and stops it on request.
struct ForegroundMigration {
  let console: Console
  let style: ProgressStyle

  /// - Throws: ``MigrationError``.
  func run(_ migration: StoreMigration) async throws -> MigrationReport {
    try await ForegroundWork(console: console, style: style).run(migration.start())
  }
}
