internal import Passage

/// What `migrate init` has made, as text and as JSON, with the next command.
struct InitReport {
  let folder: String
  let versionNames: [String]
  let steps: [NewProject.Step]
  let files: [ConvertedFile]
  let notes: Diagnostics
  /// Whether the history names a store that exists.
  let hasStore: Bool
  /// The policy of the package, and the mapping model that names it.
  let policy: (policy: NewPolicy, step: NewProject.Step)?

  /// - Parameter command: the name of the subcommand.
  func result(command: String) -> CommandResult {
    CommandResult(text: text, json: json(command))
  }

  private var marks: [DraftMark] { steps.flatMap(\.marks) }

  private var isUnchanged: Bool { !files.contains { $0.state == .written } }

  // MARK: Text

  private var text: OutputText {
    var lines = OutputText(notes)
    let written = files.count { $0.state == .written }
    lines.append(
      isUnchanged
        ? "Every file exists already, with the same contents."
        : "Made a project of \(NumberText.count(Int64(versionNames.count), "version")) in "
          + "\(folder): \(NumberText.count(Int64(written), "file"))")
    lines.append("")
    var table = TextTable([("file", .left), ("holds", .left), ("", .left)])
    for file in files {
      table.add([file.path, file.holds, file.state == .written ? "" : file.state.rawValue])
    }
    lines += table.lines + [""] + steps.flatMap(lines(of:))
    if steps.isEmpty { lines.append("There is one version, and therefore no mapping model yet.") }
    if let (policy, step) = policy {
      lines.append(
        "\(policy.name) is called for “\(policy.entityMappingName(in: step.mapping))” in "
          + "\(step.path). If you need no code, remove its “policy” there"
          + (policy.isCustom(in: step.mapping) ? ", and make its type “transform”." : "."))
    }
    lines += ["", nextLine]
    return lines
  }

  private func lines(of step: NewProject.Step) -> [String] {
    let ends = "“\(step.mapping.source.value)” to “\(step.mapping.destination.value)”"
    guard !step.marks.isEmpty else { return ["\(ends): inferred"] }
    let count = NumberText.count(Int64(step.marks.count), "place")
    return [
      "\(ends): a draft; \(count) to decide in \(step.path), each marked by a member “draft”:"
    ] + step.marks.map { "  \($0.place)  \($0.reason.value)" }
  }

  private var nextLine: String {
    marks.isEmpty
      ? "Next: \(next)"
      : "Next: decide the marked places, remove their members “draft”, then \(next)"
  }

  /// What to run next, as it can be pasted.
  private var next: String {
    let way = folder == "." ? "" : ShellText.command(["cd", folder]) + " && "
    if policy != nil { return way + "swift test" }
    // Without a step there is no way to rehearse.
    let command = hasStore ? "plan" : steps.isEmpty ? "check" : "rehearse"
    return way + ShellText.command(["migrate", command])
  }

  // MARK: JSON

  private func json(_ command: String) -> JSONText {
    .object([
      ("command", .string(command)),
      ("outcome", .string(isUnchanged ? "unchanged" : "made")),
      ("output", .path(folder)),
      ("versions", .strings(versionNames)),
      (
        "steps",
        .list(
          steps.map { step in
            .object([
              ("from", .string(step.mapping.source.value)),
              ("to", .string(step.mapping.destination.value)),
              ("mapping", .path(step.path)),
              ("marks", .list(step.marks.map(\.json))),
            ])
          })
      ),
      (
        "policy",
        policy.map { policy, step in
          .shortObject([
            ("name", .string(policy.name)),
            ("entityMapping", .string(policy.entityMappingName(in: step.mapping))),
            ("mapping", .path(step.path)),
          ])
        } ?? .null
      ),
      ("files", .list(files.map(\.json))),
      ("next", .string(next)),
      ("notes", .list(notes.all.map(\.json))),
    ])
  }
}
