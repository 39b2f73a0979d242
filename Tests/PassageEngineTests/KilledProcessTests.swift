import Foundation
import Passage
import PassageTesting
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

enum BuiltProgram {
  /// The program as it was built beside these tests.
  static let path: String? = {
    let folder = Bundle.main.bundleURL
    for candidate in [folder, folder.deletingLastPathComponent()] {
      let path = candidate.appendingPathComponent("migrate").path
      if FileManager.default.isExecutableFile(atPath: path) { return path }
    }
    return nil
  }()
}

/// The program itself, killed without warning: what it wrote is on disk, what it held is gone.
@Suite(.enabled(if: BuiltProgram.path != nil)) struct KilledProcessTests {
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

  /// Starts the program and kills it when it has reported its progress `lines` times; without a
  /// number, waits for its end.
  ///
  /// - Returns: its exit status; `nil` when it was killed.
  private func run(_ directory: TemporaryDirectory, to name: String, killAfter lines: Int?) throws
    -> Int32?
  {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(BuiltProgram.path))
    process.currentDirectoryURL = URL(fileURLWithPath: directory.path)
    process.arguments = [
      "--mappings", "Cars,People", "--store", "old.sqlite", "--output", name, "--batch-size", "50",
      "--progress", "json",
    ]
    let pipe = Pipe()
    process.standardError = pipe
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    var seen = 0
    var errors = Data()
    while true {
      let data = pipe.fileHandleForReading.availableData
      if data.isEmpty { break }
      errors += data
      seen += data.count { $0 == UInt8(ascii: "\n") }
      if let lines, seen >= lines { kill(process.processIdentifier, SIGKILL) }
    }
    process.waitUntilExit()
    guard process.terminationReason == .exit else { return nil }
    if process.terminationStatus != 0 {
      let said = String(decoding: errors, as: UTF8.self).split(separator: "\n")
        .filter { !$0.hasPrefix("{") }
      Issue.record("the program ended with \(process.terminationStatus): \(said)")
    }
    return process.terminationStatus
  }

  @Test func `killed at any moment and started again, the store is the same`() throws {
    let directory = try makeProject()
    let source = directory.contents("old.sqlite")
    #expect(try run(directory, to: "whole.sqlite", killAfter: nil) == 0)
    let whole = try StoreRows(path: directory.path("whole.sqlite"))
    #expect(whole.tables["ZCAR"]?.count == 1_999)
    var kills = 0
    for lines in 1...14 {
      let name = "killed-\(lines).sqlite"
      // Twice, so that what goes on is killed too.
      for killAfter in [lines, max(1, lines / 2)]
      where try run(directory, to: name, killAfter: killAfter) == nil { kills += 1 }
      #expect(try run(directory, to: name, killAfter: nil) == 0)
      #expect(try StoreRows(path: directory.path(name)).differences(from: whole) == [])
      #expect(directory.contents("old.sqlite") == source)
    }
    #expect(kills > 5)
    #expect(directory.names.filter { $0.hasSuffix(".passage") } == [])
  }
}
