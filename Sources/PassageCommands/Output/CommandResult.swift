internal import Passage

/// The result of a command as text and as JSON, and the exit status.
struct CommandResult {
  var text: OutputText
  var json: JSONText
  var exitStatus: Int32 = 0
  /// Whether the command has already printed it, because its length is not limited.
  var isPrinted = false

  /// The result with the page that was written about it.
  ///
  /// - Parameter path: `nil` when it could not be written.
  func naming(report path: String?) -> CommandResult {
    var result = self
    if let path { result.text.append("  report    \(path)") }
    if case .object(let members) = json {
      result.json = .object(members + [("report", .path(path))])
    }
    return result
  }
}
