internal import Passage

/// The result of a conversion, as text and as JSON.
struct ConvertReport {
  let folder: String
  let files: [ConvertedFile]
  let policies: [PolicySignature]
  let notes: Diagnostics

  /// - Parameters:
  ///   - command: the name of the subcommand.
  ///   - outcome: what it did, in the JSON object.
  func result(command: String, outcome: String = "converted") -> CommandResult {
    CommandResult(text: text, json: json(command, outcome))
  }

  private var text: OutputText {
    var lines = OutputText(notes)
    var table = TextTable([("file", .left), ("holds", .left), ("", .left)])
    for file in files {
      table.add([file.path, file.holds, file.state == .written ? "" : file.state.rawValue])
    }
    lines += table.lines
    let written = files.count { $0.state == .written }
    let place = folder == "." ? "the working directory" : folder
    lines.append("Wrote \(NumberText.count(Int64(written), "file")) to \(place).")
    for policy in policies {
      let functions = policy.functions.keys.sorted().joined(separator: ", ")
      lines.append(
        "Register the policy \(policy.name)"
          + (functions.isEmpty ? "." : " with the functions \(functions)."))
    }
    return lines
  }

  private func json(_ command: String, _ outcome: String) -> JSONText {
    .object([
      ("command", .string(command)), ("outcome", .string(outcome)),
      ("output", .path(folder)),
      (
        "files",
        .list(files.map(\.json))
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
