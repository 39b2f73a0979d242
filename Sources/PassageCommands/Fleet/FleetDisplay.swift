internal import Passage
internal import PassageFleets
internal import PassagePlatform
internal import Synchronization

/// Shows the progress of a run over many stores on standard error. Called by several threads.
final class FleetDisplay: Sendable {
  private enum Style {
    case bar
    case plain
    case json
    case none
  }

  private struct State {
    var last = ContinuousClock.now
    var isBarShown = false
  }

  /// Between two plain lines.
  private static let interval = Duration.seconds(3)

  private let style: Style
  private let console: Console
  private let look: OutputLook
  private let state = Mutex(State())

  init(_ style: ProgressStyle, console: Console, look: OutputLook) {
    self.console = console
    self.look = look
    self.style =
      switch style {
      case .none: .none
      case .json: .json
      case .plain: .plain
      case .auto: look.isQuiet ? .none : console.isErrorTerminal ? .bar : .plain
      }
  }

  func show(_ progress: FleetProgress) {
    switch style {
    case .none: break
    case .json: console.printMessage(FleetProgressText(progress).json)
    case .plain:
      let isDue = state.withLock { state in
        guard state.last.duration(to: .now) >= Self.interval else { return false }
        state.last = .now
        return true
      }
      if isDue { console.printMessage(FleetProgressText(progress).line) }
    case .bar:
      let bar = FleetProgressText(progress).bar(
        columns: console.errorColumns, in: look.messagePalette)
      state.withLock { state in
        state.isBarShown = true
        console.printRaw("\r\u{1B}[K" + bar)
      }
    }
  }

  /// With `--verbose`, a line for each store.
  func tell(_ entry: LedgerEntry) {
    guard look.isVerbose else { return }
    let seconds = NumberText.duration(entry.seconds)
    let what =
      switch entry.outcome {
      case .migrated, .published:
        "\(entry.outcome.rawValue), \(NumberText.count(entry.counts.migrated, "object"))"
      case .upToDate: "up to date"
      case .failed: "failed, \(entry.code ?? ""): \(entry.message ?? "")"
      }
    state.withLock { state in
      let start = state.isBarShown ? "\r\u{1B}[K" : ""
      console.printRaw(start + "\(entry.store): \(what), \(seconds)".visibleLine + "\n")
    }
  }

  /// Cleans the line, so that other output can follow.
  func finish() {
    if state.withLock({ $0.isBarShown }) { console.printRaw("\r\u{1B}[K") }
  }
}
