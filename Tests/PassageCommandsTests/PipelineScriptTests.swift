import Foundation
import PassageTesting
import TestSupport
import Testing

/// The script of `Tests/Examples/Pipeline`, as a pipeline runs it.
struct PipelineScriptTests {
  private func run(_ arguments: String, in project: ExampleProject) throws
    -> MigrateProcess.Outcome
  {
    try ChildProgram.run(
      "/bin/sh",
      [
        "-c", "MIGRATE=\"$0\" sh \"$1\" \(arguments)", try MigrateProcess.executable.path,
        Repository.file("Tests/Examples/Pipeline/pipeline.sh"),
      ], in: project.folder.path)
  }

  @Test func `a project is rehearsed, and a store migrated, verified and reported`() throws {
    let project = try ExampleProject()
    let checked = try run("check results", in: project)
    #expect(checked.status == 0, "\(checked.errors)")
    #expect(try bytes(of: project.path("results/rehearsal.xml")).count > 100)
    #expect(project.names().contains("results/rehearsal.html"))
    let migrated = try run(
      "migrate \(ExampleProject.sample) results/App.sqlite results", in: project)
    #expect(migrated.status == 0, "\(migrated.errors)")
    #expect(migrated.output.contains("Verified: "))
    for name in ["plan.html", "run.html", "verify.html", "versions.json"] {
      #expect(project.names().contains("results/\(name)"))
    }
    // The pipeline runs again for the next commit.
    let again = try run(
      "migrate \(ExampleProject.sample) results/App.sqlite results", in: project)
    #expect(again.status == 0, "\(again.errors)")
  }

  @Test func `a mistake ends the script with its class, and the results are there`() throws {
    let project = try ExampleProject()
    let path = "Mappings/StepTwo.json"
    let text = try String(decoding: bytes(of: project.path(path)), as: UTF8.self)
    try project.folder.write(
      Array(text.replacing("\"timestamp\":", with: "\"timestmp\":").utf8), to: path)
    #expect(try run("check results", in: project).status == 65)
    #expect(project.names().contains("results/rehearsal.xml"))
    let failed = try run("migrate \(ExampleProject.sample) out.sqlite results", in: project)
    #expect(failed.status == 65)
    #expect(project.names().contains("results/plan.html"))
    #expect(try run("nonsense", in: project).status == 64)
  }
}
