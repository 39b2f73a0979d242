import Foundation
import Passage
import PassageDiagnostics
import PassageEngine
import PassageFiles
import PassageFleets
import PassageMappings
import PassageModels
import PassageProjects
import PassageStores
import PassageTesting
import TestSupport
import Testing

/// An object storage that is a folder, with a client made of small scripts, and a project to migrate
/// its stores.
struct ObjectShelf {
  let directory: TemporaryDirectory
  let project: Project

  static let first = model("1", [Attribute(name: "text", type: .string)])
  static let second = model(
    "2", [Attribute(name: "text", type: .string), Attribute(name: "stars", type: .integer32)])

  private static func model(_ name: String, _ attributes: [Attribute]) -> Model {
    Model(name: name, entities: [Entity(name: "Note", attributes: attributes)])
  }

  /// The mark is a checksum. What is published under a name keeps its version beside it.
  private static let scripts = [
    "look": """
    [ -e "$S/objects/$1" ] || exit 1
    cksum < "$S/objects/$1"
    if [ -e "$S/objects/$1.version" ]; then cat "$S/objects/$1.version"; fi
    """,
    "get": #"cp "$S/objects/$1" "$2""#,
    "put": """
    [ "$(cksum < "$S/objects/$1")" = "$3" ] || exit 75
    cp "$2" "$S/objects/$1.new"
    mv "$S/objects/$1.new" "$S/objects/$1"
    echo "$1" >> "$S/published"
    if [ -n "$4" ]; then echo "$4" > "$S/objects/$1.version"; fi
    """,
  ]

  init() throws {
    directory = try TemporaryDirectory()
    for folder in ["objects", "scratch", "client", "Migrations", "Mappings"] {
      try FileManager.default.createDirectory(
        atPath: directory.path(folder), withIntermediateDirectories: false)
    }
    for (name, text) in Self.scripts { try Self.script(name, text, in: directory) }
    for model in [Self.first, Self.second] {
      try directory.write(
        Array(ModelDocument.encode(model).utf8), to: "Migrations/\(model.name).json")
    }
    let history = """
      {"versions": [{"name": "1", "model": "1.json"}, {"name": "2", "model": "2.json"}]}
      """
    try directory.write(Array(history.utf8), to: "Migrations/history.json")
    project = try Project(
      migrationsDirectory: directory.path("Migrations"),
      mappingsDirectory: directory.path("Mappings"))
  }

  /// Writes a program of the client; `$S` is the folder. Each call is noted in the file `calls`.
  func script(_ name: String, _ text: String) throws {
    try Self.script(name, text, in: directory)
  }

  private static func script(
    _ name: String, _ text: String, in directory: TemporaryDirectory
  ) throws {
    let whole = """
      #!/bin/sh
      S="\(directory.path)"
      echo "\(name) $1" >> "$S/calls"
      \(text)

      """
    try directory.write(Array(whole.utf8), to: "client/\(name)")
  }

  /// Puts a store of version 1 on the shelf.
  func put(_ name: String, notes: Int = 3) throws {
    let store = try TestStore(
      model: Self.first, at: directory.path("objects/\(name)"), journalMode: .delete)
    for number in 0..<notes { try store.insert("Note", ["text": .text("note \(number)")]) }
    try store.close()
  }

  /// The version of the store under a name, which must be whole.
  func version(_ name: String) throws -> String {
    let path = directory.path("objects/\(name)")
    let hashes = try StoreMetadata.read(path: path).versionHashes
    for model in [Self.first, Self.second]
    where Compatibility(recordedHashes: hashes, model: model).isCompatible {
      #expect(try StoreAudit(path: path, model: model).findings == [])
      #expect(try StoreContents(path: path, model: model)["Note"].count == 3)
      return model.name
    }
    return "neither"
  }

  /// The programs of the client that were called, in their order.
  var calls: [String] {
    String(decoding: directory.contents("calls") ?? [], as: UTF8.self).split(separator: "\n")
      .map(String.init)
  }

  /// How often a store took the place of another one.
  var publicationCount: Int { (directory.contents("published") ?? []).count { $0 == 10 } }

  func commands(
    exists: String? = nil, fetch: String? = nil, publish: String? = nil, timeLimit: Double = 60
  ) throws -> TransferCommands {
    // A shell reads the script: to run it by itself fails while another test starts a program, which has
    // the file open for writing for a moment.
    let client = "sh \(directory.path("client"))"
    return try TransferCommands(
      exists: exists ?? "\(client)/look {name}", fetch: fetch ?? "\(client)/get {name} {path}",
      publish: publish ?? "\(client)/put {name} {path} {mark} {version}",
      environment: ["PATH=/usr/bin:/bin"], timeLimit: timeLimit)
  }

  /// Migrates the store under a name.
  func run(
    _ name: String, _ commands: TransferCommands, control: RunControl = RunControl()
  ) throws -> MigrationReport {
    var options = MigrationOptions()
    options.oldStore = .remove
    options.allowed.inference = true
    let ways = FleetWays(
      project: project,
      wish: .version(
        StepSearch(project: project, version: "2", isInferring: true, options: options)),
      policies: PolicyRegistry([]), options: options)
    let group = SyncGroup(limit: 1, slots: 1)
    let scratch = try RemoteScratch(in: directory.path("scratch"), files: FileSystem())
    let job = RemoteJob(ways: ways, commands: commands, scratch: scratch, group: group)
    var report: Result<MigrationReport, any Error>?
    group.withSlot {
      var notes = StoreNotes()
      report = Result { try job.run(name, control: control, notes: &notes) }
    }
    return try #require(report).get()
  }

  func failure(_ name: String, _ commands: TransferCommands) throws -> MigrationError {
    try #require(throws: MigrationError.self) { try run(name, commands) }
  }

  /// What the scratch folder still holds.
  var scratchNames: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: directory.path("scratch"))) ?? ["?"]
  }
}
