extension RehearsalReport {
  /// The report as JUnit's XML, which servers for continuous integration read: a suite for each
  /// store, a case for each way.
  public var junit: String {
    var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#]
    let all = subjects.flatMap(\.trials)
    lines.append("<testsuites \(Self.counts(all)) time=\"\(Self.time(seconds))\">")
    for subject in subjects {
      let name = Self.escaped("\(subject.name), version \(subject.version ?? "unknown")")
      lines.append(
        "  <testsuite name=\"\(name)\" \(Self.counts(subject.trials)) "
          + "time=\"\(Self.time(subject.trials.reduce(0) { $0 + $1.seconds }))\">")
      for trial in subject.trials {
        let start =
          "    <testcase classname=\"\(name)\" name=\"\(trial.way.rawValue) to "
          + "\(Self.escaped(target))\" time=\"\(Self.time(trial.seconds))\""
        switch trial.outcome {
        case .passed: lines.append("\(start)/>")
        case .failed(let text, _):
          let message = Self.escaped(text.split(separator: "\n").first.map(String.init) ?? "")
          lines += [
            "\(start)>", "      <failure message=\"\(message)\">\(Self.escaped(text))</failure>",
            "    </testcase>",
          ]
        case .skipped(let reason):
          lines += [
            "\(start)>", "      <skipped message=\"\(Self.escaped(reason))\"/>", "    </testcase>",
          ]
        }
      }
      lines.append("  </testsuite>")
    }
    return (lines + ["</testsuites>", ""]).joined(separator: "\n")
  }

  private static func counts(_ trials: [Trial]) -> String {
    let skipped = trials.count { if case .skipped = $0.outcome { true } else { false } }
    return "tests=\"\(trials.count)\" failures=\"\(trials.count(where: \.hasFailed))\" "
      + "skipped=\"\(skipped)\""
  }

  /// Seconds with three digits.
  private static func time(_ seconds: Double) -> String {
    let thousandths = Int64(min(max(0, seconds), 1e12) * 1_000)
    let rest = "\(thousandths % 1_000)"
    return "\(thousandths / 1_000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
  }

  /// A text in an attribute or an element. XML has no way to write most control characters.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\n": escaped += "&#10;"
      case "\t": escaped += "&#9;"
      case "\u{0}"..<" ", "\u{7F}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
