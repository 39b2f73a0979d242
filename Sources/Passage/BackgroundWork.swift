internal import Dispatch
public import PassageEngine

/// Work on stores that is running on a thread of its own.
///
/// Cancelling the task that awaits ``value``, or calling ``cancel()``, stops it soon.
public struct BackgroundWork<Result: Sendable>: Sendable {
  /// How far a migration within the work has come, about ten times a second and at each milestone; ends
  /// with the work. Only the newest value is kept for a slow reader.
  public let progress: AsyncStream<MigrationProgress>

  private let control: RunControl
  private let task: Task<Result, any Error>

  init(timeBudget: Duration?, _ body: @escaping @Sendable (RunControl) throws -> Result) {
    let (stream, continuation) = AsyncStream.makeStream(
      of: MigrationProgress.self, bufferingPolicy: .bufferingNewest(1))
    let control = RunControl(timeBudget: timeBudget) { continuation.yield($0) }
    progress = stream
    self.control = control
    task = Task.detached {
      defer { continuation.finish() }
      // SQLite blocks: it must not take a thread of the cooperative pool.
      return try await withCheckedThrowingContinuation { result in
        DispatchQueue(label: "passage.work", qos: .userInitiated).async {
          result.resume(with: Swift.Result { try Self.perform(body, control) })
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

  /// What the work gave.
  ///
  /// - Throws: `MigrationError`.
  public var value: Result {
    get async throws {
      try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        control.cancel()
      }
    }
  }

  /// Asks the work to stop.
  public func cancel() { control.cancel() }
}
