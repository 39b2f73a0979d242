import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

/// `migrate select`.
struct SelectCommandTests {
  private func select(_ project: ExampleProject, _ arguments: String...) throws
    -> MigrateProcess.Outcome
  {
    try MigrateProcess.run(
      ["select", "--store", ExampleProject.sample, "--entity", "Event"] + arguments,
      in: project.folder.path)
  }

  @Test
  func `the objects are counted and the filter and its negation part them`() throws {
    let project = try ExampleProject()
    let before = (project.names(), try project.sampleBytes())
    let all = try select(project)
    #expect(all.status == 0 && all.output == "2000\n")
    let some = try select(project, "--filter", "timeStamp != nil")
    let others = try select(project, "--filter", "NOT (timeStamp != nil)")
    let counts = try [some, others].map {
      try #require(Int($0.output.trimmingCharacters(in: .whitespacesAndNewlines)))
    }
    #expect(counts.reduce(0, +) == 2_000 && counts[0] > 0)
    #expect(
      try select(project, "--filter", "timeStamp != nil", "--in-memory").output == some.output)
    #expect(project.names() == before.0)
    #expect(try project.sampleBytes() == before.1)
  }

  @Test
  func `keys are listed in both forms`() throws {
    let project = try ExampleProject()
    let lines = try select(project, "--keys").output.split(separator: "\n")
    #expect(lines.count == 2_000 && lines.first == "1" && lines.last == "2000")
    let json = try select(project, "--keys", "--format", "json").json
    #expect(json["count"]?.number == 2_000)
    #expect(json["keys"]?.elements.map(\.number) == (1...2_000).map { $0 })
    let count = try select(project, "--format", "json", "--filter", "FALSEPREDICATE")
    let empty = try count.json
    #expect(empty["count"]?.number == 0 && empty["keys"]?.elements.isEmpty == true)
  }

  @Test
  func `an explanation shows tree, SQL, memory and index`() throws {
    let project = try ExampleProject()
    let outcome = try select(
      project, "--explain", "--filter", "timeStamp != nil AND NOT (timeStamp < now())")
    #expect(outcome.status == 0)
    for text in [
      "filter\n  AND\n    timeStamp != nil\n    NOT\n      timeStamp < now()", "in SQL\n  SELECT",
      "in memory\n  nothing", "index\n  none", "count\n",
    ] {
      #expect(outcome.output.contains(text), "\(outcome.output)")
    }
    let json = try select(
      project, "--explain", "--in-memory", "--format", "json", "--filter", "timeStamp != nil"
    ).json
    #expect(json["inMemory"]?[0]?["part"]?.text == "timeStamp != nil")
    #expect(json["inMemory"]?[0]?["reason"]?.text == "it was requested")
  }

  @Test
  func `a mistake points at the character with the nearest name`() throws {
    let project = try ExampleProject()
    let wrong = try select(project, "--filter", "1 == 1 AND timeStmp != nil")
    #expect(wrong.status == 65)
    #expect(wrong.errors.contains("--filter:1:12"), "\(wrong.errors)")
    #expect(wrong.errors.contains("1 | 1 == 1 AND timeStmp != nil\n      |            ^"))
    #expect(wrong.errors.contains("timeStamp"))
    let entity = try project.migrate(
      "select", "--store", ExampleProject.sample, "--entity", "Evnt")
    #expect(entity.status == 64 && entity.errors.contains("did you mean “Event”?"))
    #expect(
      try project.migrate("select", "--store", "none.sqlite", "--entity", "Event").status == 64)
    let model = try select(project, "--model", "none.json")
    #expect(model.status == 64)
  }

  @Test
  func `an object that a function cannot read ends with the policy's status`() throws {
    let project = try ExampleProject()
    let outcome = try select(
      project, "--in-memory", "--filter",
      "numberInJSON(formatDate(timeStamp), '') == 1")
    #expect(outcome.status == 41)
    #expect(outcome.errors.contains("SEL-002") && outcome.errors.contains("key 1"))
  }
}
