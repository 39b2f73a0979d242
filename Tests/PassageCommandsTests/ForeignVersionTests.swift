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

  /// One album and one photo without a value for `small`, so that the names are those of no version.
  private static let withoutSmall = [
    "jsonl": """
    {"entity":"Album","id":1,"title":"A"}
    {"entity":"Photo","id":2,"name":"n","album":1}

    """,
    "records": "Album::id:1:title:A\nPhoto::id:2:name:n:album:1\n",
    "xml": """
    <?xml version="1.0"?>
    <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

    <database>
        <databaseInfo>
            <version>134481920</version>
            <UUID>1C6C3F0E-6C3E-4F5B-9E0A-6D7C0E5B1A11</UUID>
            <nextObjectID>3</nextObjectID>
            <metadata></metadata>
        </databaseInfo>
        <object type="ALBUM" id="z1">
            <attribute name="title" type="string">A</attribute>
        </object>
        <object type="PHOTO" id="z2">
            <attribute name="name" type="string">n</attribute>
            <relationship name="album" type="0/1" destination="ALBUM" idrefs="z1"></relationship>
        </object>
    </database>

    """,
  ]

  @Test(arguments: ["jsonl", "records", "xml"])
  func `a store without a value for what each version has is not taken for the first of them`(
    end: String
  ) throws {
    try folder.write(Self.withoutSmall[end] ?? "", to: "a.\(end)")
    for call in [["status"], ["plan", "--to", "2", "--infer", "--output", "new.sqlite"]] {
      let outcome = try MigrateProcess.run(call + ["--store", "a.\(end)"], in: folder.path)
      #expect(outcome.status == 20, "\(outcome.output)\(outcome.errors)")
      #expect(outcome.errors.contains("PLN-025"), "\(outcome.errors)")
      for version in ["1", "2", "3", "4"] { #expect(outcome.errors.contains("“\(version)”")) }
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
