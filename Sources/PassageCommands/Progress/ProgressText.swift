package import Passage
internal import PassagePlatform

/// Progress as text.
package struct ProgressText {
  private let progress: MigrationProgress

  package init(_ progress: MigrationProgress) { self.progress = progress }

  /// For a log: `43 %  pass 1 of 2 StepOne, create  860 of 2,000  12,345/s  18 s left`
  package var line: String {
    var parts = [percent]
    if progress.stepCount > 1 { parts.append("step \(progress.step) of \(progress.stepCount)") }
    if progress.passName.isEmpty {
      parts.append(phase)
    } else {
      parts.append(
        "pass \(progress.pass) of \(progress.passCount) \(passName), \(phase)")
    }
    return (parts + [count, rate, timeLeft].compactMap(\.self)).joined(separator: "  ")
  }

  /// For a terminal, with a bar as wide as the terminal allows:
  /// `[#########------------]  43 %  pass 1/2 StepOne  860 of 2,000  12,345/s  18 s left`
  /// - Parameters:
  ///   - columns: the width of the terminal.
  ///   - palette: the colours of the terminal.
  package func bar(columns: Int, in palette: Palette = .plain) -> String {
    let isInPass = [.create, .relate, .validate].contains(progress.phase)
    let pass = "pass \(progress.pass)/\(progress.passCount) \(passName)"
    let what =
      !isInPass || progress.passName.isEmpty
      ? phase : progress.phase == .create ? pass : "\(pass), \(phase)"
    let step = progress.stepCount > 1 ? "step \(progress.step)/\(progress.stepCount)" : nil
    // The least important part comes last and is left out first on a narrow terminal.
    var parts = [percent, what, count, timeLeft, rate, step].compactMap(\.self)
    var words = parts.joined(separator: "  ")
    while words.count + Self.minimumCells + 4 > columns, parts.count > 1 {
      parts.removeLast()
      words = parts.joined(separator: "  ")
    }
    let cells = min(Self.maximumCells, columns - words.count - 4)
    guard cells > 0 else { return String(words.prefix(max(0, columns - 1))) }
    let filled = Int(Double(cells) * progress.fraction)
    return "[" + palette.paint(String(repeating: "#", count: filled), .progress)
      + String(repeating: "-", count: cells - filled) + "] " + words
  }

  private static let minimumCells = 10
  private static let maximumCells = 30

  private var percent: String {
    let text = "\(Int(progress.fraction * 100)) %"
    return String(repeating: " ", count: max(0, 5 - text.count)) + text
  }

  private var passName: String { progress.passName.visibleLine }

  private var phase: String { Self.name(of: progress.phase) }

  /// A phase in words.
  static func name(of phase: MigrationProgress.Phase) -> String {
    phase == .cutOver ? "cut over" : phase.rawValue
  }

  private var count: String? {
    guard progress.total > 0 else { return nil }
    return "\(NumberText.count(progress.completed)) of \(NumberText.count(progress.total))"
  }

  private var rate: String? {
    guard progress.objectsPerSecond >= 1 else { return nil }
    return "\(NumberText.count(Int64(min(progress.objectsPerSecond, 1e12))))/s"
  }

  private var timeLeft: String? {
    guard let left = progress.secondsLeft, left > 0.5, progress.phase != .finished else {
      return nil
    }
    return "\(NumberText.wholeSeconds(left)) left"
  }
}

extension MigrationProgress {
  /// One line of JSON.
  var json: JSONText {
    .shortObject([
      ("type", .string("progress")), ("phase", .string(phase.rawValue)),
      ("fraction", .measure(fraction)), ("step", .integer(step)),
      ("stepCount", .integer(stepCount)), ("pass", .integer(pass)),
      ("passCount", .integer(passCount)), ("passName", .string(passName)),
      ("mappingName", .string(mappingName)), ("passCompleted", .integer(passCompleted)),
      ("passTotal", .integer(passTotal)), ("completed", .integer(completed)),
      ("total", .integer(total)), ("objectsPerSecond", .measure(objectsPerSecond)),
      ("secondsLeft", secondsLeft.map { .measure($0) } ?? .null),
    ])
  }
}
