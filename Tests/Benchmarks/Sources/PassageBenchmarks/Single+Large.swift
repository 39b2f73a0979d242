extension Single {
  /// How much faster two threads are than one, by the clock, and what they cost.
  static func threads(_ prepared: PreparedScenario, _ tools: Tools, _ rounds: Int) throws
    -> [Single]
  {
    var faster: [Double] = []
    var dearer: [Double] = []
    let others = OtherWork()
    for _ in 0..<rounds {
      let one = try prepared.runEngine(tools.subject, "--jobs", "1")
      let two = try prepared.runEngine(tools.subject, "--jobs", "2")
      faster.append(one.seconds / max(0.001, two.seconds))
      dearer.append(two.processorSeconds / max(0.001, one.processorSeconds))
    }
    // What two threads have made is checked too.
    _ = try prepared.runHandWritten()
    try prepared.check()
    var detail = detail(of: prepared)
    // Two threads cannot be faster where others have taken the second processor.
    if let busy = others.processors, busy >= 0.1 {
      detail += ", while other programs kept \(busy.rounded(1)) processors busy"
    }
    return [
      Single(
        name: "Threads", title: "two threads against one, times faster by the clock",
        detail: detail, values: faster, goal: prepared.isJudged ? 1.7 : nil, isMoreBetter: true),
      Single(
        name: "Threads", title: "two threads against one, times the processor time",
        detail: detail, values: dearer),
    ]
  }

  /// What it costs to prove a result: the phases in which the engine reads again what it has
  /// written, has SQLite check every page, and compares the result with its account.
  static func proof(_ prepared: PreparedScenario, _ tools: Tools, _ rounds: Int) throws -> [Single]
  {
    var byYardstick: [Double] = []
    var byEngine: [Double] = []
    for _ in 0..<rounds {
      let engine = try prepared.runEngine(tools.subject, "--phases")
      let yardstick = try prepared.runHandWritten()
      let proof = engine.proofSeconds
      byYardstick.append(proof / max(0.001, yardstick.processorSeconds))
      byEngine.append(proof / max(0.001, engine.processorSeconds))
    }
    let detail = detail(of: prepared)
    return [
      Single(
        name: "Proof", title: "proof, as a share of hand-written SQL", detail: detail,
        values: byYardstick, goal: prepared.isJudged ? 0.3 : nil),
      Single(
        name: "Proof", title: "proof, as a share of the migration", detail: detail,
        values: byEngine),
    ]
  }

  private static func detail(of prepared: PreparedScenario) -> String {
    let millions = prepared.size / 1_000_000
    let isWhole = millions > 0 && prepared.size.isMultiple(of: 1_000_000)
    return
      "\(prepared.scenario.name), \(isWhole ? "\(millions) million" : "\(prepared.size)") objects"
  }
}
