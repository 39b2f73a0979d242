import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

/// What is seen and what can be done while a migration runs.
struct ProgressAndSignalTests {
  @Test
  func `progress is one JSON object a line on standard error`() throws {
    let project = try ExampleProject()
    let outcome = try project.migrate("--progress", "json", "--batch-size", "100")
    #expect(outcome.status == 0)
    let lines = try outcome.errors.split(separator: "\n").map {
      try JSONParser.parse(Array($0.utf8), file: "standard error")
    }
    #expect(lines.count > 2)
    #expect(lines.allSatisfy { $0["type"]?.text == "progress" })
    #expect(lines.last?["phase"]?.text == "finished")
    #expect(lines.last?["completed"]?.number == 4_000)
    #expect(outcome.output.hasPrefix("Migrated"))
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal stops at the next batch, and the same command continues`(_ signal: Int32) throws {
    var project: ExampleProject
    var events: Int64 = 75_000
    var stopped: ChildProgram.Outcome
    // A program that was done before the signal came proves nothing: the next one has more to do.
    repeat {
      events *= 4
      project = try ExampleProject()
      try project.replaceSample(events: events)
      stopped = try outcome(ofSignal: signal, in: project)
    } while stopped.status == 0 && events < 20_000_000
    #expect(stopped.status == 33)
    #expect(stopped.errors.contains("RUN-013"))
    #expect(!project.names().contains(ExampleProject.migrated))
    let finished = try project.migrate("--format", "json")
    #expect(finished.status == 0)
    #expect(try finished.json["wasContinued"]?.truth == true)
    #expect(try finished.json["totals"]?["read"]?.number == Int(2 * events))
  }

  /// `timeout` sends its signal to the process, and to the group of the process.
  @Test(arguments: [false, true])
  func `a second signal ends the process, unless it comes with the first`(isLate: Bool) throws {
    var events: Int64 = 75_000
    var ended: ChildProgram.Outcome
    // As above: a program that was done before the signals came proves nothing.
    repeat {
      events *= 4
      let project = try ExampleProject()
      try project.replaceSample(events: events)
      let program = try MigrateProcess.start(
        ["--progress", "json", "--batch-size", "50"], in: project.folder.path, notIgnoring: SIGINT)
      while program.process.isRunning, try !hasBegun(program.errorsSoFar) { usleep(1_000) }
      kill(program.process.processIdentifier, SIGINT)
      if isLate { usleep(300_000) }
      kill(program.process.processIdentifier, SIGTERM)
      ended = program.outcome()
    } while !ended.wasKilled && ended.status == 0 && events < 20_000_000
    // It may have stopped in order before a late one.
    #expect(ended.status == 33 && !ended.wasKilled || isLate && ended.wasKilled, "\(ended.status)")
  }

  @Test
  func `a terminal that is closed does not stop what nohup has started`() throws {
    let project = try ExampleProject()
    try project.replaceSample(events: 300_000)
    let outcome = try MigrateProcess.run(
      [], in: project.folder.path,
      after: "trap '' HUP; (for i in 1 2 3 4 5; do sleep 0.05; kill -HUP $$; done) & exec \"$@\"")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(project.names().contains(ExampleProject.migrated))
  }

  /// What becomes of a program that gets a signal once it has migrated objects, which progress tells: then
  /// the signal is caught, and there is work to continue.
  private func outcome(
    ofSignal signal: Int32, in project: ExampleProject
  ) throws -> ChildProgram.Outcome {
    let program = try MigrateProcess.start(
      ["--progress", "json", "--batch-size", "50"], in: project.folder.path, notIgnoring: signal)
    while program.process.isRunning, try !hasBegun(program.errorsSoFar) { usleep(1_000) }
    kill(program.process.processIdentifier, signal)
    return program.outcome()
  }

  /// Whether a whole line of progress reports a migrated object.
  private func hasBegun(_ errors: String) throws -> Bool {
    let lines = errors.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .dropLast()
    return try lines.contains { line in
      let progress = try JSONParser.parse(Array(line), file: "standard error")
      return (progress["completed"]?.number ?? 0) > 0
    }
  }

  @Test
  func `a fresh start throws the work away`() throws {
    let project = try ExampleProject()
    #expect(try project.migrate("--time-budget", "0").status == 33)
    let json = try project.migrate("--fresh", "--format", "json").json
    #expect(json["outcome"]?.text == "migrated")
    #expect(json["wasContinued"]?.truth == false)
  }
}
