import Foundation
import Passage
import PassageEngine
import PassageTesting
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
  /// How many rows and objects are set aside.
  let setAside: Int

  /// - Parameters:
  ///   - type: of the source.
  ///   - rows: whether its mappings run in the row lane.
  init(from type: String?, rows: Bool) throws {
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
    let filter = rows ? ", \"filter\": \"\(Self.filter)\"" : ""
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
    if type == "delimited" || type == "keyed" {
      // The last record once more: its identifier is taken.
      let lines = bytes.split(separator: UInt8(ascii: "\n"))
      bytes += (lines.last ?? []) + [UInt8(ascii: "\n")]
    }
    setAside = type == "delimited" || type == "keyed" ? 4 : 3
    try directory.write(bytes, to: sourceName)
  }

  /// Migrates the source to a file.
  func run(to name: String, as type: String?, killAt path: String? = nil) throws -> String? {
    try run(
      ["--store", sourceName, "--output", name] + (type.map { ["--output-type", $0] } ?? []),
      log: "log-\(name)", killAt: path)
  }

  /// Migrates a copy of the source in place.
  func runInPlace(_ name: String, killAt path: String? = nil) throws -> String? {
    try run(["--store", name, "--in-place", "--no-backup"], log: "log-\(name)", killAt: path)
  }

  /// Runs the program to its end, or kills it as soon as a file is there.
  ///
  /// - Parameters:
  ///   - log: the file that standard error goes to; it stays when the program was killed.
  ///   - path: the file, below the project; `nil` to let the program end.
  /// - Returns: what it printed; `nil` when it was killed.
  private func run(_ arguments: [String], log: String, killAt path: String?) throws -> String? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(BuiltProgram.path))
    process.currentDirectoryURL = URL(fileURLWithPath: directory.path)
    process.arguments =
      arguments + [
        "--mappings", "Cars,People", "--batch-size", "50", "--max-quarantined", "4", "--progress",
        "none", "--format", "json",
      ]
    let output = Pipe()
    try directory.write([], to: log)
    process.standardOutput = output
    process.standardError = try FileHandle(
      forWritingTo: URL(fileURLWithPath: directory.path(log)))
    try process.run()
    if let path {
      let watched = directory.path(path)
      while process.isRunning {
        guard FileManager.default.fileExists(atPath: watched) else { continue }
        kill(process.processIdentifier, SIGKILL)
        break
      }
    }
    let printed = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationReason == .exit else { return nil }
    if process.terminationStatus != 0 {
      let said = String(decoding: directory.contents(log) ?? [], as: UTF8.self)
      Issue.record("the program ended with \(process.terminationStatus): \(said)")
    }
    try FileManager.default.removeItem(atPath: directory.path(log))
    return String(decoding: printed, as: UTF8.self)
  }
}
