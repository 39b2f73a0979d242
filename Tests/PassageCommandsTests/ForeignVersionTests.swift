import PassageTesting
import TestSupport
import Testing

/// At which version a store is that records none, among four that add properties.
struct ForeignVersionTests {
  private let folder: TemporaryDirectory

  private static let columns = [
    "1": "title,name,small", "2": "title,name,note,small", "4": "title,name,note,place,small",
  ]

  init() throws {
    folder = try TemporaryDirectory()
    try model("1", ["name", "small"])
    try model("2", ["name", "note", "small"])
    try model("3", ["name", "note", "small"], #""versionHashModifier": "3", "#)
    try model("4", ["name", "note", "place", "small"])
    let versions = ["1", "2", "3", "4"].map { #"{ "name": "\#($0)", "model": "\#($0).json" }"# }
    try folder.write(
      #"{ "versions": [ \#(versions.joined(separator: ", ")) ], "steps": [] }"#,
      to: "Migrations/history.json")
  }

  /// Only one side of the relationship is written.
  private func model(_ name: String, _ attributes: [String], _ modifier: String = "") throws {
    let list = attributes.map { #"{ "name": "\#($0)", "type": "string" }"# }
    try folder.write(
      """
      { "name": "\(name)", "entities": [
        { "name": "Photo", \(modifier)"attributes": [ \(list.joined(separator: ", ")) ],
          "relationships": [
            { "name": "album", "destination": "Album", "inverse": "pictures" } ] },
        { "name": "Album", "attributes": [ { "name": "title", "type": "string" } ],
          "relationships": [ { "name": "pictures", "destination": "Photo", "inverse": "album",
            "toMany": true } ] } ] }
      """, to: "Migrations/\(name).json")
  }

  /// Writes a file whose column `small`, and others that a later version adds, are empty in every record.
  private func source(_ version: String) throws {
    let columns = try #require(Self.columns[version])
    let empty = String(repeating: ",", count: columns.split(separator: ",").count - 1)
    try folder.write(
      "entity,id,\(columns),album\nAlbum,1,A\(empty),\nPhoto,2,,n\(empty.dropFirst()),1\n",
      to: "source.csv")
  }

  private func run(_ arguments: String...) throws -> MigrateProcess.Outcome {
    try MigrateProcess.run(arguments, in: folder.path)
  }

  @Test(arguments: ["1", "4"], ["delimited", "tables"])
  func `a file that names every property is at the version with exactly its names`(
    version: String, type: String
  ) throws {
    try source(version)
    let made = try run(
      "--store", "source.csv", "--to", version, "--output", "made.\(type)", "--output-type", type)
    #expect(made.status == 0, "\(made.errors)")
    let status = try run("status", "--store", "made.\(type)")
    #expect(status.output.contains("version   “\(version)”"), "\(status.output)")
    for target in version == "1" ? ["1", "2", "4"] : ["4"] {
      let outcome = try run(
        "--store", "made.\(type)", "--to", target, "--infer", "--output", "\(target).sqlite")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.output.contains("from “\(version)” to"), "\(outcome.output)")
    }
  }

  @Test(arguments: ["1", "2", "3", "4"])
  func `only the versions with exactly a file's names are in question`(target: String) throws {
    try source("2")
    let outcome = try run("--store", "source.csv", "--to", target, "--output", "new.sqlite")
    #expect(outcome.status == 20, "\(outcome.errors)")
    #expect(outcome.errors.contains("PLN-025"))
    for version in ["1", "2", "3", "4"] {
      #expect(outcome.errors.contains("“\(version)”") == ["2", "3"].contains(version))
    }
  }

  /// Its records may have left out what a later version adds.
  @Test func `JSON lines with exactly the names of an older version are not guessed`() throws {
    try source("1")
    #expect(try run("--store", "source.csv", "--to", "1", "--output", "a.jsonl").status == 0)
    let outcome = try run("--store", "a.jsonl", "--to", "1", "--output", "new.sqlite")
    #expect(outcome.status == 20, "\(outcome.errors)")
    #expect(outcome.errors.contains("PLN-025") && outcome.errors.contains("“1”"))
  }
}
