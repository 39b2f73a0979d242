internal import Dispatch
public import PassageEngine

/// Work on stores that runs on a thread of its own; the result of every call that starts work.
///
/// ```swift
/// let migration = upgrade.start(storeAt: url)
/// for await progress in migration.progress { print(progress.phase, progress.fraction) }
/// let report = try await migration.value
/// ```
///
/// Cancelling the task that awaits ``value``, or calling ``cancel()``, stops it soon.
public struct BackgroundWork<Result: Sendable>: Sendable {
  /// The progress of the work, at the end of each batch but at most ten times per second, and at each
  /// milestone, such as the start of a phase; it ends with the work. A slow reader gets only the
  /// newest value. Objects are counted if the work is, or includes, a migration.
  public let progress: AsyncStream<MigrationProgress>

  private let control: RunControl
  private let task: Task<Swift.Result<Result, MigrationError>, Never>

  /// Starts the work.
  ///
  /// - Parameters:
  ///   - storePath: the store that is read, for errors that do not name it.
  ///   - timeBudget: the time after which the work stops; `nil` for no limit.
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
      // SQLite blocks, so it must not run on a thread of the cooperative pool.
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

  /// Runs the work, and interrupts running statements when the work is asked to stop.
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

  /// The result of the work. Cancelling the task that awaits it stops the work.
  ///
  /// - Throws: the error that ended the work; of kind `cancelled` when it was stopped.
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

  /// Asks the work to stop. It stops at its next batch, and ``value`` then throws. If the work has
  /// no batch left, it finishes normally.
  public func cancel() { control.cancel() }
}
