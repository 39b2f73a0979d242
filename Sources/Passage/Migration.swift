internal import Dispatch
public import PassageEngine

/// A migration that is running on a thread of its own.
///
/// Cancelling the task that awaits ``value``, or calling ``cancel()``, stops it at its next batch;
/// the same call made again continues it.
public struct Migration: Sendable {
  /// How far it has come, about ten times a second and at each milestone; ends with the migration.
  /// Only the newest value is kept for a slow reader.
  public let progress: AsyncStream<MigrationProgress>

  private let control: RunControl
  private let task: Task<MigrationReport, any Error>

  init(
    timeBudget: Duration?,
    _ body: @escaping @Sendable (RunControl) throws -> MigrationReport
  ) {
    let (stream, continuation) = AsyncStream.makeStream(
      of: MigrationProgress.self, bufferingPolicy: .bufferingNewest(1))
    let control = RunControl(timeBudget: timeBudget) { continuation.yield($0) }
    progress = stream
    self.control = control
    task = Task.detached {
      defer { continuation.finish() }
      // SQLite blocks: it must not take a thread of the cooperative pool.
      return try await withCheckedThrowingContinuation { result in
        DispatchQueue(label: "passage.migration", qos: .userInitiated).async {
          result.resume(with: Result { try body(control) })
        }
      }
    }
  }

  /// What the migration did.
  ///
  /// - Throws: `MigrationError`.
  public var value: MigrationReport {
    get async throws {
      try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        control.cancel()
      }
    }
  }

  /// Asks the migration to stop at its next batch.
  public func cancel() { control.cancel() }
}

extension StoreMigration {
  /// Starts the migration on a thread of its own, within the time budget of its options.
  public func start() -> Migration {
    Migration(timeBudget: options.timeBudget) { control in try run(control: control) }
  }
}
