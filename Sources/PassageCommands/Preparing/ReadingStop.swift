internal import Passage
internal import PassageFiles
internal import PassagePlatform
internal import PassageSQLite
internal import Synchronization

/// Ends a command when Ctrl-C, SIGTERM or SIGHUP asks for it while it reads stores, so that nothing stays
/// beside them.
///
/// SQLite makes files beside a store in WAL mode, which are removed when the store is closed. So the
/// command's statements are ended, and it comes to its own end. If it does not come to it soon, or has
/// no store open, the process ends. While a ``StopSignals`` is there, it gets the signals instead.
final class ReadingStop: Sendable {
  private struct State {
    /// Made when a store is opened first, or when there is a first handler.
    var sources: SignalSources?
    /// What handles the signals instead; the last one gets them.
    var handlers: [(number: Int, stop: @Sendable () -> Void)] = []
    var lastNumber = 0
    /// Over the command's connections, as long as it runs.
    var watch: StatementWatch?
    var isFinished = false
  }

  private let state = Mutex(State())
  private let isAsked = Atomic(false)

  /// Runs what may read stores. Called once.
  ///
  /// - Parameter isAnswer: whether `body` only reads. What a command that writes has done is told, whenever it
  ///   is asked to stop.
  /// - Throws: the errors of `body`; ``MigrationError`` with `RUN-013` in place of an error, or of the result
  ///   of what only reads, if the command was asked to stop: the end of a statement may have changed either.
  func during<Result>(
    isAnswer: Bool, _ body: () async throws -> Result
  ) async throws -> Result {
    defer { finish() }
    do {
      let result = try await StatementWatch.$current.withValue(watch()) { try await body() }
      guard isAnswer, isAsked.load(ordering: .relaxed) else { return result }
      throw Self.failure(insteadOf: nil, isAnswer: true)
    } catch {
      guard isAsked.load(ordering: .relaxed) else { throw error }
      throw Self.failure(insteadOf: error, isAnswer: isAnswer)
    }
  }

  /// Runs what may read stores on this thread. Called once.
  func during<Result>(_ body: () throws -> Result) throws -> Result {
    defer { finish() }
    do {
      let result = try StatementWatch.$current.withValue(watch()) { try body() }
      guard isAsked.load(ordering: .relaxed) else { return result }
      throw Self.failure(insteadOf: nil, isAnswer: true)
    } catch {
      guard isAsked.load(ordering: .relaxed) else { throw error }
      throw Self.failure(insteadOf: error, isAnswer: true)
    }
  }

  /// Has the signals handled in another way.
  ///
  /// - Returns: the number for ``remove(_:)``.
  func add(_ stop: @escaping @Sendable () -> Void) -> Int {
    let number = state.withLock { state in
      state.lastNumber += 1
      state.handlers.append((state.lastNumber, stop))
      return state.lastNumber
    }
    handleSignals()
    return number
  }

  /// Ends another way of handling the signals.
  func remove(_ number: Int) {
    state.withLock { state in
      state.handlers.removeAll { $0.number == number }
      leaveSignalsIfFinished(&state)
    }
  }

  // MARK: Stopping

  /// The watch over the command's connections, kept until ``finish()``.
  private func watch() -> StatementWatch {
    let watch = StatementWatch(
      willBegin: { [self] in handleSignals() },
      isAsked: { [self] in isAsked.load(ordering: .relaxed) })
    state.withLock { $0.watch = watch }
    return watch
  }

  private func handleSignals() {
    state.withLock { state in
      guard state.sources == nil, !state.isFinished else { return }
      state.sources = SignalSources { [self] in stop() }
    }
  }

  private func stop() {
    // The statements end until the command has closed its stores and ends the process.
    var idleTimes = 0
    for _ in 0..<100 where idleTimes < 25 {
      let (handler, watch) = state.withLock { ($0.handlers.last?.stop, $0.watch) }
      // Also of work that has begun since, when no statement was there to be ended.
      if let handler { return handler() }
      isAsked.store(true, ordering: .relaxed)
      watch?.interruptIfAsked()
      FileSystem().pause(milliseconds: 20)
      idleTimes = watch?.isIdle == false ? 0 : idleTimes + 1
    }
    exit(MigrationError.Kind.cancelled.rawValue)
  }

  private func finish() {
    state.withLock { state in
      state.watch = nil
      state.isFinished = true
      leaveSignalsIfFinished(&state)
    }
  }

  private func leaveSignalsIfFinished(_ state: inout State) {
    guard state.isFinished, state.handlers.isEmpty else { return }
    // Whoever was asked to stop has the default actions already.
    if !isAsked.load(ordering: .relaxed) { state.sources?.stop() }
  }

  /// With what a command ends that was asked to stop. What was stopped itself says what is on disk. A
  /// command that was stopped while it read, before it wrote, has written nothing.
  ///
  /// - Parameter error: what the command threw; `nil` if it has a result.
  static func failure(insteadOf error: (any Error)?, isAnswer: Bool) -> any Error {
    let own = (error as? ReportedFailure)?.error ?? (error as? MigrationError)
    if let error, let own, own.kind == .cancelled, own.diskState != nil { return error }
    return MigrationError(
      Diagnostic(
        "RUN-013", "the command was stopped before it was finished",
        remedy: "run the same command again"),
      diskState: own?.diskState ?? (isAnswer ? nil : "nothing was written"))
  }
}

extension CommandContext {
  /// What ends the command on a signal; `nil` outside of a command.
  @TaskLocal static var reading: ReadingStop?
}
