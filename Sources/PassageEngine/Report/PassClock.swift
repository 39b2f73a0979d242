/// Measures how long each pass runs, by what the progress says.
struct PassClock: Sendable {
  private struct Place: Hashable {
    var step: Int
    var name: String
  }

  private var current: Place?
  private var since: ContinuousClock.Instant?
  private var spent: [Place: Double] = [:]

  /// Takes note of the progress at a time. What comes after the passes of a step counts for none.
  mutating func note(_ progress: MigrationProgress, at now: ContinuousClock.Instant) {
    let isInPass = [.create, .relate, .validate].contains(progress.phase)
    let place =
      isInPass && !progress.passName.isEmpty
      ? Place(step: progress.step, name: progress.passName) : nil
    guard place != current else { return }
    if let current, let since {
      spent[current, default: 0] += since.duration(to: now) / .seconds(1)
    }
    current = place
    since = now
  }

  /// The seconds of each pass of a step, by name; empty for a step that this process did not run.
  ///
  /// - Parameter step: the number of the step, from 1.
  func seconds(ofStep step: Int) -> [String: Double] {
    var seconds: [String: Double] = [:]
    for (place, time) in spent where place.step == step { seconds[place.name] = time }
    return seconds
  }
}
