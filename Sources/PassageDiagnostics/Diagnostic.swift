/// One mistake in an author's file, or one failure of a run: a stable code for scripts, and a
/// message, a location, a reason and a remedy for people.
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
  /// How serious it is.
  public var severity: Severity
  /// What is wrong, in one sentence without a final full stop.
  public var message: String
  /// The location; `nil` if no file is concerned.
  public var location: SourceLocation?
  /// Why it is wrong; `nil` if the message is enough.
  public var reason: String?
  /// What to do next.
  public var remedy: String?

  /// Creates a diagnostic.
  ///
  /// - Parameters:
  ///   - code: a prefix and a number, such as `MAP-019`.
  ///   - message: what is wrong, in one sentence without a final full stop.
  ///   - severity: how serious it is.
  ///   - location: the location; `nil` if no file is concerned.
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
  /// The diagnostic as text: the message on one line, then location, reason, remedy. Control characters
  /// of names are visible, such as `\u{1B}`.
  public var description: String {
    let shown = visible
    var lines = ["\(severity.rawValue)[\(shown.code)]: \(shown.message)"]
    if let location = shown.location { lines.append("  --> \(location)") }
    if let reason = shown.reason { lines.append("  why   \(reason)") }
    if let remedy = shown.remedy { lines.append("  try   \(remedy)") }
    return lines.joined(separator: "\n")
  }
}
