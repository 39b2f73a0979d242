import Passage
import PassageCommands
import PassageTesting
import TestSupport
import Testing

/// How numbers, progress and mistakes read.
struct OutputTests {
  @Test(arguments: [
    (0, "0"), (999, "999"), (1_000, "1,000"), (-1_234_567, "-1,234,567"),
    (Int64.max, "9,223,372,036,854,775,807"), (Int64.min, "-9,223,372,036,854,775,808"),
  ])
  func `counts are grouped by thousands`(_ value: Int64, _ text: String) {
    #expect(NumberText.count(value) == text)
  }

  @Test(arguments: [
    (0.0, "0 ms"), (0.0364, "36 ms"), (1, "1.0 s"), (59.94, "59.9 s"), (59.96, "1 min 00 s"),
    (125, "2 min 05 s"), (3_600, "1 h 00 min"), (7_640, "2 h 07 min"), (.infinity, "?"),
    (.nan, "?"), (-1, "?"),
  ])
  func `durations have a unit that people read`(_ seconds: Double, _ text: String) {
    #expect(NumberText.duration(seconds) == text)
  }

  @Test(arguments: [
    (0, "0 bytes"), (1, "1 byte"), (1_023, "1,023 bytes"), (1_024, "1.0 KiB"),
    (1_048_575, "1.0 MiB"), (57_344, "56.0 KiB"), (Int64.max, "8.0 EiB"),
  ])
  func `sizes have a unit that people read`(_ bytes: Int64, _ text: String) {
    #expect(NumberText.bytes(bytes) == text)
  }

  @Test(arguments: [
    ["--help"], ["help", "run"], ["run", "--help"], ["--generate-completion-script", "zsh"],
  ])
  func `help that cannot be written is a failure`(call: [String]) throws {
    let folder = try TemporaryDirectory()
    let full = try MigrateProcess.run(call, in: folder.path, after: #"exec "$@" >/dev/full"#)
    #expect(full.status == 31 && full.errors.contains("RUN-006"), "\(full.errors)")
    let closed = try MigrateProcess.run(call, in: folder.path, after: #"exec "$@" >&-"#)
    #expect(closed.status == 32 && closed.errors.contains("RUN-007"), "\(closed.errors)")
    let whole = try MigrateProcess.run(call, in: folder.path)
    #expect(whole.status == 0 && whole.output.hasSuffix("\n") && whole.errors.isEmpty)
  }

  @Test(arguments: ["text", "json"])
  func `a result that cannot be written says what was done`(format: String) throws {
    let project = try ExampleProject()
    let call = [
      "create", "--model", "Migrations/Events 1.json", "--output", "new.sqlite", "--format", format,
    ]
    let full = try MigrateProcess.run(
      call, in: project.folder.path, after: #"exec "$@" >/dev/full"#)
    #expect(full.status == 31 && full.errors.contains("RUN-006"), "\(full.errors)")
    #expect(full.errors.contains("Created new.sqlite"))
    #expect(!full.errors.contains("run the same command again"))
    #expect(project.folder.contents("new.sqlite") != nil)
  }

  private var halfWay: MigrationProgress {
    var progress = MigrationProgress()
    progress.phase = .create
    progress.passCount = 2
    progress.passName = "StepOne"
    progress.completed = 860
    progress.total = 2_000
    progress.objectsPerSecond = 12_345.6
    progress.secondsLeft = 18.2
    return progress
  }

  @Test
  func `a line of progress shows pass, count, rate and time left`() {
    #expect(
      ProgressText(halfWay).line
        == "43 %  pass 1 of 2 StepOne, create  860 of 2,000  12,345/s  18 s left".leftPadded)
  }

  @Test(arguments: 1...200)
  func `a bar fits every terminal`(_ columns: Int) {
    #expect(ProgressText(halfWay).bar(columns: columns).count < columns)
  }

  @Test
  func `a bar is as full as the work is done`() {
    let bar = ProgressText(halfWay).bar(columns: 120)
    #expect(bar.hasPrefix("[############------------------]  43 %  pass 1/2 StepOne  860 of 2,000"))
  }

  @Test
  func `a narrow terminal keeps what matters most`() {
    let bar = ProgressText(halfWay).bar(columns: 40)
    #expect(bar.contains("43 %  pass 1/2 StepOne"))
    #expect(!bar.contains("/s"))
  }

  @Test
  func `the excerpt of a long line holds the place`() throws {
    let folder = try TemporaryDirectory()
    let line =
      String(repeating: "a", count: 5_000) + "\u{1B}[31mX" + String(repeating: "b", count: 5_000)
    let path = try folder.write("first\n" + line + "\n", to: "long.json")
    let text = DiagnosticText.text(
      Diagnostic("MAP-001", "x", at: SourceLocation(file: path, line: 2, column: 5_006)))
    let lines = text.split(separator: "\n")
    let excerpt = try #require(lines.first { $0.contains("2 | ") })
    let caret = try #require(lines.first { $0.hasSuffix("^") })
    #expect(excerpt.count < 110)
    // No control character of a file reaches a terminal.
    #expect(!text.contains("\u{1B}"))
    #expect(Array(excerpt)[caret.count - 1] == "X")
  }

  @Test(arguments: [(0, 1), (1, 0), (9, 1), (1, 99), (-4, -4), (Int.max, Int.max)])
  func `a place that is not in the file has no excerpt`(_ line: Int, _ column: Int) throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("one line", to: "short.json")
    let text = DiagnosticText.text(
      Diagnostic("MAP-001", "x", at: SourceLocation(file: path, line: line, column: column)))
    #expect(!text.contains("|"))
  }
}

extension String {
  /// Percentages stand below each other.
  fileprivate var leftPadded: String { " " + self }
}
