/// Ends a batch after a tenth of a second, at the end of which the progress is told: a slow policy must not
/// keep whoever waits in the dark.
struct BatchClock {
  private static let limit: Duration = .milliseconds(100)
  private let start = ContinuousClock.now

  var isOver: Bool { start.duration(to: .now) >= Self.limit }
}

/// Says when a loop over rows asks whether it is to stop: after so many rows, and after a tenth of a second,
/// because a row may call functions that take long.
struct StopQuestion {
  private static let limit: Duration = .milliseconds(100)
  private let rows: Int
  private var rowsLeft: Int
  private var asked = ContinuousClock.now

  /// - Parameter rows: between two questions.
  init(everyRows rows: Int) {
    self.rows = rows
    rowsLeft = rows - 1
  }

  /// Called before each row.
  mutating func isDue() -> Bool {
    rowsLeft -= 1
    let now = ContinuousClock.now
    guard rowsLeft < 0 || asked.duration(to: now) >= Self.limit else { return false }
    rowsLeft = rows - 1
    asked = now
    return true
  }
}
