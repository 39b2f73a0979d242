/// A figure of its own, without a yardstick.
struct Single {
  /// The name for `--only`; several figures may have one.
  var name: String
  var title: String
  /// Where it was measured, such as the number of objects; empty where the title says all.
  var detail = ""
  /// One value a round.
  var values: [Double]
  /// What the values count, such as `ms`; empty for a ratio.
  var unit = ""
  var digits = 2
  var goal: Double?
  /// Whether more is better than less.
  var isMoreBetter = false

  /// Whether the goal is reached; `nil` without one.
  var isReached: Bool? {
    goal.map { isMoreBetter ? values.median >= $0 : values.median <= $0 }
  }

  /// The middle value with its unit.
  var text: String { values.median.rounded(digits) + (unit.isEmpty ? "" : " \(unit)") }

  /// Every name, for `--only`.
  static let names = ["Prepared", "Processes", "Threads", "Proof"]
}
