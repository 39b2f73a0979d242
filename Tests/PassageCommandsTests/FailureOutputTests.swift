import Foundation
import Passage
import PassageSQLite
import PassageTesting
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Every command with every class of failure that it can have: standard output is one JSON object, and
/// the exit status is the one inside it.
struct FailureOutputTests {
  /// A call, what is wrong around it, and how it must end.
  struct Case: Sendable, CustomTestStringConvertible {
    var trouble: Trouble
    var arguments: [String]
    var status: Int32
    var testDescription: String { "\(status) \(trouble): \(arguments.joined(separator: " "))" }
  }

  /// What is wrong.
  enum Trouble: Sendable {
    /// Nothing but what the arguments say.
    case none
    /// Another program holds the lock of the store that is read.
    case lockedStore
    /// Another process holds the lock of the work at `new.sqlite`.
    case otherRunner
    /// A transaction of the store was killed, and its journal waits.
    case unfinishedTransaction
    /// A folder has the name of the store's journal.
    case folderAsJournal
    /// The process may write no file of more than a few blocks: the system's own error.
    case limitedFiles
    /// The store has a file of external data that is larger than any disk.
    case hugeStore
    /// Everything is on a disk with no room left.
    case fullDisk
  }

  // MARK: Cases

  /// Every command but `select` and the like with the store as its last argument.
  private static let readers: [[String]] = [
    ["run", "--to", "2", "--output", "new.sqlite", "--store"], ["plan", "--to", "2", "--store"],
    ["status", "--store"], ["inspect"], ["select", "--entity", "Event", "--store"],
    ["pack", "--output", "new.sqlite"], ["install", "--to", "new.sqlite", "--infer", "--from"],
    ["convert", "--output", "converted"], ["infer", "--to", "Migrations/Events 2.json", "--from"],
    ["create", "--output", "new.sqlite", "--model"], ["schema", "--for"], ["diagram"],
    ["verify", "--to", "2", "--output", "Second.sqlite", "--store"],
  ]

  static let commands = [
    "run", "plan", "status", "inspect", "select", "pack", "install", "convert", "infer", "create",
    "verify", "schema", "diagram",
  ]
  /// With those whose failures have tests of their own: they read no store as the others do.
  static let allCommands =
    commands + ["check", "explain", "restore", "prune", "rehearse", "init", "fleet"]

  private static func each(
    _ status: Int32, during trouble: Trouble = .none, of names: [String] = commands,
    with last: String
  ) -> [Case] {
    readers.filter { names.contains($0[0]) }.map {
      Case(trouble: trouble, arguments: $0 + [last], status: status)
    }
  }

  private static func calls(
    _ status: Int32, during trouble: Trouble = .none, _ arguments: [String]...
  ) -> [Case] {
    arguments.map { Case(trouble: trouble, arguments: $0, status: status) }
  }

