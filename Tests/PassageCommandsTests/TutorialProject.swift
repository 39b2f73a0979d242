import Foundation
import PassageTesting
import TestSupport

/// The project that the tutorial makes, as it stands at the end.
struct TutorialProject {
  private let folder: TemporaryDirectory
  let package: BuiltPackage

  /// Where the steps are carried out; Passage's repository is beside it.
  var path: String { folder.path("app") }

  init() throws {
    folder = try TemporaryDirectory()
    package = try BuiltPackage()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("passage"), withDestinationPath: Repository.root)
    try folder.write("", to: "app/.empty")
  }

  /// Writes a file of the project.
  func write(_ text: String, to name: String) throws { try folder.write(text, to: "app/\(name)") }

  /// Runs a line of a shell in the project; what it prints is in one text.
  func shell(_ line: String) throws -> ChildProgram.Outcome {
    try package.shell("{ \(line)\n} 2>&1", in: path)
  }

  /// Carries out the steps that write files, and the one that makes the project.
  func makeWithoutRunning() throws {
    for step in TutorialTests.steps {
      guard step.name == "Terminal" else {
        try write(step.contents, to: step.name)
        continue
      }
      for (line, _) in step.commands
      where line.hasPrefix("migrate init") || line.hasPrefix("migrate create") {
        _ = try shell(line)
      }
    }
  }
}
