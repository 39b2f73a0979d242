import Foundation
import PassageTesting
import TestSupport

/// The example's project with several stores.
struct FleetProject {
  let example: ExampleProject

  /// - Parameter count: the stores, `data/1/App.sqlite` and so on, of three objects each.
  init(stores count: Int) throws {
    example = try ExampleProject()
    try example.replaceSample(events: 3)
    for number in 1...count { try addStore(number) }
  }

  func path(_ name: String) -> String { example.path(name) }

  static func name(_ number: Int) -> String { "data/\(number)/App.sqlite" }

  func addStore(_ number: Int) throws {
    try FileManager.default.createDirectory(
      atPath: path("data/\(number)"), withIntermediateDirectories: true)
    try? FileManager.default.removeItem(atPath: path(Self.name(number)))
    try example.folder.copy(path(ExampleProject.sample), to: Self.name(number))
  }

  func damage(_ number: Int) throws {
    try example.folder.write("no store at all", to: Self.name(number))
  }

  /// `migrate fleet`.
  func fleet(_ arguments: String...) throws -> MigrateProcess.Outcome {
    try example.migrate(["fleet"] + arguments)
  }

  static let stores = ["--stores", "data/*/App.sqlite"]

  /// A run in place with the example's mapping models.
  func run(_ arguments: String...) throws -> MigrateProcess.Outcome {
    try example.migrate(
      ["fleet", "run"] + Self.stores + ["--mappings", "StepOne,StepTwo", "--in-place"] + arguments)
  }

  /// The lines of a ledger.
  func lines(_ ledger: String = "fleet.jsonl") throws -> [String] {
    String(decoding: try bytes(of: path(ledger)), as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }
}
