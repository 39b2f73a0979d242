internal import Passage

/// A failure for output: as text with an excerpt of the file, or as one JSON object.
struct ErrorReport {
  private let error: MigrationError
  private let command: String?

  private let texts: [String: String]
  private let palette: Palette

  /// - Parameters:
  ///   - command: the subcommand's name; `nil` if the arguments did not name one.
  ///   - texts: texts that are not in files, by the file name used in locations.
  ///   - look: whether the text is coloured.
  init(
    _ error: MigrationError, command: String?, texts: [String: String] = [:],
    look: OutputLook = CommandContext.look
  ) {
    self.error = error
    self.command = command
    self.texts = texts
    palette = look.messagePalette
  }

  var text: OutputText {
    var lines = OutputText(error.diagnostics, texts: texts, in: palette)
    let count = error.diagnostics.errorCount
    if count > 1 { lines.append("\(count) errors", as: .error, in: palette) }
    if let state = error.diskState { lines.append("disk: \(PathText.shown(state))") }
    return lines
  }

  var json: JSONText { .object(members) }

  /// The members of a failure's JSON object.
  var members: [(name: String, value: JSONText)] {
    [
      ("command", .optional(command)),
      (
        "error",
        .object([
          ("kind", .string("\(error.kind)")),
          ("exitStatus", .number("\(error.kind.rawValue)")),
          ("diagnostics", .list(error.diagnostics.all.map(\.json))),
          ("unlistedDiagnostics", .number("\(error.diagnostics.unlistedCount)")),
          ("diskState", .optional(error.diskState)),
        ])
      ),
    ]
  }
}
