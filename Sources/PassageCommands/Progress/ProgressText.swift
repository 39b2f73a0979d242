internal import Passage

/// Progress in words: `43 %  pass 1 of 2 StepOne  create  860 of 2,000  12,345/s  1.0 s left`
struct ProgressText {
  let words: String

  init(_ progress: Progress) {
    var parts = ["\(Int(progress.fraction * 100)) %"]
    if progress.stepCount > 1 { parts.append("step \(progress.step) of \(progress.stepCount)") }
    if !progress.passName.isEmpty {
      parts.append("pass \(progress.pass) of \(progress.passCount) \(progress.passName)")
    }
    parts.append(Self.word(progress.phase))
    if progress.total > 0 {
      parts.append(
        "\(NumberText.count(progress.completed)) of \(NumberText.count(progress.total))")
    }
    if progress.objectsPerSecond > 0 {
      let rate = Int64(clamping: Int(min(progress.objectsPerSecond, 1e12)))
      parts.append("\(NumberText.count(rate))/s")
    }
    if let left = progress.secondsLeft, progress.phase != .finished {
      parts.append("\(NumberText.duration(left.rounded(.up))) left")
    }
    words = parts.joined(separator: "  ")
  }

  private static func word(_ phase: Progress.Phase) -> String {
    phase == .cutOver ? "cut over" : phase.rawValue
  }
}

extension Progress {
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
