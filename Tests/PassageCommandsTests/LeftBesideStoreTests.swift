import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

/// Commands that only read leave a folder as they found it, whatever ends them.
struct LeftBesideStoreTests {
  private static let filter = [
    "--in-memory", "--filter", "length(formatDate(timeStamp)) > 0",
  ]

  /// Commands that read a store in WAL mode, with locks and without.
  static let calls: [[String]] = [
    ["select", "--store", ExampleProject.sample, "--entity", "Event", "--in-memory", "--keys"],
    ["inspect", ExampleProject.sample], ["status"], ["status", "--format=json"],
    ["plan", "--mappings", "StepOne,StepTwo"],
    ["plan", "--mappings", "StepOne,StepTwo", "--store", ExampleProject.sample],
    ["verify", "--output", ExampleProject.sample, "--store", ExampleProject.sample],
    ["explain", "--entity", "Event", "--key", "1"],
    ["run", "--dry-run", "--mappings", "StepOne,StepTwo"],
  ]

  /// The system lets no file grow, as on a full disk.
  @Test(arguments: calls)
  func `where no file can grow, nothing stays beside a store`(call: [String]) throws {
    let project = try ExampleProject()
    // A store that was just written is not at rest.
    try project.change(ExampleProject.sample, "UPDATE ZEVENT SET Z_OPT = 2")
    let before = project.folder.everything
    let outcome = try MigrateProcess.run(
      call, in: project.folder.path, after: "trap '' XFSZ; ulimit -f 0; exec \"$@\" 2>&1 | cat")
    #expect(project.folder.everything == before, "\(outcome.output)")
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal ends a reading in order`(_ signal: Int32) throws {
    var events: Int64 = 50_000
    var stopped: ChildProgram.Outcome
    // A program that was done before the signal came proves nothing: the next one has more to do.
    repeat {
      events *= 4
      let project = try ExampleProject()
      try project.replaceSample(events: events)
      let before = project.folder.everything
      let program = try MigrateProcess.start(
        ["select", "--store", ExampleProject.sample, "--entity", "Event"] + Self.filter,
        in: project.folder.path, notIgnoring: signal)
      while program.process.isRunning,
        !project.folder.everything.contains(where: { $0.hasSuffix("-shm") })
      {
        usleep(1_000)
      }
      kill(program.process.processIdentifier, signal)
      stopped = program.outcome()
      #expect(project.folder.everything == before)
    } while stopped.status != 33 && events < 20_000_000
    #expect(stopped.status == 33 && !stopped.wasKilled)
    #expect(stopped.errors.contains("RUN-013"), "\(stopped.errors)")
  }

  @Test func `a signal while a migration is prepared ends it in order`() throws {
    var stopped = 0
    for delay in 0..<20 {
      let project = try ExampleProject()
      let before = project.folder.everything
      let program = try MigrateProcess.start(
        ["run", "--output", "out.sqlite", "--lane", "row"], in: project.folder.path)
      // The store is open from now on; no batch is made yet.
      while program.process.isRunning,
        !project.folder.everything.contains(where: { $0.hasSuffix("-shm") })
      {
        usleep(200)
      }
      usleep(UInt32(delay) * 500)
      kill(program.process.processIdentifier, SIGTERM)
      let outcome = program.outcome()
      #expect(!outcome.wasKilled && [0, 33].contains(outcome.status), "\(outcome.output)")
      guard outcome.status == 33 else { continue }
      stopped += 1
      let left = project.folder.everything.filter { !before.contains($0) }
      #expect(left.allSatisfy { $0.hasPrefix("out.sqlite.passage") }, "\(left)")
    }
    #expect(stopped > 0)
  }

  /// Its migration handles signals itself; they are handled again after it.
  @Test(arguments: [SIGINT, SIGTERM], ["create", "finished"])
  func `a signal ends a comparison in order, whenever it comes`(
    _ signal: Int32, phase: String
  ) throws {
    var events: Int64 = 10_000
    var stopped: ChildProgram.Outcome
    // As above: a comparison that was done before the signal came proves nothing.
    repeat {
      events *= 2
      let project = try ExampleProject()
      try project.replaceSample(events: events)
      #expect(try project.migrateByName().status == 0)
      let before = project.folder.everything
      let call = [
        "verify", "--store", ExampleProject.sample, "--output", ExampleProject.migrated,
        "--mappings", "StepOne,StepTwo", "--progress", "json",
      ]
      let program = try MigrateProcess.start(call, in: project.folder.path)
      while program.process.isRunning, !program.errorsSoFar.contains("\"\(phase)\"") {
        usleep(500)
      }
      kill(program.process.processIdentifier, signal)
      stopped = program.outcome()
      // The same command continues.
      let left = project.folder.everything.filter { !before.contains($0) }
      if stopped.errors.contains("RUN-013") {
        #expect(stopped.errors.contains("nothing was left behind") == left.isEmpty, "\(left)")
      }
      #expect(left.allSatisfy { $0.contains(".verify") }, "\(left)")
      #expect(try project.migrate(call).status == 0)
      #expect(project.folder.everything == before)
    } while stopped.status != 33 && events < 2_000_000
    #expect(stopped.status == 33 && !stopped.wasKilled, "\(stopped.output)")
    #expect(stopped.errors.contains("RUN-013"), "\(stopped.errors)")
  }
}
