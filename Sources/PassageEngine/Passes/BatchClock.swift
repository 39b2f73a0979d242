/// Ends a batch after a tenth of a second, at the end of which the progress is told: a slow policy must not
/// keep whoever waits in the dark.
struct BatchClock {
  private static let limit: Duration = .milliseconds(100)
  private let start = ContinuousClock.now

  var isOver: Bool { start.duration(to: .now) >= Self.limit }
}
