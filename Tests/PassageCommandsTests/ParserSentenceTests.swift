import PassageTesting
import TestSupport
import Testing

@testable import PassageCommands

/// What the parser of arguments says has the quotation marks of all other messages.
struct ParserSentenceTests {
  @Test(arguments: [
    ("Unknown option '--mapings'. Did you mean '--mappings'?", ["--mapings"]),
    ("2 unexpected arguments: 'a', ''", ["a", ""]),
    ("Unknown option '-x'\n   or: Missing value for '-y <name>' in '-xy'", ["-xy"]),
    ("Unexpected argument '\u{308}a'", ["\u{308}a"]),
  ])
  func `an argument is in typographic quotation marks`(sentence: String, arguments: [String]) {
    let quoted = ParserSentence.quoted(sentence, arguments: arguments)
    let scalars = quoted.unicodeScalars
    #expect(!scalars.contains { $0 == "'" })
    #expect(scalars.count { $0 == "“" } == scalars.count { $0 == "”" })
    #expect(scalars.count == sentence.unicodeScalars.count)
  }

  @Test(arguments: [
    ("Unexpected argument 'it's'", ["it's"]), ("2 unexpected arguments: 'a' ', 'b'", ["a' ", "b"]),
    ("Can't autodetect a supported shell.", []), ("The value 'a", []),
  ])
  func `a sentence whose marks cannot be paired stays as it is`(
    sentence: String, arguments: [String]
  ) {
    #expect(ParserSentence.quoted(sentence, arguments: arguments) == sentence)
  }

  @Test(arguments: [
    (["-q", "status"], "migrate status -q"),
    (["--format", "text", "fleet", "status"], "migrate fleet status --format text"),
    (["--to", "status", "plan"], "migrate plan --to status"), (["-q", "foo"], nil),
  ])
  func `options before the subcommand are told as such`(
    call: [String], command: String?
  ) throws {
    let folder = try TemporaryDirectory()
    let outcome = try MigrateProcess.run(call, in: folder.path)
    #expect(outcome.status == 64)
    let remedy = command.map { "name the subcommand before its options: \($0)\n" }
    #expect(
      outcome.errors.contains("try   \(remedy ?? "see migrate run --help")"), "\(outcome.errors)")
  }

  @Test(arguments: [
    (["--mapings", "A"], "Unknown option “--mapings”. Did you mean “--mappings”?"),
    (["status", "--store"], "Missing value for “--store <file>”"),
    (
      ["run", "--lane", "fast"],
      "The value “fast” is invalid for “--lane <lane>”. Please provide one of “"
    ),
  ])
  func `the command tells arguments that cannot be parsed so`(
    call: [String], message: String
  ) throws {
    let folder = try TemporaryDirectory()
    let outcome = try MigrateProcess.run(call, in: folder.path)
    #expect(outcome.status == 64)
    #expect(outcome.errors.hasPrefix("error[CMD-001]: \(message)"), "\(outcome.errors)")
    let json = try MigrateProcess.run(call + ["--format", "json"], in: folder.path).json
    #expect(json["error"]?["diagnostics"]?[0]?["message"]?.text?.hasPrefix(message) == true)
  }
}
