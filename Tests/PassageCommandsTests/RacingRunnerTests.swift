import Foundation
import Passage
import PassageFiles
import PassageSQLite
import PassageTesting
import Synchronization
import TestSupport
import Testing

/// Several runners, and a writer beside one: each is told what is, and no result is a mixture.
struct RacingRunnerTests {
  /// One way to call for the same result.
  struct Way: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var arguments: [String]
    var result: String
    /// What a runner says that did the work.
    var outcome: String
  }

  static let ways = [
    Way(
      testDescription: "in place",
      arguments: ["--mappings", "StepOne,StepTwo", "--in-place"], result: ExampleProject.sample,
      outcome: "migrated"),
    Way(
      testDescription: "to a new file", arguments: ["--mappings", "StepOne,StepTwo"],
      result: ExampleProject.migrated, outcome: "migrated"),
    Way(
      testDescription: "to a version, in place", arguments: ["--to", "2", "--in-place"],
      result: ExampleProject.sample, outcome: "migrated"),
    Way(
      testDescription: "to a version, to a new file", arguments: ["--to", "2"],
      result: ExampleProject.migrated, outcome: "migrated"),
    Way(
      testDescription: "install",
      arguments: ["install", "--from", ExampleProject.sample, "--to", "new.sqlite"],
      result: "new.sqlite", outcome: "installed"),
    Way(
      testDescription: "pack",
      arguments: ["pack", ExampleProject.sample, "--output", "new.sqlite"],
      result: "new.sqlite", outcome: "packed"),
  ]

  @Test(arguments: ways) func `of eight runners one does it, the others find it or wait`(
    way: Way
  ) throws {
    for _ in 0..<2 {
      let project = try ExampleProject()
      let runners = try (0..<8).map { _ in
        try MigrateProcess.start(
          // The project's newest version is another one: the store is installed as it is.
          way.arguments + (way.arguments[0] == "install" ? ["--to-version", "1"] : [])
            + ["--format", "json"], in: project.path(""))
      }
      var done = 0
      for runner in runners {
        let outcome = runner.outcome()
        #expect([0, 30].contains(outcome.status), "\(outcome.status): \(outcome.output)")
        if outcome.status == 0, try outcome.json["outcome"]?.text == way.outcome { done += 1 }
      }
      #expect(done == 1)
      #expect(project.folder.everything.filter { $0.contains(".passage") } == [])
      #expect(try StoreFile.open(path: project.path(way.result)).quickCheck() == [])
      let again = try MigrateProcess.run(
        way.arguments + (way.arguments[0] == "install" ? ["--to-version", "1"] : []),
        in: project.path(""))
      #expect(again.status == 0, "\(again.errors)")
    }
  }

  @Test(arguments: ["wal", "delete"], [false, true])
  func `a writer beside a run is either not seen or reported`(mode: String, isInPlace: Bool) throws
  {
    let project = try ExampleProject()
    try project.replaceSample(events: 2_000)
    let path = project.path(ExampleProject.sample)
    do {
      let store = try Connection(path: path, mode: .readWrite)
      _ = try store.value("PRAGMA journal_mode = \(mode)")
    }
    let isOver = Mutex(false)
    let hasWritten = DispatchSemaphore(value: 0)
    let writer = Thread {
      guard let connection = try? Connection(path: path, mode: .readWrite, busyTimeout: 50) else {
        return
      }
      var key = 100_000
      while !isOver.withLock({ $0 }) {
        key += 1
        // One that is held off tries again.
        try? connection.execute(
          "INSERT INTO ZEVENT (Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP) VALUES (\(key), 1, 1, 5)")
        hasWritten.signal()
        usleep(2_000)
      }
    }
    writer.start()
    hasWritten.wait()
    defer { isOver.withLock { $0 = true } }
    for round in 0..<6 {
      let output = "out-\(round).sqlite"
      let outcome = try MigrateProcess.run(
        [
          "--mappings", "StepOne,StepTwo", "--batch-size", "200", "--format", "json", "--fresh",
        ] + (isInPlace ? ["--in-place"] : ["--output", output]), in: project.path(""))
      let code = try outcome.json["error"]?["diagnostics"]?[0]?["code"]?.text
      let isTold =
        outcome.status == 32 && code == "RUN-012"
        || outcome.status == 30 && ["RUN-011", "STO-111"].contains(code)
      #expect(outcome.status == 0 || isTold, "\(outcome.status): \(outcome.output)")
      if isInPlace { #expect(outcome.status != 0, "the writer has it open") }
    }
  }

  @Test(arguments: ["MEMORY", "OFF"])
  func `a store that an idle program has open is not replaced`(mode: String) throws {
    let project = try ExampleProject()
    let path = project.path(ExampleProject.sample)
    let call = ["--mappings", "StepOne,StepTwo", "--in-place"]
    do {
      let idle = try Connection(path: path, mode: .readWrite)
      _ = try idle.value("PRAGMA journal_mode = DELETE")
      _ = try idle.value("PRAGMA journal_mode = \(mode)")
      _ = try idle.integer("SELECT count(*) FROM ZEVENT")
      #if os(Linux)
        let control = try project.folder.write("x", to: "control")
        if FileSystem.isOpenElsewhere(control, control: control) == false {
          let outcome = try MigrateProcess.run(call, in: project.path(""))
          #expect(outcome.status == 30, "\(outcome.errors)")
          #expect(outcome.errors.contains("RUN-011"))
        }
      #endif
    }
    #expect(try MigrateProcess.run(call, in: project.path("")).status == 0)
  }

  @Test(arguments: 4...40) func `too few files are an error, and never a crash`(
    count: Int
  ) throws {
    let project = try ExampleProject()
    let outcome = try MigrateProcess.run(
      ["--mappings", "StepOne,StepTwo"], in: project.path(""),
      after: "ulimit -n \(count); exec \"$@\"")
    #expect(!outcome.wasKilled)
    #expect([0, 32].contains(outcome.status), "\(outcome.status)")
  }

  @Test(arguments: ["plan", "run --dry-run"])
  func `a plan rolls nothing back that an interrupted cut-over left`(command: String) throws {
    let project = try ExampleProject()
    let path = project.path(ExampleProject.sample)
    try project.replaceSample(events: 3_000)
    try project.change(ExampleProject.sample, "PRAGMA journal_mode = DELETE")
    let other = project.path("other.sqlite")
    do {
      let writer = try Connection(path: path, mode: .readWrite)
      try writer.execute("PRAGMA cache_size = 2; BEGIN; UPDATE ZEVENT SET ZTIMESTAMP = 0")
      for suffix in ["", "-journal"] {
        try FileManager.default.copyItem(atPath: path + suffix, toPath: other + suffix)
      }
      try writer.execute("ROLLBACK")
    }
    let folder = other + ".passage"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    try project.folder.write(other + ".before-1", to: "other.sqlite.passage/cut-over")
    let before = try (bytes(of: other), bytes(of: other + "-journal"))
    let arguments = command.split(separator: " ").map(String.init)
    let outcome = try MigrateProcess.run(
      arguments + ["--store", other, "--to", "2", "--in-place"], in: project.path(""))
    #expect(outcome.status == 64, "\(outcome.errors)")
    #expect(try bytes(of: other) == before.0)
    #expect(try bytes(of: other + "-journal") == before.1)
  }
}
