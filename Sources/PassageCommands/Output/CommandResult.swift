internal import Passage

/// What a command has found out or done: the result in both forms, and the exit status.
struct CommandResult {
  var text: String
  var json: JSONText
  var exitStatus: Int32 = 0
  /// Whether the command has printed it already, because it may be of any length.
  var isPrinted = false
}
