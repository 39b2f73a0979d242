internal import Dispatch
internal import PassageEngine

extension StoreFleet {
  /// A run over stores that has begun.
  ///
  /// Results wait to be read: if nobody reads ``results`` or awaits ``value``, the run pauses after a
  /// thousand of them. Awaiting ``value`` while nobody reads discards results. An iterator that exists
  /// counts as a reader: read to the end, let it go, or call ``cancel()``, or the run waits for it.
  public struct Run: Sendable {
    private let control: RunControl
    let channel: ResultChannel<Result>
    private let task: Task<Swift.Result<Summary, MigrationError>, Never>

    init(
      timeBudget: Duration?,
      _ body:
        @escaping @Sendable (RunControl, @escaping @Sendable (Result) -> Void) throws ->
        Summary
    ) {
      let control = RunControl(timeBudget: timeBudget)
      let channel = ResultChannel<Result>()
      self.control = control
      self.channel = channel
      task = Task.detached {
        await withCheckedContinuation { result in
          // The work blocks, so it must not run on a thread of Swift's tasks.
          DispatchQueue(label: "passage.fleet", qos: .userInitiated).async {
            defer { channel.finish() }
            do {
              result.resume(returning: .success(try body(control, channel.send)))
            } catch {
              result.resume(returning: .failure(MigrationError(error, store: "")))
            }
          }
        }
      }
    }

    /// The result of each store, in the order in which they end; for one reader. It ends with the run.
    ///
    /// Cancelling the task that reads them stops the run at the next store.
    public var results: Results { Results(run: self) }

    /// What became of all stores. A run that was cancelled or whose time was over has a value too: it
    /// says how many stores are left.
    ///
    /// Cancelling the task that awaits it stops the run at the next store.
    ///
    /// - Throws: `MigrationError` when the list, the project, the mapping models, the commands of a transfer or
    ///   the ledger were refused; then nothing was written.
    public var value: Summary {
      get async throws(MigrationError) {
        channel.stopKeeping()
        let result = await withTaskCancellationHandler {
          await task.value
        } onCancel: {
          cancel()
        }
        return try result.get()
      }
    }

    /// Begins no further store. Those at work stop at their next batch.
    public func cancel() {
      control.cancel()
      channel.end()
    }
  }

  /// The results of a run.
  public struct Results: AsyncSequence, Sendable {
    /// What became of one store.
    public typealias Element = Result
    /// Reading does not fail.
    public typealias Failure = Never

    let run: Run

    /// Begins to read.
    public func makeAsyncIterator() -> Iterator {
      Iterator(run: run, reading: run.channel.reader())
    }

    /// Reads the results of a run.
    public struct Iterator: AsyncIteratorProtocol {
      let run: Run
      let reading: ResultChannel<Result>.Reader

      /// The next result; `nil` at the end of the run.
      public mutating func next() async -> Result? {
        await withTaskCancellationHandler {
          await reading.next()
        } onCancel: { [run] in
          run.cancel()
        }
      }
    }
  }
}
