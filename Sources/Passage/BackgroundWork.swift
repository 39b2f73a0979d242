internal import Dispatch
public import PassageEngine

/// Work on stores that is running on a thread of its own: what every call that starts work gives.
///
/// ```swift
/// let migration = upgrade.start(storeAt: url)
/// for await progress in migration.progress { print(progress.phase, progress.fraction) }
/// let report = try await migration.value
/// ```
///
/// Cancelling the task that awaits ``value``, or calling ``cancel()``, stops it soon.
public struct BackgroundWork<Result: Sendable>: Sendable {
  /// How far the work has come, about ten times a second and at each milestone; ends with the work. Only
  /// the newest value is kept for a slow reader. Objects are counted where a migration is the work, or
  /// part of it.
  public let progress: AsyncStream<MigrationProgress>

  private let control: RunControl
  private let task: Task<Swift.Result<Result, MigrationError>, Never>

  /// Starts the work.
  ///
  /// - Parameters:
  ///   - storePath: the store that is read, for errors that do not name it.
  ///   - timeBudget: how long it may take; `nil` for no limit.
  ///   - body: the work; its control says when to stop.
  package init(
    storePath: String, timeBudget: Duration? = nil,
    _ body: @escaping @Sendable (RunControl) throws -> Result
  ) {
    let (stream, continuation) = AsyncStream.makeStream(
      of: MigrationProgress.self, bufferingPolicy: .bufferingNewest(1))
    let control = RunControl(timeBudget: timeBudget) { continuation.yield($0) }
    progress = stream
    self.control = control
    task = Task.detached {
      defer { continuation.finish() }
      // SQLite blocks: it must not take a thread of the cooperative pool.
      return await withCheckedContinuation { result in
        DispatchQueue(label: "passage.work", qos: .userInitiated).async {
          do {
            result.resume(returning: .success(try Self.perform(body, control)))
          } catch {
            result.resume(returning: .failure(MigrationError(error, store: storePath)))
          }
        }
      }
    }
  }

  /// Does the work, and ends statements that run when it is asked to stop.
  private static func perform(
    _ body: (RunControl) throws -> Result, _ control: RunControl
  ) throws -> Result {
    try control.watching { check in
      let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "passage.watch"))
      timer.schedule(deadline: .now() + .milliseconds(250), repeating: .milliseconds(250))
      timer.setEventHandler(handler: check)
      timer.resume()
      defer { timer.cancel() }
      return try body(control)
    }
  }

  /// The result of the work. Cancelling the task that waits for it stops the work.
  ///
  /// - Throws: why the work failed; of kind `cancelled` when it was stopped.
  public var value: Result {
    get async throws(MigrationError) {
      let result = await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        control.cancel()
      }
      return try result.get()
    }
  }

  /// Asks the work to stop; it does at its next batch, and ``value`` throws then. Work that is past its
  /// last place to stop ends as if nothing had been asked.
  public func cancel() { control.cancel() }
}
