/// One mistake found in what an author wrote, or one failure of a run: a stable code for scripts,
/// a place, a reason and a remedy for people.
public struct Diagnostic: Sendable, Hashable, Codable, Error {
  /// How serious a diagnostic is.
  public enum Severity: String, Sendable, Hashable, Codable, CaseIterable {
    /// It stops the work.
    case error
    /// Something to check; the work continues.
    case warning
    /// Something to know.
    case note
  }

  /// Stable and never reused: `MOD-`, `MAP-`, `PRE-`, `PLN-`, `RUN-`, `STO-`, `VAL-` and a number.
  public var code: String
  /// Whether it stops the work.
  public var severity: Severity
  /// What is wrong, in one sentence without a final full stop.
  public var message: String
  /// Where; `nil` when no file is concerned.
  public var location: SourceLocation?
  /// Why it is wrong; `nil` when the message says it all.
  public var reason: String?
  /// What to do next.
  public var remedy: String?

  /// Describes a mistake or a failure.
  ///
  /// - Parameters:
  ///   - code: a prefix and a number, as `MAP-019`.
  ///   - message: what is wrong, in one sentence without a final full stop.
  ///   - severity: whether it stops the work.
  ///   - location: where; `nil` when no file is concerned.
  ///   - reason: why it is wrong.
  ///   - remedy: what to do next.
  public init(
    _ code: String, _ message: String, severity: Severity = .error,
    at location: SourceLocation? = nil, reason: String? = nil, remedy: String? = nil
  ) {
    self.code = code
    self.message = message
    self.severity = severity
    self.location = location
    self.reason = reason
    self.remedy = remedy
  }
}

extension Diagnostic: CustomStringConvertible {
  /// The diagnostic as it is printed for a person: one line of message, then place, reason, remedy.
  public var description: String {
    var lines = ["\(severity.rawValue)[\(code)]: \(message)"]
    if let location { lines.append("  --> \(location)") }
    if let reason { lines.append("  why   \(reason)") }
    if let remedy { lines.append("  try   \(remedy)") }
    return lines.joined(separator: "\n")
  }
}
