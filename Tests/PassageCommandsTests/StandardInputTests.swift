import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

/// A store that comes through standard input, as a shell sends it.
struct StandardInputTests {
  private let folder: TemporaryDirectory
  /// The folder of temporary files, in which nothing may stay.
  private let temporary: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    temporary = try TemporaryDirectory()
    try folder.write(
      #"{"entity":"Person","id":1,"name":"Ann","age":4}"# + "\n"
        + #"{"entity":"Person","id":2,"name":"Bo","age":null}"# + "\n", to: "people.jsonl")
    try folder.write("id,name,note\n1,Ann,\n2,Bo,\n", to: "people.csv")
    try folder.write("id\tname\n1\tAnn\n", to: "people.tsv")
    try folder.write(#"{"type":"delimited","entity":"Person"}"#, to: "settings.json")
  }

  /// Runs a command with a file, or what a command of the shell writes, as standard input.
  private func run(_ arguments: [String], from input: String) throws -> MigrateProcess.Outcome {
    try MigrateProcess.run(
      arguments, in: folder.path, after: "export TMPDIR='\(temporary.path)'; \(input) \"$@\"")
  }

  private static let lines = ["--store", "-", "--store-type", "json-lines", "--models", "-"]

  @Test func `a store is made of JSON lines from a pipe, and nothing else is left`() throws {
    let outcome = try run(Self.lines + ["--output", "out.sqlite"], from: "cat people.jsonl |")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("Migrated - from"), "\(outcome.output)")
    #expect(!(outcome.output + outcome.errors).contains(temporary.path))
    #expect(
      folder.everything == [
        "out.sqlite", "people.csv", "people.jsonl", "people.tsv", "settings.json",
      ])
    let query = try StoreQuery(path: folder.path("out.sqlite"))
    #expect(
      try query.rows("SELECT Z_PK, ZNAME, ZAGE FROM ZPERSON ORDER BY 1")
        == [[1, "Ann", 4], [2, "Bo", .null]])
    #expect(temporary.everything == [])
  }

  @Test(arguments: [
    (["--store-type", "csv"], "people.csv", "ZSTANDARDINPUT"),
    (["--store-type", "tsv"], "people.tsv", "ZSTANDARDINPUT"),
    (["--store-settings", "settings.json"], "people.csv", "ZPERSON"),
    (["--store-type", "delimited", "--store-settings", "settings.json"], "people.csv", "ZPERSON"),
  ])
  func `type and settings say how the input is read`(
    options: [String], input: String, table: String
  ) throws {
    let outcome = try run(
      ["--store", "-", "--models", "-", "--output", "out.sqlite"] + options, from: "cat \(input) |")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let query = try StoreQuery(path: folder.path("out.sqlite"))
    #expect(try query.rows("SELECT ZNAME FROM \(table) ORDER BY Z_PK").first == ["Ann"])
  }

  @Test func `plan, select and inspect read standard input too`() throws {
    let plan = try run(
      ["plan"] + Self.lines + ["--output", "out.sqlite"], from: "cat people.jsonl |")
    #expect(
      plan.status == 0 && plan.output.contains("Would migrate -: 2 objects"), "\(plan.errors)")
    let selected = try run(
      [
        "select", "--store", "-", "--store-type", "json-lines", "--entity", "Person", "--filter",
        "age > 3", "--keys",
      ], from: "cat people.jsonl |")
    #expect(selected.status == 0 && selected.output == "1\n", "\(selected.errors)")
    let inspected = try run(
      ["inspect", "-", "--store-type", "json-lines", "--format", "json"], from: "cat people.jsonl |"
    )
    #expect(try inspected.status == 0 && inspected.json["path"]?.text == "-")
    let guessed = try run(
      ["inspect", "-", "--store-type", "csv", "--guess-types", "--output", "guessed.json"],
      from: "cat people.csv |")
    #expect(guessed.status == 0, "\(guessed.errors)")
    #expect(folder.everything.contains("guessed.json") && !folder.everything.contains("out.sqlite"))
    #expect(temporary.everything == [])
  }

  @Test func `mistakes, report and log call the input by its sign`() throws {
    let outcome = try run(
      Self.lines + ["--output", "out.sqlite", "--report", "report.html", "--log", "log.jsonl"],
      from: #"echo '{"entity":"Person","id":[1],"name":"secret"}' |"#)
    #expect(outcome.status == 41)
    #expect(outcome.errors.contains("ATM-071") && outcome.errors.contains("--> -:1:25"))
    #expect(outcome.errors.contains("the next run discards it"), "\(outcome.errors)")
    for text in try [outcome.errors]
      + ["report.html", "log.jsonl"].map({
        try String(contentsOfFile: folder.path($0), encoding: .utf8)
      })
    {
      #expect(!text.contains("standard-input.") && !text.contains("same command continues"))
    }
    #expect(temporary.everything == [])
    let again = try run(Self.lines + ["--output", "out.sqlite"], from: "cat people.jsonl |")
    #expect(again.status == 0, "\(again.errors)")
    #expect(!folder.everything.contains("out.sqlite.passage"))
  }

  @Test(arguments: ["settings.json", #"it's "mine" \ &.json"#, "standard-input.csv", "a\nb.json"])
  func `settings are called as the call does, whatever their name`(name: String) throws {
    try folder.write(#"{"type":"delimited","entity":5}"#, to: name)
    let call = [
      "run", "--store", "-", "--store-type", "csv", "--store-settings", name, "--models", "-",
      "--output", "o.sqlite", "--log", "log.jsonl",
    ]
    let outcome = try run(call, from: "cat people.csv |")
    #expect(outcome.status == 65, "\(outcome.errors)")
    let shown = name.replacing("\n", with: "\\n")
    #expect(outcome.errors.contains("  --> \(shown):1:30\n"), "\(outcome.errors)")
    let log = try String(contentsOfFile: folder.path("log.jsonl"), encoding: .utf8)
    let line = try #require(log.split(separator: "\n").last { $0.contains("ATM-017") }, "\(log)")
    let failed = try JSONParser.parse(Array(line.utf8), file: "log.jsonl")
    #expect(failed["file"]?.text == name, "\(line)")
    let json = try run(call + ["--format", "json"], from: "cat people.csv |").json
    #expect(json["error"]?["diagnostics"]?[0]?["file"]?.text == name)
  }

  @Test(arguments: [
    (["--store", "-", "--store-type", "csv", "--output", "o"], "</dev/null", "CMD-105"),
    (["--store", "-", "--store-type", "csv"], "cat people.csv |", "CMD-101"),
    (["--store", "-", "--store-type", "csv", "--in-place"], "cat people.csv |", "CMD-101"),
    (["plan", "--store", "-", "--store-type", "csv"], "cat people.csv |", "CMD-101"),
    (["--store", "-", "--output", "o"], "cat people.csv |", "CMD-102"),
    (["--store", "-", "--store-type", "cvs", "--output", "o"], "cat people.csv |", "CMD-102"),
    (["--store", "people.csv", "--store-type", "csv", "--output", "o"], "", "CMD-103"),
    (["inspect", "people.csv", "--store-settings", "settings.json"], "", "CMD-103"),
    (["--store", "-", "--store-type", "xml", "--output", "o"], "cat people.csv |", "CMD-107"),
    (["--store", "-", "--store-type", "tables", "--output", "o"], "cat people.csv |", "CMD-107"),
    (
      [
        "--store", "-", "--store-type", "keyed", "--store-settings", "settings.json", "--output",
        "o",
      ],
      "cat people.csv |", "CMD-107"
    ),
    (["--store", "-", "--store-settings", "none", "--output", "o"], "cat people.csv |", "CMD-108"),
    (["--store", "-", "--store-settings", ".", "--output", "o"], "cat people.csv |", "CMD-108"),
    (["verify", "--store", "-", "--output", "o"], "cat people.csv |", "CMD-109"),
    (
      ["--store", "-", "--store-type", "csv", "--output", "o", "--max-file-bytes", "1000"],
      "cat /dev/zero |", "ATM-001"
    ),
    (["status", "--store", "-"], "cat people.csv |", "./-"),
    (["--store", "people.csv", "--output", "-"], "", "./-"),
    (["convert", "-", "--output", "o"], "cat people.csv |", "./-"),
    (["--store", "-", "--store-type", "csv", "--output", "o"], "exec 0<.;", "CMD-106"),
  ])
  func `a call that cannot be answered is refused, and nothing is written`(
    arguments: [String], input: String, code: String
  ) throws {
    let before = folder.everything
    // A redirection of the input stands behind the command.
    let outcome =
      input.hasPrefix("<")
      ? try MigrateProcess.run(
        arguments, in: folder.path, after: "export TMPDIR='\(temporary.path)'; \"$@\" \(input)")
      : try run(arguments, from: input)
    #expect(outcome.status == 64 && outcome.errors.contains(code), "\(outcome.errors)")
    #expect(folder.everything == before)
    #expect(temporary.everything == [])
  }

  @Test func `a signal while the input is awaited leaves nothing behind`() throws {
    let outcome = try MigrateProcess.run(
      Self.lines + ["--output", "out.sqlite"], in: folder.path,
      after: """
        export TMPDIR='\(temporary.path)'
        mkfifo pipe
        "$@" <pipe &
        exec 3>pipe
        until ls "$TMPDIR" | grep -q passage; do sleep 0.05; done
        kill -TERM $!
        wait $!
        """)
    #expect(outcome.status == 33, "\(outcome.errors)")
    #expect(temporary.everything == [])
    #expect(!folder.everything.contains("out.sqlite"))
  }

  /// Until the input has been read, the signals are handled for it alone.
  @Test func `a signal stops a run whose input was read`() throws {
    var count = 50_000
    var stopped: ChildProgram.Outcome
    // A program that was done before the signal came proves nothing: the next one has more to do.
    repeat {
      count *= 2
      try folder.write(
        "id,name\n" + (1...count).map { "\($0),Ann\n" }.joined(), to: "many.csv")
      let program = try ChildProgram(
        "/bin/sh",
        [
          "-c", "export TMPDIR='\(temporary.path)'; exec \"$@\" <many.csv", "sh",
          MigrateProcess.executable.path, "--store", "-", "--store-type", "csv", "--models", "-",
          "--output", "out.sqlite", "--fresh", "--progress", "json",
        ], in: folder.path)
      while program.process.isRunning, !program.errorsSoFar.contains("\"progress\"") {
        usleep(500)
      }
      kill(program.process.processIdentifier, SIGTERM)
      stopped = program.outcome()
      try? FileManager.default.removeItem(atPath: folder.path("out.sqlite"))
    } while stopped.status == 0 && count < 1_000_000
    #expect(stopped.status == 33, "\(stopped.output)")
    #expect(stopped.errors.contains("RUN-013"), "\(stopped.errors)")
    #expect(temporary.everything == [])
  }

  @Test func `a file that has the name of the sign is named by its folder`() throws {
    try folder.write("id,name\n1,Ann\n", to: "-")
    try folder.write(#"{"type":"delimited","entity":"Person"}"#, to: "-.store.json")
    let outcome = try run(
      ["--store", "./-", "--models", "./-", "--output", "out.sqlite"], from: "")
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  /// README shows it, and a reader is probably in a folder that has a project.
  @Test func `a store that is named as its own model is copied, whatever the history has`() throws {
    let project = try ExampleProject()
    try Data(#"{"id": 1, "name": "Ann"}"#.utf8).write(to: URL(filePath: project.path("u.jsonl")))
    let outcome = try project.migrate(
      "--store", "u.jsonl", "--models", "u.jsonl", "--output", "u.sqlite")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("from “u” to “u”"))
    // Otherwise the history decides.
    let other = try project.migrate("--store", "u.jsonl", "--output", "other.sqlite")
    #expect(other.status != 0)
  }
}
