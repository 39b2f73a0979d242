import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

/// `migrate fleet run` for stores that are not files here, with a client made of small scripts.
struct FleetTransferTests {
  let project: FleetProject
  private let names = [1, 2, 3].map { FleetProject.name($0) }

  init() throws {
    project = try FleetProject(stores: 3)
    try project.example.folder.write("#!/bin/sh\n[ -e \"$1\" ] && cksum < \"$1\"\n", to: "look")
    try project.example.folder.write("#!/bin/sh\ncp \"$1\" \"$2\"\n", to: "get")
    try project.example.folder.write(
      """
      #!/bin/sh
      [ "$(cksum < "$1")" = "$3" ] || exit 75
      cp "$2" "$1.new" && mv "$1.new" "$1"

      """, to: "put")
    try FileManager.default.createDirectory(
      atPath: project.path("scratch"), withIntermediateDirectories: false)
    try project.example.folder.write(names.joined(separator: "\n") + "\n", to: "names")
  }

  private func run(
    _ command: String = "run", _ changes: [String: String?] = [:], _ more: String...
  ) throws -> MigrateProcess.Outcome {
    var options: [String: String] = [
      "--stores-from": "names", "--mappings": "StepOne,StepTwo", "--scratch": "scratch",
      "--exists": "sh look {name}", "--fetch": "sh get {name} {path}",
      "--publish": "sh put {name} {path} {mark}",
    ]
    for (name, value) in changes { options[name] = value }
    return try project.example.migrate(
      ["fleet", command] + options.flatMap { [$0.key, $0.value] } + more)
  }

  @Test func `stores are published, and a second run publishes nothing`() throws {
    let first = try run("run", [:], "--format", "json")
    #expect(first.status == 0, "\(first.output)\(first.errors)")
    #expect(try first.json["published"]?.number == 3)
    for name in names {
      let status = try project.example.migrate("status", "--store", name)
      #expect(status.status == 0)
    }
    let line = try #require(try project.lines().first)
    #expect(line.contains(#""outcome": "published", "from": "1", "to": "2""#))
    #expect(!line.contains(#""bytes": 0,"#))
    let again = try run("run", [:], "--format", "json")
    #expect(again.status == 0)
    #expect(try again.json["upToDate"]?.number == 3)
    let left = try FileManager.default.contentsOfDirectory(atPath: project.path("scratch"))
    #expect(left == [])
  }

  @Test func `one that cannot be fetched fails alone, and is retried`() throws {
    let store = try bytes(of: project.path(names[1]))
    try FileManager.default.removeItem(atPath: project.path(names[1]))
    let first = try run()
    #expect(first.status == 50)
    #expect(first.output.contains("1 × FLT-078, class 32"))
    try Data(store).write(to: URL(filePath: project.path(names[1])))
    let again = try run("retry", ["--stores-from": nil], "--class", "32", "--format", "json")
    #expect(again.status == 0, "\(again.output)\(again.errors)")
    #expect(try again.json["published"]?.number == 1)
  }

  /// The run is killed, and the client that it has started lives on.
  @Test func `the next run does not take the folder away from a client that is still at work`()
    throws
  {
    try project.example.folder.write(
      """
      cp "$1" "$2"
      touch begun
      while [ ! -e go ]; do sleep 0.01; done
      if [ -e "$2" ]; then echo kept > fate; else echo gone > fate; fi

      """, to: "slow")
    let child = try MigrateProcess.start(
      [
        "fleet", "run", "--stores-from", "names", "--mappings", "StepOne,StepTwo", "--scratch",
        "scratch", "--exists", "sh look {name}", "--fetch", "sh slow {name} {path}", "--publish",
        "sh put {name} {path} {mark}", "--group", "1", "--jobs", "1", "--ledger", "first.jsonl",
      ], in: project.path(""))
    // A minute, so that a failure does not hang.
    func waitForFile(_ name: String) {
      for _ in 0..<12_000 where !FileManager.default.fileExists(atPath: project.path(name)) {
        Thread.sleep(forTimeInterval: 0.005)
      }
    }
    waitForFile("begun")
    // Its end cannot be waited for here: the client has inherited what Foundation watches.
    child.killAtOnce()
    let second = try run()
    try project.example.folder.write("", to: "go")
    waitForFile("fate")
    #expect(second.status == 0, "\(second.output)\(second.errors)")
    let fate = String(decoding: try bytes(of: project.path("fate")), as: UTF8.self)
    #expect(fate == "kept\n")
    // Once it has ended, its folder is cleared away.
    var left: [String] = []
    for _ in 0..<200 {
      #expect(try run().status == 0)
      left = try FileManager.default.contentsOfDirectory(atPath: project.path("scratch"))
      if left.isEmpty { break }
    }
    #expect(left == [])
  }

  @Test(
    arguments: [
      (["--exists": nil], "FLT-083", "without --exists"),
      (["--publish": nil, "--scratch": nil], "FLT-083", "without --publish, --scratch"),
      (["--fetch": "sh get {name} {where}"], "FLT-070", "there is no placeholder {where}"),
      (["--publish": "sh put {name} {path}"], "FLT-070", "it does not have {mark}"),
      (["--fetch": "sh get {name} > {path}"], "FLT-070", "would need a shell"),
      (["--scratch": "none"], "FLT-074", "none"),
      (["--transfer-limit": "0"], "CMD-002", "--transfer-limit"),
      (["--output-dir": "scratch"], "FLT-083", "--output-dir"),
    ] as [([String: String?], String, String)])
  func `a wrong call is refused before anything is written`(
    changes: [String: String?], code: String, word: String
  ) throws {
    let before = project.example.names()
    let outcome = try run("run", changes)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(code), "\(outcome.errors)")
    #expect(outcome.errors.contains(word), "\(outcome.errors)")
    #expect(project.example.names() == before)
  }
}
