internal import Passage

/// How one store is migrated, as `run` and `fleet` are told it.
struct StoreExecution {
  var batchSize: Int?
  var lane: LaneArgument
  var workMemory: WorkMemoryAmount?
  var maxQuarantined: Int
  var maxFileBytes: Int?

  /// In seconds. A year is more than anybody needs, and fits into a duration.
  static let timeBudgets = 0.0...31_536_000

  /// The options for the engine, and mistakes in the numbers.
  func options() -> (options: MigrationOptions, mistakes: Diagnostics) {
    var options = MigrationOptions()
    var mistakes = Diagnostics()
    if let batchSize {
      if batchSize < 1 {
        mistakes.append(Self.refusal("--batch-size", "\(batchSize)", "a number of at least 1"))
      }
      options.limits.batch.rows = max(1, batchSize)
    }
    if maxQuarantined < 0 {
      mistakes.append(
        Self.refusal("--max-quarantined", "\(maxQuarantined)", "a number of at least 0"))
    }
    options.allowed.quarantined = max(0, maxQuarantined)
    if let maxFileBytes, maxFileBytes < 1 {
      mistakes.append(Self.refusal("--max-file-bytes", "\(maxFileBytes)", "a number of at least 1"))
    }
    options.storeTypes = CommandContext.storeTypes(
      maximumFileBytes: maxFileBytes.map { max(1, $0) })
    options.lane = lane.choice
    if let workMemory { options.limits.workMemoryBytes = workMemory.bytes }
    return (options, mistakes)
  }

  static func refusal(_ flag: String, _ value: String, _ expected: String) -> Diagnostic {
    Diagnostic("CMD-002", "\(flag) cannot be \(value)", remedy: "give \(expected)")
  }

  static func refusal(ofTimeBudget seconds: Double) -> Diagnostic {
    refusal("--time-budget", "\(seconds)", "a number of seconds from 0 to 31536000")
  }
}
