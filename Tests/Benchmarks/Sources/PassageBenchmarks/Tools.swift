#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Where the programs and the scenarios are.
struct Tools {
  /// The library as a process of its own.
  var subject: String
  var plainLoop: String
  /// The user's program, for the figures of the command line; `nil` to leave them out.
  var migrate: String?
  /// The library of another build, to be held against this one; `nil` for none.
  var beside: String?
  /// The lane that is forced; `auto` for none.
  var lane: String
  var scenarios: String
  var folder: Folder

  /// The programs beside this one, and what the call names.
  init(
    migrate: String? = nil, beside: String? = nil, lane: String, scenarios: String, folder: Folder
  ) {
    let binaries = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false)
      .dropLast().joined(separator: "/")
    subject = "\(binaries)/benchmark-subject"
    plainLoop = "\(binaries)/plain-loop"
    self.migrate = migrate
    self.beside = beside
    self.lane = lane
    self.scenarios = scenarios
    self.folder = folder
  }

  func file(_ name: String, of scenario: Scenario) -> String {
    "\(scenarios)/\(scenario.folder)/\(name)"
  }

  func text(_ name: String, of scenario: Scenario) throws -> String {
    try Folder.text(file(name, of: scenario))
  }

  /// Runs a script in the sqlite3 shell.
  func shell(_ script: String, on store: String, durable: Bool = false) throws -> Child.Outcome {
    let input = try folder.write(".bail on\n" + script, to: "script.sql")
    return try Child(program: "sqlite3", arguments: ["-batch", store], inputPath: input)
      .run(durable: durable ? store : nil, in: folder)
  }

  @discardableResult
  func subject(_ arguments: String...) throws -> Child.Outcome {
    try Child(program: subject, arguments: arguments).run(in: folder)
  }

  /// Tells on standard error what is being measured.
  func note(_ text: String) {
    let line = Array("\(text)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
  }
}
