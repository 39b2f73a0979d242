/// Says when it is time to record what a later run need not do again: a second after the last time.
package struct MarkClock: Sendable {
  /// Tells the time for the work of this task; a test passes a clock of its own.
  @TaskLocal package static var time: @Sendable () -> ContinuousClock.Instant = { .now }

  private static let limit: Duration = .seconds(1)
  private var last = time()

  var isDue: Bool { last.duration(to: Self.time()) >= Self.limit }

  /// Notes that it has been recorded.
  mutating func reset() { last = Self.time() }
}
