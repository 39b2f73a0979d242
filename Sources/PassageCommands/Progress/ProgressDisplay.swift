internal import Passage

/// Shows progress on standard error.
protocol ProgressShowing {
  mutating func show(_ progress: MigrationProgress)
  /// Cleans the line, so that other output can follow.
  mutating func finish()
}

enum ProgressDisplay {
  /// The display for a style; `nil` for the style `none`.
  static func make(_ style: ProgressStyle, console: Console) -> (any ProgressShowing)? {
    switch style {
    case .none: nil
    case .json: ProgressLines(console: console)
    case .plain: ProgressLog(console: console)
    case .auto:
      console.isErrorTerminal ? ProgressBar(console: console) : ProgressLog(console: console)
    }
  }
}

/// A progress bar that is redrawn in place.
struct ProgressBar: ProgressShowing {
  private let console: Console

  init(console: Console) { self.console = console }

  mutating func show(_ progress: MigrationProgress) {
    let text = ProgressText(progress).bar(columns: console.errorColumns)
    console.printRaw("\r\u{1B}[K" + text)
  }

  mutating func finish() { console.printRaw("\r\u{1B}[K") }
}

/// A plain line every few seconds, for logs.
struct ProgressLog: ProgressShowing {
  private static let interval = Duration.seconds(3)

  private let console: Console
  private var last: ContinuousClock.Instant

  init(console: Console) {
    self.console = console
    last = .now
  }

  mutating func show(_ progress: MigrationProgress) {
    let now = ContinuousClock.now
    guard last.duration(to: now) >= Self.interval else { return }
    last = now
    console.printMessage(ProgressText(progress).line)
  }

  mutating func finish() {}
}

/// One JSON object per line, for programs.
struct ProgressLines: ProgressShowing {
  private let console: Console

  init(console: Console) { self.console = console }

  mutating func show(_ progress: MigrationProgress) {
    console.printMessage(progress.json.rendered())
  }

  mutating func finish() {}
}
