import Foundation
import Passage
import PassageTesting
import Testing

/// The program itself, killed while it stages, writes out, puts in place and clears up, with objects
/// that are set aside.
@Suite(.enabled(if: BuiltProgram.path != nil)) struct KilledConversionTests {
  /// Killed as soon as one of these is there; `NAME` stands for the destination.
  static let moments = [
    "NAME.passage/run.json", "NAME.passage/source-staging.sqlite", "NAME.passage/source.sqlite",
    "NAME.passage/step-1/pass-1.sqlite", "NAME.passage/step-1/quarantine.jsonl",
    "NAME.passage/step-1/store.sqlite", "NAME.passage/output", "NAME.quarantine.jsonl", "NAME",
  ]

  struct Way: Sendable, CustomTestStringConvertible {
    var source: String?
    var destination: String?
    var rows: Bool

    var testDescription: String {
      "\(source ?? "Core Data") to \(destination ?? "Core Data"), \(rows ? "row" : "set") lane"
    }

    /// The moments there are on this way.
    var moments: [String] {
      KilledConversionTests.moments.filter {
        (source != nil || !$0.contains("/source"))
          && (destination != nil || !$0.contains("/output"))
      }
    }
  }

  static let ways: [Way] = ConversionTrial.foreignTypes.flatMap { type in
    [false, true].flatMap { rows in
      [
        Way(source: type, destination: nil, rows: rows),
        Way(source: nil, destination: type, rows: rows),
      ]
    }
  }

  /// What is there but the empty log, and its index, that SQLite makes for a reader of a store in WAL
  /// mode: only a reader that lives takes them away, and they are valid.
  private static func names(_ directory: TemporaryDirectory) -> [String] {
    directory.names.filter {
      !$0.hasSuffix("-shm") && !($0.hasSuffix("-wal") && directory.contents($0) == [])
    }
  }

  @Test(arguments: ways)
  func `killed at any moment and started again, the result is the same`(way: Way) throws {
    let project = try ConversionProject(from: way.source, rows: way.rows)
    let (directory, type) = (project.directory, way.destination)
    let source = directory.contents(project.sourceName)
    let whole = ConversionTrial.name("whole", type)
    let report = try #require(try project.run(to: whole, as: type))
    #expect(report.contains(way.rows ? #""lane": "row""# : #""lane": "set""#))
    // What the set lane gave up went on object by object, and the report says so.
    let abandoned = report.ranges(of: #""abandonedLane": "set""#).count
    #expect(report.ranges(of: #""lane": "row""#).count == (way.rows ? 2 : abandoned))
    #expect(!way.rows || (abandoned == 0 && !report.contains(#""lane": "set""#)))
    let lines = try #require(directory.contents(whole + ".quarantine.jsonl"))
    #expect(lines.count { $0 == UInt8(ascii: "\n") } == project.setAside)
    let names = Self.names(directory)
    var kills = 0
    for (number, moment) in way.moments.enumerated() {
      let name = ConversionTrial.name("killed-\(number)", type)
      let setAside = name + ".quarantine.jsonl"
      let isSame = {
        guard type == nil else { return directory.contents(name) == directory.contents(whole) }
        return try StoreRows(path: directory.path(name)).differences(
          from: StoreRows(path: directory.path(whole))
        ).isEmpty
      }
      if try project.run(to: name, as: type, killAt: moment.replacing("NAME", with: name)) == nil {
        kills += 1
        try FileManager.default.removeItem(atPath: directory.path("log-\(name)"))
      }
      if directory.contents(name) != nil { #expect(try isSame(), "\(moment)") }
      #expect([nil, lines].contains(directory.contents(setAside)), "\(moment)")
      let again = try #require(try project.run(to: name, as: type))
      #expect(again.contains("migrated") || again.contains("upToDate"))
      #expect(try isSame(), "\(moment)")
      #expect(directory.contents(setAside) == lines, "\(moment)")
      #expect(Self.names(directory) == (names + [name, setAside]).sorted(), "\(moment)")
      for left in [name, setAside] {
        try FileManager.default.removeItem(atPath: directory.path(left))
      }
    }
    #expect(directory.contents(project.sourceName) == source)
    // Short moments pass unseen on a busy machine; the long ones do not.
    #expect(kills > 1)
  }

  @Test(arguments: [false, true])
  func `killed in place at any moment, store and record are the same in the end`(
    rows: Bool
  ) throws {
    let project = try ConversionProject(from: nil, rows: rows)
    let directory = project.directory
    let source = try #require(directory.contents(project.sourceName))
    try directory.write(source, to: "whole.sqlite")
    _ = try #require(try project.runInPlace("whole.sqlite"))
    let whole = try StoreRows(path: directory.path("whole.sqlite"))
    let lines = try #require(directory.contents("whole.sqlite.quarantine.jsonl"))
    let moments =
      Self.moments.filter { !$0.contains("/source") && !$0.contains("/output") && $0 != "NAME" } + [
        "NAME.passage/cut-over"
      ]
    var kills = 0
    for (number, moment) in moments.enumerated() {
      let name = "in-\(number).sqlite"
      try directory.write(source, to: name)
      if try project.runInPlace(name, killAt: moment.replacing("NAME", with: name)) == nil {
        kills += 1
        try FileManager.default.removeItem(atPath: directory.path("log-\(name)"))
      }
      let left = directory.contents(name + ".quarantine.jsonl")
      #expect([nil, lines].contains(left), "\(moment)")
      _ = try #require(try project.runInPlace(name))
      let found = try StoreRows(path: directory.path(name))
      #expect(found.differences(from: whole) == [], "\(moment)")
      #expect(directory.contents(name + ".quarantine.jsonl") == lines, "\(moment)")
      #expect(
        Self.names(directory).filter { $0.hasPrefix("in-\(number)") }
          == [name, name + ".quarantine.jsonl"], "\(moment)")
    }
    #expect(kills > 1)
  }
}
