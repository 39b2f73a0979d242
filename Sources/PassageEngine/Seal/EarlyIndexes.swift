internal import Synchronization

/// The first jobs of a step, which threads do before something else.
final class EarlyIndexes: Sendable {
  private struct State {
    var begunCount = 0
    /// By number of the job.
    var filled: [Int: FilledIndexes] = [:]
  }

  let jobs: [IndexJob]
  private let fill: @Sendable (IndexJob) throws -> FilledIndexes
  private let state = Mutex(State())

  init(_ jobs: [IndexJob], _ fill: @escaping @Sendable (IndexJob) throws -> FilledIndexes) {
    self.jobs = jobs
    self.fill = fill
  }

  /// Does the next job. One that fails is done again by who takes it, and who finds the error.
  func fillNext() {
    let job = state.withLock { state -> IndexJob? in
      guard state.begunCount < jobs.count else { return nil }
      defer { state.begunCount += 1 }
      return jobs[state.begunCount]
    }
    guard let job, let filled = try? fill(job) else { return }
    state.withLock { $0.filled[job.number] = filled }
  }

  /// - Returns: `nil` when nobody has done the job.
  func take(_ job: IndexJob) -> FilledIndexes? {
    state.withLock { $0.filled.removeValue(forKey: job.number) }
  }
}
