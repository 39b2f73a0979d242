import Foundation
import Passage
import PassageEngine
import PassageTesting
import TestSupport
import Testing

/// A project on disk with a source of any type, for the program itself.
struct ConversionProject {
  /// It keeps every object, and SQL cannot say it: its mapping runs in the row lane.
  private static let filter = "NOT {1, 2}[number] == 9"

  static let source = Model(
    "1",
    [
      Entity(
        "Person", [.text("name"), .number("number")], [.many("cars", "Car", inverse: "owner")]),
      Entity(
        "Car", [.text("plate"), .text("day"), .number("number")],
        [.one("owner", "Person", inverse: "cars")]),
    ])

  static let destination = Model(
    "2",
    [
      Entity("Person", [.text("name")], [.many("cars", "Car", inverse: "owner")]),
      Entity(
        "Car", [.text("plate"), .date("day"), .number("number")],
        [.one("owner", "Person", inverse: "cars")]),
    ])

  let directory: TemporaryDirectory
  let sourceName: String
  private let lane: String
  /// How many rows and objects are quarantined.
  let quarantinedRows: Int

  /// - Parameters:
  ///   - type: of the source.
  ///   - lane: of its mappings, as the command calls it.
  init(from type: String?, lane: String) throws {
    self.lane = lane
    directory = try TemporaryDirectory()
    sourceName = ConversionTrial.name("old", type)
    for name in ["Migrations", "Mappings"] {
      try FileManager.default.createDirectory(
        atPath: directory.path(name), withIntermediateDirectories: false)
    }
    for model in [Self.source, Self.destination] {
      try directory.write(
        Array(ModelDocument.encode(model).utf8), to: "Migrations/\(model.name).json")
    }
    let history = """
      {"versions": [{"name": "1", "model": "1.json"}, {"name": "2", "model": "2.json"}],
       "steps": [{"from": "1", "to": "2", "mappings": ["Cars", "People"]}]}
      """
    try directory.write(Array(history.utf8), to: "Migrations/history.json")
    let filter = lane == "row" ? ", \"filter\": \"\(Self.filter)\"" : ""
    for (name, entity, attributes) in [
      ("Cars", "Car", #"{"day": "parseDate($source.day, 'yyyy-MM-dd', 'UTC', 'en_US_POSIX')"}"#),
      ("People", "Person", "{}"),
    ] {
      let mapping = """
        {"source": "1", "destination": "2", "entityMappings": [
          {"type": "copy", "source": "\(entity)", "destination": "\(entity)",
           "attributes": \(attributes)\(filter)}]}
        """
      try directory.write(Array(mapping.utf8), to: "Mappings/\(name).json")
    }
    let trial = try Trial(Self.source, Self.destination, []) { store in
      let people = try (1...60).map {
        try store.insert("Person", ["name": .text("p\($0)"), "number": .integer(Int64($0))])
      }
      for number in 1...600 {
        try store.insert(
          "Car",
          [
            "plate": .text("c\(number)"), "number": .integer(Int64(number)),
            "day": .text(number % 200 == 7 ? "someday" : "2020-01-0\(1 + number % 9)"),
          ], ["owner": [people[number * 7 % 60]]])
      }
    }
    let whole = try ConversionTrial(trial, from: type)
    var bytes = try #require(whole.directory.contents(sourceName))
    if ["delimited", "keyed", "json-lines"].contains(type) {
      // The last record once more: its identifier is taken.
      let lines = bytes.split(separator: UInt8(ascii: "\n"))
      bytes += (lines.last ?? []) + [UInt8(ascii: "\n")]
    }
    quarantinedRows = ["delimited", "keyed", "json-lines"].contains(type) ? 4 : 3
    try directory.write(bytes, to: sourceName)
  }

  /// When a run is killed.
  enum End {
    /// Not at all.
    case itsOwn
    /// As soon as this file is there, below the project, when that is seen before the run is over.
    case atFile(String)
    /// For certain, by a signal or an error, where a file would become longer.
    case atFileBytes(Int)
  }

  /// Migrates the source to a file.
  ///
  /// - Returns: what the program printed; `nil` when it was killed.
  func run(to name: String, as type: String?, until end: End = .itsOwn) throws -> String? {
    try run(
      ["--store", sourceName, "--output", name] + (type.map { ["--output-type", $0] } ?? []),
      until: end)
  }

  /// Migrates a copy of the source in place.
  func runInPlace(_ name: String, until end: End = .itsOwn) throws -> String? {
    try run(["--store", name, "--in-place"], until: end)
  }

  private func run(_ arguments: [String], until end: End) throws -> String? {
    let program = try #require(BuiltProgram.migrate)
    let arguments =
      arguments + [
        "--mappings", "Cars,People", "--batch-size", "50", "--max-quarantined", "4", "--progress",
        "none", "--format", "json", "--lane", lane,
      ]
    let outcome: ChildProgram.Outcome
    switch end {
    case .itsOwn: outcome = try ChildProgram.run(program, arguments, in: directory.path)
    case .atFileBytes(let bytes):
      outcome = try ChildProgram.run(
        program, arguments, in: directory.path, interruptedAtFileBytes: bytes)
    case .atFile(let name):
      let child = try ChildProgram(program, arguments, in: directory.path)
      while child.process.isRunning {
        guard FileManager.default.fileExists(atPath: directory.path(name)) else { continue }
        child.killAtOnce()
        break
      }
      outcome = child.outcome()
    }
    if case .atFileBytes = end, outcome.wasInterrupted { return nil }
    if outcome.wasKilled { return nil }
    if outcome.status != 0 {
      Issue.record("the program ended with \(outcome.status): \(outcome.errors)")
    }
    return outcome.output
  }
}
