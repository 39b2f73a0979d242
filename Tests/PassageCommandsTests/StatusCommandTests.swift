import PassageTesting
import TestSupport
import Testing

/// The command that `status` suggests.
struct StatusCommandTests {
  @Test(arguments: [
    ("StepOne", "migrate --mappings StepOne,StepTwo"), ("Step, One", "migrate --to 2"),
    ("-One", "migrate --mappings=-One,StepTwo"), ("- One", "migrate '--mappings=- One,StepTwo'"),
  ])
  func `names of mapping models are suggested so that they are taken`(
    _ name: String, _ command: String
  ) throws {
    let project = try ExampleProject()
    let path = "Migrations/history.json"
    let history = try String(decoding: bytes(of: project.path(path)), as: UTF8.self)
    try project.folder.write(history.replacing("\"StepOne\"", with: "\"\(name)\""), to: path)
    let status = try project.migrate("status")
    #expect(status.output.contains("needs migrating: \(command)\n"), "\(status.output)")
  }
}