  static let cases: [Case] = [
    each(64, with: "missing.sqlite"), each(40, with: "Damaged.sqlite"),
    commands.map { Case(trouble: .none, arguments: [$0, "--nope"], status: 64) }
      + calls(
        64, ["--to", "2", "--store", "missing.sqlite"], ["statsu"],
        ["select", "--store", "Sample.sqlite", "--entity", "Evnt"],
        ["run", "--store", "", "--to", "2"], ["run", "--store", "Migrations", "--to", "2"],
        ["run", "--store", "/dev/null", "--to", "2"],
        ["run", "--store", "Sample.sqlite", "--to", "2", "--output", "Migrations"],
        ["create", "--model", "Migrations/Events 1.json", "--output", "Migrations"],
        ["create", "--model", "Migrations/Events 1.json", "--output", "new.csv"],
        ["pack", "Sample.sqlite", "--output", "Migrations"],
        ["install", "--from", "Sample.sqlite", "--to", "Migrations", "--infer"]),
    calls(
      65, ["run", "--migrations", "Broken", "--to", "2"],
      ["plan", "--migrations", "Broken", "--to", "2"],
      ["status", "--migrations", "Broken", "--to", "2"],
      ["verify", "--migrations", "Broken", "--to", "2"],
      ["inspect", "Sample.sqlite", "--migrations", "Broken"], ["diagram", "Broken"],
      ["diagram", "Sample.sqlite", "--migrations", "Broken"], ["diagram", "Broken/a.json"],
      ["select", "--store", "Sample.sqlite", "--entity", "Event", "--filter", "a ="],
      ["select", "--store", "Sample.sqlite", "--entity", "Event", "--model", "Broken/a.json"],
      ["pack", "Sample.sqlite", "--output", "new.sqlite", "--model", "Broken/a.json"],
      ["install", "--from", "Sample.sqlite", "--to", "new.sqlite", "--migrations", "Broken"],
      ["convert", "Broken/a.json", "--output", "converted"],
      ["infer", "--from", "Broken/a.json", "--to", "Migrations/Events 2.json"],
      ["create", "--model", "Broken/a.json", "--output", "new.sqlite"],
      ["schema", "--for", "Migrations/Events 1.json,Broken/a.json"]),
    each(65, of: ["run", "plan", "status", "inspect", "select"], with: "Text.sqlite"),
    each(65, of: ["run", "pack", "install"], with: "Empty.sqlite"),
    // 10 is no failure of `status`: it is the answer, and stands outside an error.
    calls(10, ["install", "--from", "Sample.sqlite", "--to", "new.sqlite"]),
    each(20, of: ["run", "plan", "install", "verify", "status"], with: "Stranger.sqlite"),
    calls(
      22, ["run", "--to", "1", "--store", "Second.sqlite", "--output", "new.sqlite"],
      ["plan", "--to", "1", "--store", "Second.sqlite"],
      ["verify", "--to", "1", "--store", "Second.sqlite", "--output", "Sample.sqlite"],
      ["install", "--from", "Second.sqlite", "--to", "new.sqlite", "--to-version", "1"],
      ["infer", "--from", "Migrations/Events 1.json", "--to", "Broken/required.json"]),
    each(
      30, during: .lockedStore, of: commands.filter { !["pack", "install"].contains($0) },
      with: "Locked.sqlite"),
    calls(
      30, during: .otherRunner,
      ["run", "--store", "Sample.sqlite", "--to", "2", "--output", "new.sqlite"]),
    each(
      31, during: .hugeStore, of: ["run", "plan", "install", "pack", "verify"], with: "Huge.sqlite"),
    each(
      64, during: .unfinishedTransaction,
      of: commands.filter { !["pack", "install"].contains($0) },
      with: "Killed.sqlite"),
    each(32, during: .folderAsJournal, with: "Odd.sqlite"),
    each(
      32, during: .limitedFiles, of: ["run", "pack", "install", "verify"], with: "Sample.sqlite"),
    calls(
      32, during: .limitedFiles,
      ["create", "--model", "Migrations/Events 2.json", "--output", "new.sqlite"]),
    calls(
      33, ["run", "--store", "Sample.sqlite", "--to", "2", "--time-budget", "0"],
      ["verify", "--store", "Sample.sqlite", "--to", "2", "--output", "Second.sqlite"]
        + ["--time-budget", "0"]),
    calls(
      41, ["run", "--store", "Wrong.sqlite", "--to", "2", "--output", "new.sqlite"],
      ["verify", "--store", "Wrong.sqlite", "--to", "2", "--output", "Second.sqlite"],
      ["install", "--from", "Wrong.sqlite", "--to", "new.sqlite", "--to-version", "2"],
      ["select", "--store", "Wrong.sqlite", "--entity", "Event", "--filter"]
        + ["parseDate(concatenate(\"no\", formatDate(timeStamp, \"y\", \"UTC\", \"en\"))) > now()"]),
    each(
      41,
      of: ["run", "plan", "status", "inspect", "convert", "create", "infer", "schema", "diagram"],
      with: "Wrong.csv"),
    calls(
      42, ["verify", "--store", "Sample.sqlite", "--to", "2", "--output", "Second.sqlite"]),
    calls(
      43,
      ["run", "--to", "2", "--infer", "--losses", "refuse", "--migrations", "Bare"]
        + ["--store", "Sample.sqlite"],
      ["plan", "--to", "2", "--infer", "--losses", "refuse", "--migrations", "Bare"]
        + ["--store", "Sample.sqlite"],
      ["install", "--from", "Sample.sqlite", "--to", "new.sqlite", "--to-version", "2"]
        + ["--infer", "--losses", "refuse", "--migrations", "Bare"]),
  ].flatMap(\.self)

  /// What needs a disk of its own, which not every system lets a test make.
  static let fullDiskCases: [Case] = [
    each(31, during: .fullDisk, of: ["run", "install", "pack", "verify"], with: "Sample.sqlite"),
    calls(
      31, during: .fullDisk,
      ["create", "--model", "Migrations/Events 2.json", "--output", "new.sqlite"],
      ["convert", "Migrations/Events 2.json", "--output", "converted"],
      ["infer", "--from", "Migrations/Events 1.json", "--to", "Migrations/Events 2.json"]
        + ["--output", "new.json"], ["schema", "--output", "written"],
      ["diagram", "Migrations", "--output", "new.svg"]),
  ].flatMap(\.self)

