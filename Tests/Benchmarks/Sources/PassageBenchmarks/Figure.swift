/// One figure of the report.
struct Figure {
  /// What a round has cost one contender.
  struct Cost {
    var processorSeconds: Double
    var seconds: Double
    /// The part of the processor time in which the engine checked what it had written.
    var proofSeconds: Double

    init(_ outcome: Child.Outcome) {
      processorSeconds = outcome.processorSeconds
      seconds = outcome.seconds
      proofSeconds = outcome.proofSeconds
    }

    /// The processor time without that part.
    var workSeconds: Double { processorSeconds - proofSeconds }
  }

  var scenario: Scenario
  /// As `--sizes` has it.
  var size: Int
  /// Bytes of the source store.
  var sourceBytes = 0
  /// The lanes the engine took.
  var lanes = ""
  /// The cost of each round.
  var engine: [Cost] = []
  var yardstick: [Cost] = []
  /// Another build; empty where none was given.
  var beside: [Cost] = []
  /// The engine's peak memory: the largest of all rounds.
  var peakBytes = 0

  /// Engine by yardstick in processor time, round by round: both ran one after the other, so what
  /// else the machine did hit both.
  var ratios: [Double] { Self.ratios(engine, yardstick, \.processorSeconds) }
  /// The same without the time in which the engine checked what it had written: hand-written SQL
  /// checks nothing.
  var workRatios: [Double] {
    zip(engine, yardstick).map { $0.workSeconds / max(0.000_1, $1.processorSeconds) }
  }
  /// The same by the clock, with the time the disk took.
  var clockRatios: [Double] { Self.ratios(engine, yardstick, \.seconds) }
  /// This build by the other.
  var besideRatios: [Double] { Self.ratios(engine, beside, \.processorSeconds) }

  private static func ratios(
    _ above: [Cost], _ below: [Cost], _ part: KeyPath<Cost, Double>
  ) -> [Double] {
    zip(above, below).map { $0[keyPath: part] / max(0.000_1, $1[keyPath: part]) }
  }

  var goal: Double? { scenario.goal?.ratio(at: size) }

  /// Whether the goal is reached; `nil` without one.
  var isReached: Bool? { goal.map { ratios.median <= $0 } }
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
