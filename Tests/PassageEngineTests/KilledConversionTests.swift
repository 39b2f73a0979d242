import Foundation
import Passage
import PassageTesting
import TestSupport
import Testing

/// The program itself, killed while it stages, writes out, puts in place and clears up, with objects
/// that are quarantined.
@Suite(.enabled(if: BuiltProgram.migrate != nil)) struct KilledConversionTests {
  /// Killed as soon as one of these is there; `NAME` stands for the destination.
  static let moments = [
    "NAME.passage/run.json", "NAME.passage/source-staging.sqlite", "NAME.passage/source.sqlite",
    "NAME.passage/step-1/pass-1.sqlite", "NAME.passage/step-1/quarantine.jsonl",
    "NAME.passage/step-1/store.sqlite", "NAME.passage/output", "NAME.quarantine.jsonl", "NAME",
  ]

  struct Way: Sendable, CustomTestStringConvertible {
    var source: String?
    var destination: String?
    var lane: String

    var testDescription: String {
      "\(source ?? "Core Data") to \(destination ?? "Core Data"), \(lane) lane"
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
    ["page", "set", "row"].flatMap { lane in
      [
        Way(source: type, destination: nil, lane: lane),
        Way(source: nil, destination: type, lane: lane),
      ]
    }
  }

  /// What is there but the empty log, and its index, that SQLite makes for a reader of a store in WAL
  /// mode: only a reader that lives removes them, and they are valid.
  private static func names(_ directory: TemporaryDirectory) -> [String] {
    directory.names.filter {
      !$0.hasSuffix("-shm") && !($0.hasSuffix("-wal") && directory.contents($0) == [])
    }
  }

  @Test(arguments: ways)
  func `killed at any moment and started again, the result is the same`(way: Way) throws {
    let project = try ConversionProject(from: way.source, lane: way.lane)
    let (directory, type) = (project.directory, way.destination)
    let source = directory.contents(project.sourceName)
    let whole = ConversionTrial.name("whole", type)
    let report = try #require(try project.run(to: whole, as: type))
    #expect(report.contains(#""lane": "\#(way.lane)""#))
    // What the set lane gave up continued object by object, and the report says so.
    let abandoned = report.ranges(of: #""abandonedLane": "set""#).count
    #expect(report.ranges(of: #""lane": "row""#).count == (way.lane == "row" ? 2 : abandoned))
    #expect(way.lane == "set" || abandoned == 0)
    for other in ["page", "set"] where other != way.lane {
      #expect(!report.contains(#""lane": "\#(other)""#))
    }
    let lines = try #require(directory.contents(whole + ".quarantine.jsonl"))
    #expect(lines.count { $0 == UInt8(ascii: "\n") } == project.quarantinedRows)
    let names = Self.names(directory)
    let length = try #require(directory.contents(whole)).count
    // What is seen of these moments depends on the machine; what a file may hold does not.
    let ends =
      way.moments.map { ConversionProject.End.atFile($0) }
      + (0..<4).map { .atFileBytes(length * $0 / 4) }
    for (number, end) in ends.enumerated() {
      let name = ConversionTrial.name("killed-\(number)", type)
      let quarantinedRows = name + ".quarantine.jsonl"
      let isSame = {
        guard type == nil else { return directory.contents(name) == directory.contents(whole) }
        return try StoreRows(path: directory.path(name)).differences(
          from: StoreRows(path: directory.path(whole))
        ).isEmpty
      }
      let printed = try project.run(to: name, as: type, until: end.naming(name))
      if end.isCertain { #expect(printed == nil) }
      if directory.contents(name) != nil { #expect(try isSame(), "\(end)") }
      #expect([nil, lines].contains(directory.contents(quarantinedRows)), "\(end)")
      let again = try #require(try project.run(to: name, as: type))
      #expect(again.contains("migrated") || again.contains("upToDate"))
      #expect(try isSame(), "\(end)")
      #expect(directory.contents(quarantinedRows) == lines, "\(end)")
      #expect(Self.names(directory) == (names + [name, quarantinedRows]).sorted(), "\(end)")
      for left in [name, quarantinedRows] {
        try FileManager.default.removeItem(atPath: directory.path(left))
      }
    }
    #expect(directory.contents(project.sourceName) == source)
  }

  @Test(arguments: ["page", "set", "row"])
  func `killed in place at any moment, store and record are the same in the end`(
    lane: String
  ) throws {
    let project = try ConversionProject(from: nil, lane: lane)
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
    let length = try #require(directory.contents("whole.sqlite")).count
    let ends =
      moments.map { ConversionProject.End.atFile($0) }
      + (0..<4).map { .atFileBytes(length * $0 / 4) }
    for (number, end) in ends.enumerated() {
      let name = "in-\(number).sqlite"
      try directory.write(source, to: name)
      let printed = try project.runInPlace(name, until: end.naming(name))
      if end.isCertain { #expect(printed == nil) }
      let left = directory.contents(name + ".quarantine.jsonl")
      #expect([nil, lines].contains(left), "\(end)")
      _ = try #require(try project.runInPlace(name))
      let found = try StoreRows(path: directory.path(name))
      #expect(found.differences(from: whole) == [], "\(end)")
      #expect(directory.contents(name + ".quarantine.jsonl") == lines, "\(end)")
      #expect(
        Self.names(directory).filter { $0.hasPrefix("in-\(number)") }
          == [name, name + ".before-1", name + ".quarantine.jsonl"], "\(end)")
    }
  }
}

extension ConversionProject.End {
  /// With the destination's name for `NAME`.
  fileprivate func naming(_ name: String) -> Self {
    if case .atFile(let path) = self { .atFile(path.replacing("NAME", with: name)) } else { self }
  }

  fileprivate var isCertain: Bool { if case .atFileBytes = self { true } else { false } }
}