  // MARK: What cannot be

  /// The classes that a command cannot have, or that cannot be brought about from outside, with the
  /// reason.
  static let impossible: [(kinds: [MigrationError.Kind], commands: [String], reason: String)] = [
    ([.bug], commands, "a bug that is known is mended"),
    (
      [.migrationNeeded], commands.filter { $0 != "install" },
      "the others migrate, or ask for no version; status answers it, which is no failure"
    ),
    ([.checkFailed], commands, "only check has findings, which are its answer and no failure"),
    (
      [.sourceModelUnknown],
      ["inspect", "select", "pack", "convert", "infer", "create", "schema", "diagram"],
      "they take any store; a model that is guessed is told"
    ),
    (
      [.noMapping],
      ["status", "inspect", "select", "pack", "convert", "create", "schema", "diagram"],
      "they need no mapping"
    ),
    ([.locked], ["install", "pack"], "they wait for the other process, for ten minutes"),
    ([.diskTooSmall], ["status", "inspect", "select"], "they write nothing"),
    (
      [.cancelled], commands.filter { !["run", "verify"].contains($0) },
      "they are stopped by a signal alone, at a moment that a test cannot choose"
    ),
    (
      [.policyFailed], ["pack"], "it runs no mapping, evaluates no filter and takes no text"
    ),
    (
      [.verificationFailed], commands.filter { $0 != "verify" },
      "what they make is compared with what it was made of: only a bug lets them differ"
    ),
    (
      [.valuesLost], commands.filter { !["run", "plan", "install"].contains($0) },
      "they take no --losses"
    ),
  ]

  @Test(arguments: commands)
  func `every class of failure is tested, or cannot be`(command: String) {
    for kind in MigrationError.Kind.allCases {
      let isTested = (Self.cases + Self.fullDiskCases).contains {
        $0.arguments[0] == command && $0.status == kind.rawValue
      }
      let isImpossible = Self.impossible.contains {
        $0.kinds.contains(kind) && $0.commands.contains(command)
      }
      #expect(isTested != isImpossible, "\(command) \(kind)")
    }
  }

  // MARK: Running

  @Test(arguments: cases)
  func `a failure is one JSON object with its exit status`(trial: Case) throws {
    try FailureProject().check(trial)
  }

  @Test(.enabled(if: FailureProject.canMakeDisks), arguments: fullDiskCases)
  func `a full disk is reported as one JSON object too`(trial: Case) throws {
    try FailureProject().check(trial)
  }

  /// The keys are printed as they come. While nobody reads them the store is damaged behind what has
  /// been read.
  @Test func `a list that fails while it is printed is one JSON object`() throws {
    let project = try ExampleProject()
    try project.replaceSample(events: 400_000)
    try project.change(ExampleProject.sample, "PRAGMA journal_mode = DELETE")
    let process = Process()
    process.executableURL = try MigrateProcess.executable
    process.arguments = [
      "select", "--store", ExampleProject.sample, "--entity", "Event", "--format", "json",
    ]
    process.currentDirectoryURL = URL(fileURLWithPath: project.folder.path)
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    var output = try #require(try pipe.fileHandleForReading.read(upToCount: 1))
    let file = try FileHandle(
      forWritingTo: URL(fileURLWithPath: project.path(ExampleProject.sample)))
    let size = try file.seekToEnd()
    try file.seek(toOffset: size / 4096 / 2 * 4096)
    try file.write(contentsOf: Data(count: Int(size - size / 4096 / 2 * 4096)))
    try file.close()
    output += try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 40)
    let object = try JSONParser.parse(Array(output), file: "standard output")
    #expect(object["count"]?.number == 400_000)
    #expect((object["keys"]?.elements.count ?? 0) > 1_000)
    #expect(object["command"]?.text == "select")
    #expect(object["error"]?["exitStatus"]?.number == 40)
    #expect(object["error"]?["diagnostics"]?.elements.isEmpty == false)
  }

  @Test func `that a store needs migrating is one JSON object`() throws {
    let outcome = try FailureProject().project.migrate("status", "--format", "json")
    #expect(outcome.status == 10)
    #expect(try outcome.json["command"]?.text == "status")
  }
}
