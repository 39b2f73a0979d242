internal import Passage

/// The result of `prune`, as text and as JSON.
struct PruneReport {
  let removed: [KeptStore]
  let remaining: [KeptStore]
  let storePath: String
  let isDryRun: Bool

  func result(command: String) -> CommandResult {
    CommandResult(
      text: text,
      json: .object([
        ("command", .string(command)), ("store", .path(storePath)), ("dryRun", .bool(isDryRun)),
        ("removed", .list(removed.map(\.json))), ("remaining", .list(remaining.map(\.json))),
      ]))
  }

  private var text: OutputText {
    guard !removed.isEmpty else { return OutputText("Nothing to remove.") }
    var lines = [isDryRun ? "Would remove" : "Removed", ""] + KeptStoreReport.lines(removed)
    if !remaining.isEmpty { lines += ["", "Remaining", ""] + KeptStoreReport.lines(remaining) }
    return OutputText(lines: lines)
  }
}
