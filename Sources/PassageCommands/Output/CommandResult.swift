internal import Passage

/// The result of a command as text and as JSON, and the exit status.
struct CommandResult {
  var text: String
  var json: JSONText
  var exitStatus: Int32 = 0
  /// Whether the command has already printed it, because its length is not limited.
  var isPrinted = false
}
