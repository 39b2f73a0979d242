/// One figure of the report.
struct Figure {
  var scenario: Scenario
  var size: Int
  /// Seconds of each round.
  var engine: [Double] = []
  var yardstick: [Double] = []
  /// Engine by yardstick in processor time, round by round: what other work on the machine moves
  /// least, but without the time the disk takes.
  var processorRatios: [Double] = []
  /// This build by another in processor time, round by round; empty where none was given.
  var besideRatios: [Double] = []
  /// Hand-written SQL with pages of 16 KiB; empty where it was not measured.
  var largePages: [Double] = []
  /// The engine's peak memory: the largest of all rounds.
  var peakBytes = 0

  /// Engine by yardstick, round by round: both ran one after the other, so what else the machine
  /// did hit both.
  var ratios: [Double] { zip(engine, yardstick).map { $0 / $1 } }
  var largePageRatios: [Double] { zip(engine, largePages).map { $0 / $1 } }

  /// Whether the goal is reached; `nil` without a goal, and for stores too small to be judged: in
  /// them the start of a process counts more than the work.
  var isReached: Bool? { size < 100_000 ? nil : scenario.goal.map { ratios.median <= $0 } }
}

extension [Double] {
  /// The middle value; 0 of nothing.
  var median: Double {
    let sorted = sorted()
    guard let upper = sorted.dropFirst(count / 2).first else { return 0 }
    return count.isMultiple(of: 2) ? (sorted[count / 2 - 1] + upper) / 2 : upper
  }

  /// `median [smallest-largest]`.
  var spread: String {
    "\(median.rounded(2)) [\((self.min() ?? 0).rounded(2))-\((self.max() ?? 0).rounded(2))]"
  }
}

extension Double {
  /// The number with so many digits after the point.
  func rounded(_ digits: Int) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let whole = Int((self * scale).rounded())
    guard digits > 0 else { return "\(whole)" }
    let fraction = String(whole % Int(scale))
    return "\(whole / Int(scale))."
      + String(repeating: "0", count: digits - fraction.count) + fraction
  }
}

extension Int {
  /// Bytes as MiB with one digit.
  var mebibytes: String { (Double(self) / 1_048_576).rounded(1) }
}
