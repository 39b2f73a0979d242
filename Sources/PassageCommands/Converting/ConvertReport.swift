internal import Passage

/// The result of a conversion, as text and as JSON.
struct ConvertReport {
  let folder: String
  let files: [ConvertedFile]
  let policies: [PolicySignature]
  let notes: Diagnostics

  /// - Parameter command: the name of the subcommand.
  func result(command: String) -> CommandResult { CommandResult(text: text, json: json(command)) }

  private var text: String {
    var lines = DiagnosticText.lines(notes)
    var table = TextTable([("file", .left), ("holds", .left), ("", .left)])
    for file in files {
      let holds =
        switch file.kind {
        case .model: "model “\(file.name)”"
        case .mappingModel: "mapping model “\(file.name)”"
        case .history: "history"
        }
      table.add([file.path, holds, file.state == .written ? "" : file.state.rawValue])
    }
    lines += table.lines
    let written = files.count { $0.state == .written }
    lines.append("Wrote \(NumberText.count(Int64(written), "file")) to \(folder).")
    for policy in policies {
      let functions = policy.functions.keys.sorted().joined(separator: ", ")
      lines.append(
        "Register the policy \(policy.name)"
          + (functions.isEmpty ? "." : " with the functions \(functions)."))
    }
    return lines.joined(separator: "\n")
  }

  private func json(_ command: String) -> JSONText {
    .object([
      ("command", .string(command)), ("outcome", .string("converted")),
      ("output", .path(folder)),
      (
        "files",
        .list(
          files.map { file in
            .shortObject([
              ("path", .path(file.path)), ("kind", .string(file.kind.rawValue)),
              ("name", .string(file.name)), ("state", .string(file.state.rawValue)),
            ])
          })
      ),
      (
        "policies",
        .list(
          policies.map { policy in
            .shortObject([
              ("name", .string(policy.name)),
              ("functions", .strings(policy.functions.keys.sorted())),
            ])
          })
      ),
      ("notes", .list(notes.all.map(\.json))),
    ])
  }
}
