internal import ArgumentParser
internal import Passage

/// `migrate explain`: what a diagnostic's code means and what to do, or what becomes of one object.
struct ExplainCommand: PassageCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Tells what a diagnostic's code means, or what becomes of one object of a store.",
    discussion: """
      A code is named as it is printed, such as MAP-014 or error[MAP-014]. Without one, all codes \
      are listed with their meaning.

      With --entity and --key it tells which entity mapping takes an object and why, what its \
      attributes become and from what, its new key and its links. With --source, --store is a \
      migrated store, and it tells of which object of the source the object was made. Nothing is \
      written, no policy is called, and values are printed only with --show-values.
      """)

  @Argument(help: "The codes.")
  var codes: [String] = []

  @OptionGroup(title: "An object") var object: ObjectArguments

  @OptionGroup(title: "Project") var project: ProjectArguments

  @OptionGroup var format: FormatArguments

  func perform(_ console: Console) async throws -> CommandResult {
    var mistakes = CallMistakes(diskState: nil)
    if object.isGiven {
      let call = object.call(in: project.places, codes: codes, &mistakes)
      try mistakes.throwIfErrors()
      if let call {
        return ObjectReport(
          try call.answer(), command: Self.name, showsValues: object.showValues
        ).result
      }
    }
    let pages = codes.isEmpty ? CodePage.all : codes.compactMap { Self.page($0, &mistakes) }
    try mistakes.throwIfErrors()
    return CommandResult(
      text: OutputText(
        lines: codes.isEmpty
          ? pages.map { "\($0.code)  \($0.meaning)" }
          : Array(pages.map(Self.lines).joined(separator: [""]))),
      json: .object([
        ("command", .string(Self.name)), ("outcome", .string("explained")),
        ("codes", .list(pages.map(Self.json))),
      ]))
  }

  /// The page of a code; a mistake when there is none.
  private static func page(_ given: String, _ mistakes: inout CallMistakes) -> CodePage? {
    let code = self.code(in: given)
    if let page = CodePage.all.first(where: { $0.code == code }) { return page }
    mistakes.add(
      Diagnostic(
        "CMD-043", "there is no code “\(given)”",
        remedy: nearest(to: code, in: CodePage.all.map(\.code)).map { "did you mean: \($0)" }
          ?? "list all codes with: migrate explain"))
    return nil
  }

  /// The code in `MAP-014`, `map-014` or `error[MAP-014]:`.
  private static func code(in given: String) -> String {
    let parts = given.split { $0 == "[" || $0 == "]" || $0 == ":" }
    return (parts.first { $0.contains("-") } ?? given[...]).uppercased()
  }

  // MARK: Results

  private static func lines(_ page: CodePage) -> [String] {
    var lines = ["\(page.code)  \(page.subject)", "  means     \(page.meaning)"]
    lines.append("  do        \(page.remedy)")
    if let kind = page.failureKind {
      lines.append("  class     \(kind), exit status \(kind.rawValue)")
    } else {
      lines.append("  severity  \(page.severity.rawValue): it stops nothing")
    }
    return lines
  }

  private static func json(_ page: CodePage) -> JSONText {
    .object([
      ("code", .string(page.code)), ("subject", .string(page.subject)),
      ("meaning", .string(page.meaning)), ("remedy", .string(page.remedy)),
      ("severity", .string(page.severity.rawValue)),
      ("kind", .optional(page.failureKind.map { "\($0)" })),
      ("exitStatus", page.failureKind.map { .integer(Int64($0.rawValue)) } ?? .null),
    ])
  }
}
