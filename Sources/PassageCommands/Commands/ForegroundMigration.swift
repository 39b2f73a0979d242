internal import Passage

/// Runs a migration in the foreground: shows its progress and stops it when the user asks.
struct ForegroundMigration {
  let console: Console
  let style: ProgressStyle

  /// - Throws: ``MigrationError``.
  func run(_ migration: StoreMigration) async throws -> MigrationReport {
    let running = migration.start()
    let signals = StopSignals { [console] in
      running.cancel()
      console.printMessage("stopping at the next batch; once more ends at once")
    }
    defer { signals.stop() }
    var display = ProgressDisplay.make(style, console: console)
    for await progress in running.progress { display?.show(progress) }
    display?.finish()
    return try await running.value
  }
}
