internal import Passage
internal import PassageFleets

/// The shard of a call.
struct GivenShard: Equatable {
  let shard: Shard
  /// The variable of the environment that has its number; `nil` if the call says it.
  var variable: String?

  /// `3/8, from SLURM_ARRAY_TASK_ID, 12 of 100 stores`.
  func text(of count: Int, listed: Int) -> String {
    let source = variable.map { ", from \($0)" } ?? ""
    return "\(shard.text)\(source), \(NumberText.count(count)) of "
      + NumberText.count(listed, "store")
  }

  /// - Parameters:
  ///   - shard: `3/8`, or `env`.
  ///   - shards: the number of shards if the environment has the shard's own number.
  ///   - variable: returns a variable of the environment.
  /// - Returns: `nil` when neither is given.
  init?(
    shard: String?, shards: Int?, variable: (String) -> String?
  ) throws(Diagnostic) {
    switch (shard, shards) {
    case (nil, nil): return nil
    case (.some, .some):
      throw Diagnostic(
        "FLT-019", "--shard and --shards are both given", remedy: "give one of the two")
    case ("env", nil): self = try Self.ofArray(variable)
    case (let text?, nil): self.shard = try Self.parse(text)
    case (nil, let count?):
      let name = "JOB_COMPLETION_INDEX"
      let index = try Self.number(name, variable, "--shards \(count)")
      self.shard = try Self.made(index.addingReportingOverflow(1).partialValue, count)
      self.variable = name
    }
  }

  /// The shard of `3/8`.
  private static func parse(_ text: String) throws(Diagnostic) -> Shard {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1] else {
      throw Diagnostic(
        "FLT-017", "“\(text)” is not a shard", remedy: "give it as number and count: --shard 1/8")
    }
    return try made(number, count)
  }

  private static func made(_ number: Int, _ count: Int) throws(Diagnostic) -> Shard {
    guard let shard = Shard(number, of: count) else {
      throw Diagnostic(
        "FLT-017", "there is no shard \(number) of \(count)",
        reason: "shards are counted from 1, and there are at most \(Shard.maximumCount)",
        remedy: "give a number from 1 to the number of shards")
    }
    return shard
  }

  /// The shard of a task of an array. See `sbatch --array` and `qsub -t`.
  private static func ofArray(_ variable: (String) -> String?) throws(Diagnostic) -> GivenShard {
    let (slurm, sge) = ("SLURM_ARRAY_TASK_ID", "SGE_TASK_ID")
    if variable(slurm) != nil {
      let id = try number(slurm, variable, "--shard env")
      let first = try number("SLURM_ARRAY_TASK_MIN", variable, "--shard env")
      let count = try number("SLURM_ARRAY_TASK_COUNT", variable, "--shard env")
      return try member(id, first, step: 1, count, slurm)
    }
    // The value is “undefined” for a job that is no array.
    guard let text = variable(sge), text != "undefined" else {
      throw Diagnostic(
        "FLT-018", "the environment has no shard",
        reason: "--shard env reads \(slurm) or \(sge), and neither is set",
        remedy: "start the command as a task of an array, or give --shard I/N")
    }
    let id = try number(sge, variable, "--shard env")
    let first = try number("SGE_TASK_FIRST", variable, "--shard env")
    let last = try number("SGE_TASK_LAST", variable, "--shard env")
    let step = variable("SGE_TASK_STEPSIZE").flatMap { Int($0) } ?? 1
    guard step > 0, last >= first, first >= 0, last < Int.max else {
      throw odd(sge)
    }
    return try member(id, first, step: step, (last - first) / step + 1, sge)
  }

  private static func member(
    _ id: Int, _ first: Int, step: Int, _ count: Int, _ name: String
  ) throws(Diagnostic) -> GivenShard {
    let (distance, overflows) = id.subtractingReportingOverflow(first)
    // Numbers with gaps would leave out shards.
    guard !overflows, distance >= 0, distance % step == 0,
      let shard = Shard(distance / step + 1, of: count)
    else { throw odd(name) }
    return GivenShard(shard: shard, variable: name)
  }

  private static func odd(_ name: String) -> Diagnostic {
    Diagnostic(
      "FLT-018", "the tasks of the array are not numbered without gaps",
      reason: "\(name) and the first and last number do not fit together",
      remedy: "number them without gaps, for instance 1-8, or give --shard I/N")
  }

  private init(shard: Shard, variable: String?) {
    self.shard = shard
    self.variable = variable
  }

  private static func number(
    _ name: String, _ variable: (String) -> String?, _ option: String
  ) throws(Diagnostic) -> Int {
    guard let text = variable(name) else {
      throw Diagnostic(
        "FLT-018", "the environment has no shard",
        reason: "\(option) reads \(name), which is not set",
        remedy: "start the command as a task of an array or of an indexed job, or give --shard I/N")
    }
    guard let number = Int(text), number >= 0 else {
      throw Diagnostic(
        "FLT-018", "the environment has no shard",
        reason: "\(name) is “\(text.prefix(80))”, which is not a number from 0",
        remedy: "give --shard I/N")
    }
    return number
  }
}
