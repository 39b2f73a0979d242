import Foundation
import PassageTesting
import TestSupport
import Testing

/// A bundle of models one of whose versions cannot be read.
@Suite struct BrokenVersionTests {
  private let folder: TemporaryDirectory
  private static let bundle = "Shop.xcdatamodeld"

  init() throws {
    folder = try TemporaryDirectory()
    try write("Shop 1", ["name"])
    try write("Shop 2", ["name", "city", "<broken"])
    try write("Shop 3", ["name", "city"])
    let made = try migrate("create", "--model", "\(Self.bundle):Shop 1", "--output", "a.sqlite")
    #expect(made.status == 0, "\(made.errors)")
  }

  private func write(_ version: String, _ attributes: [String]) throws {
    let parent = "\(Self.bundle)/\(version).xcdatamodel"
    try FileManager.default.createDirectory(
      atPath: folder.path(parent), withIntermediateDirectories: true)
    let lines = attributes.map {
      "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\"/>"
    }
    try folder.write(
      "<model><entity name=\"Maker\">\(lines.joined())</entity></model>", to: parent + "/contents")
  }

  private func migrate(_ arguments: String...) throws -> MigrateProcess.Outcome {
    try MigrateProcess.run(arguments, in: folder.path)
  }

  @Test func `the others are used`() throws {
    let run = try migrate(
      "run", "--models", Self.bundle, "--store", "a.sqlite", "--to", "Shop 3", "--infer",
      "--output", "b.sqlite")
    #expect(run.status == 0, "\(run.errors)")
    let status = try migrate(
      "status", "--models", Self.bundle, "--store", "b.sqlite", "--to", "Shop 3")
    #expect(status.status == 0, "\(status.errors)")
  }

  @Test(arguments: ["run", "plan", "status"])
  func `what is wrong with it is told where it is needed`(command: String) throws {
    let outcome = try migrate(
      command, "--models", Self.bundle, "--store", "a.sqlite", "--to", "Shop 2")
    #expect(outcome.status == 65, "\(outcome.errors)")
    #expect(outcome.errors.contains("Shop 2.xcdatamodel/contents"))
  }

  @Test func `a store that no other version fits may be of it, and that is said`() throws {
    let other = try TemporaryDirectory()
    try folder.write(
      """
      {"name": "Other", "entities": [{"name": "Thing", "attributes": [
        {"name": "a", "type": "string"}]}]}
      """, to: "Other.json")
    #expect(
      try migrate("create", "--model", "Other.json", "--output", "c.sqlite").status == 0)
    let outcome = try migrate(
      "run", "--models", Self.bundle, "--store", "c.sqlite", "--to", "Shop 3", "--infer",
      "--output", other.path("d.sqlite"))
    #expect(outcome.status == 20, "\(outcome.errors)")
    #expect(outcome.errors.contains("PLN-016"))
    #expect(outcome.errors.contains("Shop 2.xcdatamodel/contents"))
  }
}
