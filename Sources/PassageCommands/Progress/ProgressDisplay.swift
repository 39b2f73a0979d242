internal import Passage

/// Shows progress on standard error.
protocol ProgressShowing {
  mutating func show(_ progress: MigrationProgress)
  /// Cleans the line, so that other output can follow.
  mutating func finish()
}

enum ProgressDisplay {
  /// The display for a style; `nil` for the style `none`, and for `auto` if only errors are wanted.
  static func make(
    _ style: ProgressStyle, console: Console, look: OutputLook
  ) -> (any ProgressShowing)? {
    switch style {
    case .none: look.isVerbose ? FinishedParts(console: console, withPhases: true) : nil
    case .json: ProgressLines(console: console)
    case .plain: ProgressLog(console: console, isVerbose: look.isVerbose)
    case .auto:
      if look.isQuiet {
        nil
      } else if console.isErrorTerminal {
        ProgressBar(console: console, look: look)
      } else {
        ProgressLog(console: console, isVerbose: look.isVerbose)
      }
    }
  }
}

/// A progress bar that is redrawn in place. Each finished pass leaves a line above it.
struct ProgressBar: ProgressShowing {
  private let console: Console
  private let palette: Palette
  private var parts: FinishedParts

  init(console: Console, look: OutputLook) {
    self.console = console
    palette = look.messagePalette
    parts = FinishedParts(console: console, withPhases: look.isVerbose)
  }

  mutating func show(_ progress: MigrationProgress) {
    let bar = ProgressText(progress).bar(columns: console.errorColumns, in: palette)
    console.printRaw("\r\u{1B}[K" + parts.lines(progress).map { $0 + "\n" }.joined() + bar)
  }

  mutating func finish() { console.printRaw("\r\u{1B}[K") }
}

/// A plain line every few seconds, for logs.
struct ProgressLog: ProgressShowing {
  private static let interval = Duration.seconds(3)

  private let console: Console
  private var last: ContinuousClock.Instant
  private var parts: FinishedParts?

  init(console: Console, isVerbose: Bool) {
    self.console = console
    last = .now
    parts = isVerbose ? FinishedParts(console: console, withPhases: true) : nil
  }

  mutating func show(_ progress: MigrationProgress) {
    parts?.show(progress)
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
    console.printMessage(progress.json)
  }

  mutating func finish() {}
}
