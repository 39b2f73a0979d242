internal import PassageDiagnostics
internal import PassageProjects

/// What is wrong with the levels and exceptions that a history gives. No level or exception changes
/// these findings.
struct CheckSettings {
  private let check: History.Check
  private let usedExceptions: Set<Int>

  /// - Parameter usedExceptions: the positions of the exceptions that a finding fits.
  init(_ check: History.Check, usedExceptions: Set<Int>) {
    self.check = check
    self.usedExceptions = usedExceptions
  }

  var findings: [CheckFinding] {
    let codes = check.levels.map(\.code) + check.exceptions.map(\.code)
    let diagnostics =
      codes.compactMap(unknown) + check.levels.compactMap(lowered)
      + check.exceptions.enumerated().compactMap {
        usedExceptions.contains($0) || unknown($1.code) != nil ? nil : unused($1)
      }
    return diagnostics.map { CheckFinding($0) }
  }

  /// A code of another group is that of a plan's warning.
  private func unknown(_ code: Located<String>) -> Diagnostic? {
    let known = CheckRules.all.map { $0.code }
    let isOther = code.value.wholeMatch(of: /[A-Z]{3}-[0-9]{3}/) != nil && !isRule(code.value)
    guard !known.contains(code.value), !isOther else { return nil }
    return Diagnostic(
      "CHK-021", "there is no rule “\(code.value)”", at: code.location,
      remedy: nearest(to: code.value, in: known).map { "did you mean “\($0)”?" }
        ?? "migrate explain lists all codes")
  }

  private func isRule(_ code: String) -> Bool { code.hasPrefix("CHK-") }

  private func lowered(_ level: History.Check.Level) -> Diagnostic? {
    guard level.reason == nil,
      level.severity.isBelow(CheckRules.level(of: level.code.value) ?? .warning),
      unknown(level.code) == nil
    else { return nil }
    return Diagnostic(
      "CHK-022", "the level of “\(level.code.value)” is lowered without a reason",
      at: level.code.location,
      remedy: "write { \"level\": \"\(level.severity.rawValue)\", \"reason\": \"why\" }")
  }

  private func unused(_ exception: History.Check.Exception) -> Diagnostic {
    Diagnostic(
      "CHK-020", "no finding fits this exception from “\(exception.code.value)”", severity: .note,
      at: exception.code.location,
      remedy: "remove it, or correct the names in it: --format json prints those of each finding")
  }
}
