import Foundation
import TestSupport
import Testing

@testable import PassageCommands

/// `migrate fleet template`. What engines make of the files, `Tests/Fleet/run.sh` tries.
struct FleetTemplateTests {
  private static let engines = FleetEngine.allCases.map(\.rawValue)
  private static let pattern = "it's/$HOME/100%/\"a\\b\"/*.sqlite"

  private func print(_ arguments: String...) throws -> MigrateProcess.Outcome {
    try ExampleProject().migrate(["fleet", "template"] + arguments)
  }

  @Test(arguments: engines)
  func `every value of a file is filled in, and the call is in it`(engine: String) throws {
    let outcome = try print(
      engine, "--shards", "12", "--stores", Self.pattern, "--in-place", "--order", "smallest")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(!outcome.output.contains("{{") && !outcome.output.contains("}}"))
    for word in ["12", "smallest", "retry", "start", "watch", "merge", "--time-budget"] {
      #expect(outcome.output.contains(word), "\(word)")
    }
    #expect(outcome.output.hasSuffix("\n") && !outcome.output.hasSuffix("\n\n"))
  }

  @Test(arguments: [
    ("parallel", #"'it'\''s/$HOME/100%/"a\b"/*.sqlite'"#),
    ("slurm", #"'it'\''s/$HOME/100%/"a\b"/*.sqlite'"#),
    ("kubernetes", #"- "it's/$HOME/100%/\"a\\b\"/*.sqlite""#),
    ("systemd", #""it's/$$HOME/100%%/\"a\\b\"/*.sqlite""#),
    ("dask", #"    "it's/$HOME/100%/\"a\\b\"/*.sqlite","#),
  ])
  func `words of the call are quoted as each kind of file needs it`(
    engine: String, quoted: String
  ) throws {
    let outcome = try print(engine, "--shards", "2", "--stores", Self.pattern, "--in-place")
    #expect(outcome.output.contains(quoted))
  }

  @Test(arguments: [
    ("a$(HOME)", #"- "a$$(HOME)""#), ("a$$(HOME)", #"- "a$$$$(HOME)""#),
    ("a$$b$", #"- "a$$$b$""#),
  ])
  func `Kubernetes replaces no part of a name by a variable`(name: String, written: String) throws {
    let outcome = try print("kubernetes", "--shards", "2", "--stores", name, "--in-place")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains(written + "\n"))
  }

  @Test func `systemd replaces no variable in the first word`() throws {
    let outcome = try print(
      "systemd", "--shards", "2", "--stores", "a$b", "--in-place", "--program",
      "/opt/a$b/100%/migrate")
    #expect(outcome.output.contains(#"ExecStart="/opt/a$b/100%%/migrate" fleet "#))
    #expect(outcome.output.contains(#" "a$$b" "#), "\(outcome.output)")
  }

  @Test func `a line break in a name cannot add a line`() throws {
    for engine in ["kubernetes", "systemd", "dask"] {
      let outcome = try print(
        engine, "--shards", "2", "--stores", "a\nExecStartPre=rm\u{2028}b", "--in-place")
      #expect(outcome.output.contains(#""a\x0aExecStartPre=rm\u2028b""#), "\(engine)")
    }
  }

  @Test func `without a number of jobs each shard has one processor`() throws {
    let call = ["slurm", "--shards", "2", "--stores", "a", "--in-place"]
    let project = try ExampleProject()
    let one = try project.migrate(["fleet", "template"] + call).output
    #expect(one.contains("#SBATCH --cpus-per-task=1\n") && one.contains("--jobs 1)"))
    let four = try project.migrate(["fleet", "template"] + call + ["--jobs", "4"]).output
    #expect(four.contains("#SBATCH --cpus-per-task=4\n") && !four.contains("--jobs 1)"))
  }

  @Test(arguments: [
    (["slurm", "--shards", "2", "--bogus"], "FLT-055"),
    (["slurm", "--shards", "2", "--in-place"], "FLT-020"),
    // What `fleet run` refuses before it reads any file.
    (["slurm", "--shards", "2", "--stores", "a"], "FLT-022"),
    (["slurm", "--shards", "2", "--stores", "a", "--in-place", "--output-dir", "b"], "FLT-022"),
    (["slurm", "--shards", "2", "--stores", "a", "--in-place", "--null"], "FLT-021"),
    (["slurm", "--shards", "2", "--stores", "a", "--in-place", "--batch-size", "0"], "CMD-002"),
    (["slurm", "--shards", "2", "--stores", "a", "--in-place", "--canary", "x"], "CMD-002"),
    (["slurm", "--shards", "2", "--stores", "a", "--in-place", "--seed", "1"], "FLT-023"),
    (["slurm", "--shards", "2", "--stores", "a", "--in-place", "--mappings", ""], "CMD-006"),
    (
      ["slurm", "--shards", "2", "--stores", "a", "--in-place", "--mappings", "A", "--to", "2"],
      "CMD-005"
    ),
    (["slurm", "--shards", "2", "--stores", "a", "--exists", "foo"], "FLT-083"),
    (["slurm", "--shards", "0", "--stores", "a", "--in-place"], "CMD-002"),
    (["slurm", "--shards", "2", "--at-once", "0", "--stores", "a", "--in-place"], "CMD-002"),
    (["slurm", "--shards", "2", "--program", "", "--stores", "a", "--in-place"], "CMD-002"),
    (["slurm", "--shards", "2", "--image", "a", "--stores", "a", "--in-place"], "FLT-050"),
    (["slurm", "--shards", "2", "--shard", "1/2", "--stores", "a", "--in-place"], "FLT-056"),
    (["slurm", "--shards", "2", "--ledger", "a", "--stores", "a", "--in-place"], "FLT-056"),
    (["dask", "--shards", "2", "--stores-from", "-", "--in-place"], "FLT-056"),
    (["systemd", "--shards", "2", "--at-once", "2", "--stores", "a", "--in-place"], "FLT-056"),
    (["kubernetes", "--shards", "2", "--name", "A b", "--stores", "a", "--in-place"], "CMD-002"),
    (["kubernetes", "--shards", "2", "--claim", "-", "--stores", "a", "--in-place"], "CMD-002"),
    (["kubernetes", "--shards", "2", "--image", "a b", "--stores", "a", "--in-place"], "CMD-002"),
    (["kubernetes", "--shards", "2", "--mount", "a", "--stores", "a", "--in-place"], "CMD-002"),
  ])
  func `a call that no file can have is refused`(arguments: [String], code: String) throws {
    let outcome = try ExampleProject().migrate(["fleet", "template"] + arguments)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("error[\(code)]"), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }

  @Test func `programs are given the file and what is in it`() throws {
    let json = try print(
      "dask", "--shards", "3", "--stores", "a", "--in-place", "--format", "json"
    ).json
    #expect(json["engine"]?.text == "dask")
    #expect(json["shards"]?.number == 3)
    #expect(json["text"]?.text?.hasPrefix("#!/usr/bin/env python3\n") == true)
  }
}
