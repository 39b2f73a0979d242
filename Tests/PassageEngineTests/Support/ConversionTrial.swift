import Foundation
import Passage
import PassageEngine
import PassageFiles
import PassageTesting
import TestSupport
import Testing

/// A source of any type in a folder of its own, and its migration into a store of any type.
struct ConversionTrial {
  /// The types of store by their names in options; `nil` for Core Data's layout.
  static let types: [String?] = [nil, "tables", "delimited", "keyed", "json-lines", "xml"]
  static let foreignTypes = ["tables", "delimited", "keyed", "json-lines", "xml"]

  let directory: TemporaryDirectory
  let sourceName: String
  let sourceType: String?
  let source: Model
  let destination: Model
  var mappings: [MappingModel]

  /// A name for a store of a type.
  static func name(_ stem: String, _ type: String?) -> String {
    let suffix =
      switch type {
      case "delimited": "csv"
      case "keyed": "records"
      case "json-lines": "jsonl"
      case "xml": "xml"
      case "tables": "db"
      default: "sqlite"
      }
    return "\(stem).\(suffix)"
  }

  /// Takes a trial's store, written as a type.
  init(_ trial: Trial, from type: String?) throws {
    directory = try TemporaryDirectory()
    sourceName = Self.name("old", type)
    sourceType = type
    (source, destination, mappings) = (trial.source, trial.destination, trial.mappings)
    guard let type else {
      try directory.write(try #require(trial.directory.contents("old.sqlite")), to: sourceName)
      return
    }
    var options = MigrationOptions()
    options.output.type = type
    _ = try StoreMigration(
      storePath: trial.sourcePath, destination: .file(directory.path(sourceName)), source: source,
      destinationModel: source, models: [source.name: source],
      mappings: [InferredMapping.infer(from: source, to: source)], policies: PolicyRegistry([]),
      options: options
    ).run(control: RunControl())
  }

  func migration(
    to name: String, as type: String?, options: MigrationOptions, files: FileSystem = FileSystem()
  ) -> StoreMigration {
    var options = options
    options.output.type = type
    options.limits.workMemoryBytes = 0
    return StoreMigration(
      storePath: directory.path(sourceName), destination: .file(directory.path(name)),
      source: source, destinationModel: destination,
      models: [source.name: source, destination.name: destination], mappings: mappings,
      policies: PolicyRegistry([]), options: options, files: files)
  }

  @discardableResult
  func run(
    to name: String, as type: String?, options: MigrationOptions = MigrationOptions(),
    files: FileSystem = FileSystem(), control: RunControl = RunControl()
  ) throws -> MigrationReport {
    let before = directory.contents(sourceName)
    defer { #expect(directory.contents(sourceName) == before, "the source was changed") }
    return try migration(to: name, as: type, options: options, files: files).run(control: control)
  }

  func failure(
    to name: String, as type: String?, options: MigrationOptions = MigrationOptions(),
    files: FileSystem = FileSystem()
  ) throws -> MigrationError {
    try #require(throws: MigrationError.self) {
      try run(to: name, as: type, options: options, files: files)
    }
  }

  /// What makes two results the same: rows of Core Data's layout, else the bytes.
  func differences(_ name: String, from other: String, as type: String?) throws -> [String] {
    guard type == nil else {
      let (found, expected) = (directory.contents(name), directory.contents(other))
      return found == expected && found != nil ? [] : ["\(name) has other bytes than \(other)"]
    }
    return try StoreRows(path: directory.path(name)).differences(
      from: StoreRows(path: directory.path(other)))
  }
}
