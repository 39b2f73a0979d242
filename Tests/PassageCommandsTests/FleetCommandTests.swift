import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

/// `migrate fleet`, as a user runs it.
struct FleetCommandTests {
  @Test func `stores are migrated in place, and a second run does nothing`() throws {
    let project = try FleetProject(stores: 5)
    let first = try project.run()
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.output.hasPrefix("5 stores at version “2”\n"))
    #expect(try project.lines().count == 5)
    let names = project.example.names()
    let again = try project.run("--format", "json")
    #expect(again.status == 0)
    #expect(try again.json["upToDate"]?.number == 5 && again.json["migrated"]?.number == 0)
    #expect(project.example.names() == names)
    #expect(try project.example.migrate("status", "--store", FleetProject.name(3)).status == 0)
  }

  @Test func `some that fail give the exit status 50, and their remedy once`() throws {
    let project = try FleetProject(stores: 6)
    try project.damage(2)
    try project.damage(4)
    let outcome = try project.run()
    #expect(outcome.status == 50)
    #expect(outcome.output.contains("2 × STO-106, class 65"))
    #expect(outcome.output.components(separatedBy: "name a Core Data store").count == 2)
    let json = try project.run("--format", "json")
    #expect(json.status == 50)
    #expect(try json.json["failures"]?[0]?["count"]?.number == 2)
    #expect(try json.json["stop"]?.kind == .null)
  }

  @Test func `a fleet that may open too few files says so, and damages nothing`() throws {
    let project = try FleetProject(stores: 24)
    let before = project.example.folder.everything
    let call =
      ["fleet", "run"] + FleetProject.stores + ["--mappings", "StepOne,StepTwo", "--in-place"]
    let outcome = try MigrateProcess.run(
      call + ["--jobs", "16", "--format", "json"], in: project.example.folder.path,
      after: "ulimit -n 40; exec \"$@\"")
    #expect(outcome.status == 50, "\(outcome.errors)")
    let failures = try #require(try outcome.json["failures"]?.elements)
    #expect(failures.map { $0["code"]?.text } == ["STO-160"])
    #expect(failures.first?["remedy"]?.text?.contains("--jobs 1 --group 1") == true)
    let beside = project.example.folder.everything.filter { !before.contains($0) }
    #expect(!beside.contains { $0.hasSuffix("-wal") || $0.hasSuffix("-shm") }, "\(beside)")
    // With one at a time, as the remedy says, the same call ends well.
    let again = try MigrateProcess.run(
      call + ["--jobs", "1", "--group", "1"], in: project.example.folder.path,
      after: "ulimit -n 40; exec \"$@\"")
    #expect(again.status == 0, "\(again.output) \(again.errors)")
    #expect(!project.example.folder.everything.contains { $0.contains(".passage") })
  }

  @Test func `retry takes the stores that failed`() throws {
    let project = try FleetProject(stores: 4)
    try project.damage(1)
    try project.damage(3)
    #expect(try project.run().status == 50)
    let way = ["--mappings", "StepOne,StepTwo", "--in-place", "--format", "json"]
    let none = try project.example.migrate(["fleet", "retry", "--class", "30,32"] + way)
    #expect(try none.status == 0 && none.json["stores"]?.number == 0)
    try project.addStore(1)
    let retried = try project.example.migrate(["fleet", "retry", "--code", "STO-106"] + way)
    #expect(retried.status == 50)
    #expect(try retried.json["stores"]?.number == 2 && retried.json["migrated"]?.number == 1)
    let rest = try project.example.migrate(["fleet", "retry"] + FleetProject.stores + way)
    #expect(try rest.json["stores"]?.number == 1)
    #expect(try project.lines().count == 7)
    let wrong = try project.example.migrate(["fleet", "retry", "--class", "x"] + way)
    #expect(wrong.status == 64)
  }

  @Test func `status tells what is to do, and writes nothing`() throws {
    let project = try FleetProject(stores: 3)
    let status = ["fleet", "status"] + FleetProject.stores + ["--mappings", "StepOne,StepTwo"]
    let names = project.example.names()
    let before = try project.example.migrate(status)
    #expect(before.status == 10 && before.output.contains("to do       3"))
    #expect(project.example.names() == names)
    #expect(try project.run().status == 0)
    #expect(try project.example.migrate(status).status == 0)
    try project.damage(2)
    let after = try project.example.migrate(status + ["--format", "json"])
    #expect(after.status == 50)
    #expect(try after.json["names"]?["other"]?[0]?.text == FleetProject.name(2))
  }

  @Test func `a retry of nothing prints every member of a run`() throws {
    let project = try FleetProject(stores: 2)
    let run = try project.run("--format", "json").json
    let way = ["fleet", "retry", "--mappings", "StepOne,StepTwo", "--in-place", "--format", "json"]
    for list in [[], FleetProject.stores] {
      let retry = try project.example.migrate(way + list).json
      #expect(retry.memberNames == run.memberNames)
      #expect(retry["plan"]?.text == run["plan"]?.text && retry["target"]?.text == "2")
      #expect(retry["ledger"]?.text == run["ledger"]?.text)
      #expect(retry["stores"]?.number == 0 && retry["failures"]?.elements.isEmpty == true)
      #expect(retry["listed"]?.number == (list.isEmpty ? 0 : 2))
    }
  }

  @Test func `a shard without stores has nothing to retry`() throws {
    let project = try FleetProject(stores: 1)
    for number in 1...3 {
      #expect(try project.run("--shard", "\(number)/3").status == 0)
      let retry = try project.example.migrate([
        "fleet", "retry", "--mappings", "StepOne,StepTwo", "--in-place", "--shard", "\(number)/3",
      ])
      #expect(retry.status == 0, "\(retry.errors)")
      #expect(retry.output.hasPrefix("Nothing to retry"))
    }
  }

  @Test func `shards together are the list`() throws {
    let project = try FleetProject(stores: 9)
    for number in 1...3 {
      #expect(try project.run("--shard", "\(number)/3").status == 0)
    }
    var names: [String] = []
    for number in 1...3 where project.example.names().contains("fleet-\(number)-of-3.jsonl") {
      names += try project.lines("fleet-\(number)-of-3.jsonl").map {
        try #require(JSONParser.parse(Array($0.utf8), file: "line")["store"]?.text)
      }
    }
    #expect(names.sorted() == (1...9).map { FleetProject.name($0) })
    #expect(try project.run().output.contains("up to date  9"))
  }

  @Test func `a list comes from a file and from the standard input`() throws {
    let project = try FleetProject(stores: 3)
    try project.example.folder.write(
      "\(FleetProject.name(1))\n\n\(FleetProject.name(2))\n", to: "list")
    let end = ["--mappings", "StepOne,StepTwo", "--in-place"]
    let file = try project.example.migrate(["fleet", "run", "--stores-from", "list"] + end)
    #expect(file.status == 0 && file.output.contains("migrated    2"))
    let input = try MigrateProcess.run(
      ["fleet", "run", "--stores-from", "-", "--null"] + end, in: project.example.folder.path,
      after: "find data -name '*.sqlite' -print0 | \"$@\"")
    #expect(input.status == 0, "\(input.errors)")
    #expect(input.output.contains("migrated    1") && input.output.contains("up to date  2"))
  }

  /// The environment of tasks.
  @Test(
    arguments: [
      ("SLURM_ARRAY_TASK_ID=4 SLURM_ARRAY_TASK_MIN=3 SLURM_ARRAY_TASK_COUNT=2", "env", "2/2"),
      ("SGE_TASK_ID=5 SGE_TASK_FIRST=1 SGE_TASK_LAST=6 SGE_TASK_STEPSIZE=2", "env", "3/3"),
      ("JOB_COMPLETION_INDEX=0", "2", "1/2"),
    ])
  func `a task finds its shard in the environment`(
    variables: String, value: String, shard: String
  ) throws {
    let project = try FleetProject(stores: 1)
    let outcome = try MigrateProcess.run(
      ["fleet", "run"] + FleetProject.stores
        + [
          "--to", "2", "--in-place", "--format", "json", value == "env" ? "--shard" : "--shards",
          value,
        ], in: project.example.folder.path, after: "\(variables) \"$@\"")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try outcome.json["shard"]?.text == shard)
    #expect(try outcome.json["shardVariable"]?.text == String(variables.prefix { $0 != "=" }))
  }

  @Test(arguments: [
    ["foo"], ["foo", "--format", "json"], ["ruun", "--stores", "x", "--format", "json"],
  ])
  func `a word that is no subcommand of fleet is what the message is about`(
    words: [String]
  ) throws {
    let outcome = try MigrateProcess.run(["fleet"] + words, in: "/")
    #expect(outcome.status == 64)
    let said = outcome.output + outcome.errors
    #expect(said.contains("CMD-040"))
    #expect(said.contains("there is no subcommand “\(words[0])” of fleet"))
    #expect(said.contains("did you mean: migrate fleet run") == (words[0] == "ruun"))
    #expect(!said.contains("--format"))
  }

  @Test(arguments: [["help", "pln"], ["help", "fleet", "ruun"]])
  func `help for a word that is no subcommand is refused`(words: [String]) throws {
    let outcome = try MigrateProcess.run(words, in: "/")
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("CMD-040"))
    let meant = words.count == 2 ? "plan" : "fleet run"
    #expect(outcome.errors.contains("did you mean: migrate \(meant)"))
    #expect(
      try MigrateProcess.run(["help"] + meant.split(separator: " ").map(String.init), in: "/")
        .status == 0)
  }

  /// What is refused before anything is written, with its code.
  @Test(
    arguments: [
      (["--shard", "4/3"], "FLT-017"), (["--shard", "0/3"], "FLT-017"),
      (["--shard", "x"], "FLT-017"), (["--shard", "env"], "FLT-018"),
      (["--shards", "3"], "FLT-018"), (["--shard", "1/3", "--shards", "3"], "FLT-019"),
      (["--null"], "FLT-021"), (["--output-dir", "out"], "FLT-022"), (["--base", "."], "FLT-022"),
      (["--seed", "1"], "FLT-023"), (["--on-error", "stop", "--max-failures", "1"], "FLT-023"),
      (["--ledger", "a", "--ledger", "b"], "FLT-023"), (["--jobs", "0"], "CMD-002"),
      (["--group", "1000"], "CMD-002"), (["--canary", "x"], "CMD-002"),
      (["--max-failures", "200%"], "CMD-002"), (["--time-budget=-1"], "CMD-002"),
      (["--stores", "data/1/App.sqlite"], "FLT-003"),
      (["--stores", "./data/1/App.sqlite"], "FLT-004"),
      (["--stores", "data/1/App.sqlite-wal"], "FLT-005"),
      (["--ledger", "Migrations/history.json"], "FLT-011"), (["--ledger", "."], "FLT-011"),
      (["--ledger", "none/fleet.jsonl"], "RUN-003"),
      (["--ledger", "data/1/App.sqlite.before-1"], "RUN-060"),
      (["--ledger", "Migrations/Sample/Events.sqlite-wal"], "RUN-096"),
      (["--backup-dir", "none"], "RUN-003"), (["--to", "2"], "CMD-005"),
      (["--keep", "0"], "CMD-002"), (["--ledger", "link/2/App.sqlite-journal"], "RUN-060"),
      (["--log", "data/1/App.sqlite"], "CMD-082"),
      (["--log", "data/2/App.sqlite-journal"], "CMD-082"),
      (["--log", "link/2/App.sqlite-journal"], "CMD-082"),
      (["--log", "./data/../data/1/App.sqlite.passage"], "CMD-082"),
      (["--log", "data/1/App.sqlite.before-1"], "CMD-082"),
      (["--log", "./fleet.jsonl"], "CMD-082"),
      (["--ledger", "a", "--log", "data/../a"], "CMD-082"),
    ])
  func `a wrong call is refused before anything is written`(
    arguments: [String], code: String
  ) throws {
    let project = try FleetProject(stores: 2)
    try FileManager.default.createSymbolicLink(
      atPath: project.path("link"), withDestinationPath: "data")
    let before = project.example.names()
    let outcome = try project.example.migrate(
      ["fleet", "run", "--stores", "data/*/App.sqlite", "--mappings", "StepOne,StepTwo"]
        + ["--in-place", "--format", "json"] + arguments)
    #expect(outcome.status == 64)
    #expect(try outcome.json["command"]?.text == "fleet run")
    #expect(try outcome.json["error"]?["diagnostics"]?[0]?["code"]?.text == code)
    #expect(project.example.names() == before)
  }

  @Test func `a ledger of another migration is refused`() throws {
    let project = try FleetProject(stores: 2)
    #expect(try project.run().status == 0)
    let other = try project.fleet(
      "run", "--stores", "data/*/App.sqlite", "--to", "2", "--in-place", "--format", "json")
    #expect(other.status == 64)
    #expect(try other.json["error"]?["diagnostics"]?[0]?["code"]?.text == "FLT-010")
  }

  @Test func `a run whose time is over continues with the same command`() throws {
    let project = try FleetProject(stores: 3)
    let stopped = try project.run("--time-budget", "0", "--format", "json")
    #expect(stopped.status == 33)
    #expect(try stopped.json["notDone"]?.number == 3)
    #expect(try stopped.json["stop"]?["code"]?.text == "FLT-014")
    #expect(try project.run().status == 0)
  }

  @Test func `one line of progress for each store is printed on request`() throws {
    let project = try FleetProject(stores: 2)
    try project.damage(2)
    let outcome = try project.run("--verbose", "--progress", "json")
    #expect(outcome.errors.contains("\(FleetProject.name(1)): migrated, 6 objects"))
    #expect(outcome.errors.contains("\(FleetProject.name(2)): failed, STO-106"))
    #expect(outcome.errors.contains("\"type\": \"progress\""))
    let quiet = try project.run("--quiet", "--ledger", "other")
    #expect(quiet.status == 50 && quiet.errors.isEmpty && !quiet.output.isEmpty)
  }

  private func output(
    _ project: FleetProject, _ pattern: String, _ folder: String, _ more: [String] = []
  ) throws -> MigrateProcess.Outcome {
    try project.example.migrate(
      ["fleet", "run", "--stores", pattern, "--output-dir", folder, "--mappings"]
        + ["StepOne,StepTwo", "--format", "json"] + more)
  }

  /// The folders `data/1/out`, `data/out` and `out` are there, `link` leads to `data`, and `data/far`
  /// to `out`.
  @Test(
    arguments: [
      ("data/*/*.sqlite", "data/out", []), ("data/*/*.sqlite", "./data/1/../out", []),
      ("./data/../data/*/App.sqlite", "data/out", []), ("link/*/*.sqlite", "data/out", []),
      ("data/*/*.sqlite", "link/out", []), ("data/*/*.sqlite", "out", []),
      ("**/*.sqlite", "data/1/out", ["--base", "."]),
      ("data/**", "data/1/out", ["--base", "data"]),
      ("data/**/App.sqlite", "data/out", []), ("data/**/App.sqlite", "link/out", []),
      ("data/1/../*/App.sqlite", "data/out", []),
    ] as [(String, String, [String])])
  func `results that the next run would find as stores are refused`(
    pattern: String, folder: String, more: [String]
  ) throws {
    let project = try FleetProject(stores: 1)
    for name in ["data/1/out", "data/out", "out"] {
      try FileManager.default.createDirectory(
        atPath: project.path(name), withIntermediateDirectories: true)
    }
    try FileManager.default.removeItem(atPath: project.path("Migrations/Sample"))
    for (link, target) in [("link", "data"), ("data/far", "../out")] {
      try FileManager.default.createSymbolicLink(
        atPath: project.path(link), withDestinationPath: target)
    }
    let before = project.example.names()
    let outcome = try output(project, pattern, folder, more)
    #expect(outcome.status == 64, "\(outcome.output)")
    #expect(try outcome.json["error"]?["diagnostics"]?[0]?["code"]?.text == "FLT-007")
    #expect(project.example.names() == before)
  }

  @Test(
    arguments: [
      ("data/*/App.sqlite", "data"), ("data/[0-9]/*.sqlite", "data/out"),
      ("data/**/App.sqlite", "data/.out"), ("data/**/App.sqlite", "out"),
    ])
  func `a folder beside the stores takes results, again and again`(
    pattern: String, folder: String
  ) throws {
    let project = try FleetProject(stores: 1)
    for name in ["data/out", "data/.out", "out"] {
      try FileManager.default.createDirectory(
        atPath: project.path(name), withIntermediateDirectories: true)
    }
    // Links are not followed by **.
    try FileManager.default.createSymbolicLink(
      atPath: project.path("data/far"), withDestinationPath: "../out")
    for name in ["migrated", "upToDate"] {
      let outcome = try output(project, pattern, folder)
      #expect(outcome.status == 0, "\(outcome.output)")
      #expect(try outcome.json[name]?.number == 1)
    }
  }

  @Test func `a list that has the result of an earlier run is refused`() throws {
    let project = try FleetProject(stores: 1)
    try FileManager.default.createDirectory(
      atPath: project.path("data/out"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: project.path("link"), withDestinationPath: "data/out")
    try project.example.folder.write(FleetProject.name(1) + "\n", to: "list")
    let call = ["fleet", "run", "--stores-from", "list", "--to", "2", "--output-dir", "data/out"]
    #expect(try project.example.migrate(call + ["--base", "data"]).status == 0)
    for (list, more) in [
      ("data/1/App.sqlite\ndata/out/1/App.sqlite", ["--base", "data"]),
      ("link/1/App.sqlite", ["--base", "link"]),
    ] {
      try project.example.folder.write(list + "\n", to: "list")
      let before = project.example.names()
      let outcome = try project.example.migrate(call + more)
      #expect(outcome.status == 64 && outcome.errors.contains("FLT-007"), "\(outcome.errors)")
      #expect(project.example.names() == before)
    }
  }
}
