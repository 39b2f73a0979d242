internal import Passage

/// Runs work on stores in the foreground, shows the progress of a migration in it, and stops it on
/// request.
struct ForegroundWork {
  let console: Console
  let style: ProgressStyle

  /// - Throws: ``MigrationError``.
  func run<Result>(_ work: BackgroundWork<Result>) async throws -> Result {
    let signals = StopSignals { [console] in
      work.cancel()
      console.printMessage("stopping at the next batch; a second signal stops immediately")
    }
    defer { signals.stop() }
    var display = ProgressDisplay.make(style, console: console, look: CommandContext.look)
    for await progress in work.progress {
      CommandContext.log?.note(progress)
      display?.show(progress)
    }
    display?.finish()
    return try await work.value
  }
}
