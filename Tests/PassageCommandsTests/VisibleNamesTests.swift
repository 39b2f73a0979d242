import Passage
import PassageTesting
import TestSupport
import Testing

@testable import PassageCommands

/// Names of files, models and entities do nothing where they are printed: they end no line, and steer no
/// terminal.
struct VisibleNamesTests {
  /// A name, and what is printed of it.
  static let names: [(String, String)] = [
    ("Zoë’s 日本語 🏳️‍🌈 e\u{301}", "Zoë’s 日本語 🏳️‍🌈 e\u{301}"), (#"a\n\u{1B}"#, #"a\n\u{1B}"#),
    ("a\nerror[RUN-001]: b", #"a\nerror[RUN-001]: b"#), ("a\r\n  try   b", #"a\r\n  try   b"#),
    ("a\tb", #"a\tb"#), ("\u{1B}[1;31mred\u{1B}[0m", #"\u{1B}[1;31mred\u{1B}[0m"#),
    ("a\u{1B}]0;title\u{7}", #"a\u{1B}]0;title\u{7}"#),
    ("\u{7F}\u{80}\u{9B}m", #"\u{7F}\u{80}\u{9B}m"#),
    ("a\u{2028}b\u{2029}c\u{85}d", #"a\u{2028}b\u{2029}c\u{85}d"#),
    ("\u{202A}\u{202E}a\u{2066}\u{2069}", #"\u{202A}\u{202E}a\u{2066}\u{2069}"#),
  ]

  private func model(_ name: String, entity: String) throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    let (name, entity) = (JSONText.string(name).rendered(), JSONText.string(entity).rendered())
    try folder.write(
      #"{ "name": \#(name), "entities": [ { "name": \#(entity) } ] }"#, to: "model.json")
    return folder
  }

  @Test(arguments: names)
  func `a name is printed on its line, and what was printed stays as it is`(
    name: String, shown: String
  ) {
    #expect(OutputText(name).joined == shown)
    #expect(OutputText(shown).joined == shown)
    var text = OutputText(lines: ["first", name])
    text += [name]
    text.append(name)
    text.append(name, as: .error, in: .plain)
    #expect(text.joined == (["first"] + Array(repeating: shown, count: 4)).joined(separator: "\n"))
    #expect(OutputText(verbatim: name).joined == name)
  }

  @Test(arguments: names)
  func `a diagnostic has names in one line each`(name: String, shown: String) {
    let diagnostic = Diagnostic(
      "MAP-001", name, at: SourceLocation(file: name, line: 2, column: 1), reason: "a\nb",
      remedy: name)
    let text = """
      error[MAP-001]: \(shown)
        --> \(shown):2:1
        why   a
              b
        try   \(shown)
      """
    #expect(DiagnosticText.text(diagnostic) == text)
    #expect(diagnostic.description == text)
  }

  @Test(arguments: names)
  func `a mistake of a file is printed on its line, and is exact in JSON`(
    name: String, shown: String
  ) throws {
    let folder = try model("m", entity: name)
    let plain = try MigrateProcess.run(["inspect", "model.json"], in: folder.path)
    #expect(
      plain.errors.split(separator: "\n").first.map(String.init)
        == "error[MOD-010]: an entity cannot be named “\(shown)”")
    let colored = try MigrateProcess.run(
      ["inspect", "model.json", "--color", "always"], in: folder.path)
    #expect(colored.errors.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain.errors)
    let json = try MigrateProcess.run(
      ["inspect", "model.json", "--format", "json"], in: folder.path)
    #expect(
      try json.json["error"]?["diagnostics"]?[0]?["message"]?.text
        == "an entity cannot be named “\(name)”")
  }

  @Test(arguments: names)
  func `a result has names on their lines, and is exact in JSON`(
    name: String, shown: String
  ) throws {
    let folder = try model(name, entity: "Event")
    let text = try MigrateProcess.run(["inspect", "model.json"], in: folder.path)
    #expect(text.output.hasPrefix("model.json: model “\(shown)”\n"), "\(text.output)\(text.errors)")
    let json = try MigrateProcess.run(
      ["inspect", "model.json", "--format", "json"], in: folder.path)
    #expect(try json.json["name"]?.text == name)
  }

  @Test func `a path with a line break begins no message`() throws {
    let path = "a\nerror[RUN-001]: b"
    let outcome = try ExampleProject().migrate("status", "--store", path)
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("error[") } == 1, "\(outcome.errors)")
    #expect(lines.contains(#"  --> a\nerror[RUN-001]: b"#), "\(outcome.errors)")
  }

  @Test func `the columns of a table stand below each other`() {
    var table = TextTable([("name", .left), ("rows", .right)])
    table.add(["a\nb", "1"])
    table.add(["c", "20"])
    #expect(table.lines == ["  name  rows", #"  a\nb     1"#, "  c       20"])
  }

  @Test func `progress has the name of a pass on its line`() {
    var progress = MigrationProgress()
    progress.phase = .create
    progress.passName = "a\n\u{1B}[2J"
    #expect(ProgressText(progress).line.contains(#"a\n\u{1B}[2J"#))
    #expect(ProgressText(progress).bar(columns: 120).contains(#"a\n\u{1B}[2J"#))
  }
}
