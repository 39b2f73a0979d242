import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

/// The program itself, killed without warning: what it wrote is on disk, what it held is gone.
@Suite(.enabled(if: BuiltProgram.migrate != nil)) struct KilledProcessTests {
  /// A project of two steps' worth of files, with some thousand objects.
  private func makeProject() throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    for name in ["Migrations", "Mappings"] {
      try FileManager.default.createDirectory(
        atPath: directory.path(name), withIntermediateDirectories: false)
    }
    for model in [Safety.source, Safety.destination] {
      try directory.write(
        Array(ModelDocument.encode(model).utf8), to: "Migrations/\(model.name).json")
    }
    let history = """
      {"versions": [{"name": "1", "model": "1.json"}, {"name": "2", "model": "2.json"}],
       "steps": [{"from": "1", "to": "2", "mappings": ["Cars", "People"]}]}
      """
    try directory.write(Array(history.utf8), to: "Migrations/history.json")
    for (name, text) in [
      (
        "Cars",
        """
        {"type": "copy", "source": "Car", "destination": "Car", "attributes": {"age": "3"},
         "filter": "plate != 'c5'"}
        """
      ), ("People", #"{"type": "copy", "source": "Person", "destination": "Person"}"#),
    ] {
      let mapping = #"{"source": "1", "destination": "2", "entityMappings": [\#(text)]}"#
      try directory.write(Array(mapping.utf8), to: "Mappings/\(name).json")
    }
    let store = try TestStore(model: Safety.source, at: directory.path("old.sqlite"))
    let people = try (1...300).map { try store.insert("Person", ["name": .text("p\($0)")]) }
    for number in 1...2_000 {
      try store.insert(
        "Car", ["plate": .text("c\(number)")], ["owner": [people[number * 7 % 300]]])
    }
    try store.close()
    return directory
  }

  /// Runs the program, which the system kills when a file of it would become longer than `bytes`.
  private func run(
    _ directory: TemporaryDirectory, to name: String, interruptedAtFileBytes bytes: Int? = nil
  ) throws -> ChildProgram.Outcome {
    try ChildProgram.run(
      try #require(BuiltProgram.migrate),
      [
        "--mappings", "Cars,People", "--store", "old.sqlite", "--output", name, "--batch-size",
        "50", "--progress", "none",
      ], in: directory.path, interruptedAtFileBytes: bytes)
  }

  @Test func `killed at any moment and started again, the store is the same`() throws {
    let directory = try makeProject()
    let source = directory.contents("old.sqlite")
    let undisturbed = try run(directory, to: "whole.sqlite")
    #expect(undisturbed.status == 0, "\(undisturbed.errors)")
    let whole = try StoreRows(path: directory.path("whole.sqlite"))
    #expect(whole.tables["ZCAR"]?.count == 1_999)
    let length = try #require(directory.contents("whole.sqlite")).count
    // From the first page of a pass store to the last of the finished one.
    for part in 0..<14 {
      let name = "killed-\(part).sqlite"
      // Twice, so that what continues is killed too.
      for bytes in [length * part / 28, length * part / 14] {
        let killed = try run(directory, to: name, interruptedAtFileBytes: bytes)
        #expect(killed.wasInterrupted, "\(bytes) bytes: \(killed.errors)")
        #expect(directory.contents(name) == nil)
      }
      let finished = try run(directory, to: name)
      #expect(finished.status == 0, "\(finished.errors)")
      #expect(try StoreRows(path: directory.path(name)).differences(from: whole) == [])
      #expect(directory.contents("old.sqlite") == source)
    }
    #expect(directory.names.filter { $0.hasSuffix(".passage") } == [])
  }
}
