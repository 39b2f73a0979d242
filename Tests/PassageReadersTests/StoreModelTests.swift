import Foundation
import PassageDiagnostics
import PassageModels
import PassageProjects
import PassageReaders
import PassageSQLite
import PassageStores
import PassageTesting
import PassageValues
import TestSupport
import Testing

/// The model of a store: the one inside it, or the one its tables allow.
struct StoreModelTests {
  private static let model = Model(
    name: "Notes",
    entities: [
      Entity(
        name: "Note",
        attributes: [
          Attribute(name: "title", type: .string), Attribute(name: "count", type: .integer32),
          Attribute(name: "when", type: .date), Attribute(name: "body", type: .binary),
        ],
        relationships: [
          Relationship(
            name: "tags", destinationEntityName: "Tag", inverseName: "notes", maximumCount: 0,
            isOrdered: true),
          Relationship(name: "place", destinationEntityName: "Place"),
          Relationship(name: "author", destinationEntityName: "Person"),
        ]),
      Entity(
        name: "Tag",
        relationships: [
          Relationship(
            name: "notes", destinationEntityName: "Note", inverseName: "tags", maximumCount: 0),
          Relationship(
            name: "friends", destinationEntityName: "Tag", inverseName: "friends",
            maximumCount: 0),
        ]),
      Entity(name: "Place", attributes: [Attribute(name: "name", type: .string)]),
      Entity(
        name: "City", parentName: "Place", attributes: [Attribute(name: "size", type: .double)]),
      Entity(name: "Person", attributes: [Attribute(name: "name", type: .string)]),
    ])

  private func store(_ folder: TemporaryDirectory, cache: Value? = nil) throws -> String {
    let path = "\(folder.path)/Notes.sqlite"
    try StoreCreator.create(model: Self.model, at: path)
    if let cache {
      let connection = try Connection(path: path, mode: .readWrite)
      try connection.execute("CREATE TABLE IF NOT EXISTS Z_MODELCACHE (Z_CONTENT BLOB)")
      try connection.execute("DELETE FROM Z_MODELCACHE")
      try connection.execute("INSERT INTO Z_MODELCACHE VALUES (?)", [cache])
    }
    return path
  }

  private func codes(_ path: String) -> [String] {
    do {
      return try ModelFile.load(path: path).remarks.all.map(\.code)
    } catch {
      return error.all.map(\.code)
    }
  }

  @Test func `the model inside a store is read and compared with the recorded hashes`() throws {
    var archive = ArchivedModel()
    archive.entity("Other", properties: [archive.attribute("a", 700)])
    let folder = try TemporaryDirectory()
    let path = try store(
      folder, cache: .blob(StoredDeflate.compress(archive.archive(isCached: true))))
    let read = try ModelFile.load(path: path)
    #expect(read.model.name == "Notes")
    #expect(read.model.entities.map(\.name) == ["Other"])
    #expect(read.recordedHashes == Self.model.versionHashes)
    #expect(read.remarks.all.map(\.code) == ["MOD-124"])
    #expect(try ModelFile.list(path: path).current == "Notes")
  }

  @Test func `a model that agrees with the recorded hashes gives no warning`() throws {
    var archive = ArchivedModel()
    archive.entity("E", properties: [archive.attribute("a", 700)])
    let model = try archive.read(isCached: true).model
    let folder = try TemporaryDirectory()
    let path = "\(folder.path)/E.sqlite"
    try StoreCreator.create(model: model, at: path)
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute("CREATE TABLE IF NOT EXISTS Z_MODELCACHE (Z_CONTENT BLOB)")
    try connection.execute("DELETE FROM Z_MODELCACHE")
    try connection.execute(
      "INSERT INTO Z_MODELCACHE VALUES (?)",
      [.blob(StoredDeflate.compress(archive.archive(isCached: true)))])
    let read = try ModelFile.load(path: path)
    #expect(read.remarks.all.isEmpty)
    #expect(read.model.versionHashes == read.recordedHashes)
  }

  /// The rule gives the other name, so only the store can have told it.
  @Test func `the name of a reflexive join table is that of a store of the version`() throws {
    var archive = ArchivedModel()
    var ends: [(String, PropertyList)] = []
    for name in ["likes", "liked"] {
      let inverse = name == "likes" ? "liked" : "likes"
      ends.append(
        archive.relationship(
          name, to: "Tag",
          [
            ("NSMaxCount", .integer(0)),
            ("_NSInverseRelationshipName", archive.builder.text(inverse)),
          ]))
    }
    archive.entity("Tag", properties: ends)
    let bytes = archive.archive(isCached: true)
    let model = try CompiledModelReader.read(bytes, name: "App", file: "App.mom").model
    let folder = try TemporaryDirectory()
    let path = "\(folder.path)/Old.sqlite"
    try StoreCreator.create(model: model, at: path)
    let made = try #require(StoreLayout(model: model).joinTables.first)
    let other = made.name == "Z_1LIKES" ? "Z_1LIKED" : "Z_1LIKES"
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute("ALTER TABLE \(made.name) RENAME TO \(other)")
    try connection.execute("CREATE TABLE IF NOT EXISTS Z_MODELCACHE (Z_CONTENT BLOB)")
    try connection.execute("DELETE FROM Z_MODELCACHE")
    try connection.execute(
      "INSERT INTO Z_MODELCACHE VALUES (?)", [.blob(StoredDeflate.compress(bytes))])

    let read = try ModelFile.read(path: path)
    #expect(StoreLayout(model: read).joinTables.map(\.name) == [other])
    #expect(StoreLayout(model: read).unsupported.all.isEmpty)
    #expect(read.versionHashes == model.versionHashes)

    // The app's own model of that version follows the store too.
    try folder.write(ModelDocument.encode(model), to: "App.json")
    let project = try Project(
      migrationsDirectory: folder.path, mappingsDirectory: folder.path,
      modelPaths: [folder.path("App.json"), path])
    let own = try #require(project.models["App"])
    #expect(StoreLayout(model: own).joinTables.map(\.name) == [other])
  }

  @Test func `a store without a model gives a guess that says so`() throws {
    let folder = try TemporaryDirectory()
    let path = try store(folder)
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute("DROP TABLE IF EXISTS Z_MODELCACHE")
    let read = try ModelFile.load(path: path)
    #expect(read.remarks.all.first?.code == "MOD-127")
    #expect(read.recordedHashes == Self.model.versionHashes)
    #expect(read.model.entities.map(\.name) == Self.model.entities.map(\.name))
    let note = try #require(read.model.entity(named: "Note"))
    #expect(
      note.attributes.map { "\($0.name): \($0.type.name)" }.sorted() == [
        "author: integer64", "body: binary", "count: integer64", "title: string", "when: date",
      ])
    #expect(
      note.relationships.sorted { $0.name < $1.name } == [
        Relationship(name: "place", destinationEntityName: "Place"),
        Relationship(
          name: "tags", destinationEntityName: "Tag", inverseName: "notes", maximumCount: 0,
          isOrdered: true),
      ])
    #expect(
      read.model.entity(named: "Tag")?.relationships.sorted { $0.name < $1.name } == [
        Relationship(
          name: "friends", destinationEntityName: "Tag", inverseName: "friends", maximumCount: 0),
        Relationship(
          name: "notes", destinationEntityName: "Note", inverseName: "tags", maximumCount: 0),
      ])
    #expect(read.model.entity(named: "City")?.parentName == "Place")
    #expect(
      read.remarks.all.contains {
        $0.code == "MOD-128" && $0.message.contains("ZAUTHOR may be a relationship")
      })
    // The guess is of use: the tables have what its layout asks for.
    _ = try StoreFile.open(path: path).layout(of: read.model)
  }

  @Test(arguments: [
    ([UInt8](), "MOD-126"), ([0xFF, 0xFF], "MOD-126"), ([1, 5, 0, 0xFA, 0xFF, 1], "MOD-126"),
    ([1, 1, 0, 0xFE, 0xFF, 65], "MOD-120"),
  ])
  func `in place of a damaged model inside a store its tables are read, and the reason is told`(
    _ bytes: [UInt8], _ code: String
  ) throws {
    let folder = try TemporaryDirectory()
    let read = try ModelFile.load(path: try store(folder, cache: .blob(bytes)))
    #expect(read.isGuessed)
    #expect(read.model.entities.map(\.name) == Self.model.entities.map(\.name))
    let told = read.remarks.all.prefix(2)
    #expect(told.map(\.code) == ["MOD-127", code])
    #expect(told.allSatisfy { $0.severity == .warning })
    #expect(told.first?.reason == "the model that the store contains cannot be read")
  }

  @Test func `a model that is no blob is an error`() throws {
    let folder = try TemporaryDirectory()
    #expect(codes(try store(folder, cache: .text("x"))) == ["STO-110"])
  }

  @Test func `a database without tables is not a store`() throws {
    let folder = try TemporaryDirectory()
    let path = "\(folder.path)/other.sqlite"
    let connection = try Connection(path: path, mode: .create)
    try connection.execute("PRAGMA user_version = 1")
    #expect(codes(path) == ["STO-107"])
    // One with tables is a plain database, whose model they declare.
    try connection.execute("CREATE TABLE banks (id INTEGER PRIMARY KEY, name TEXT)")
    #expect(try ModelFile.read(path: path).entities.map(\.name) == ["Bank"])
  }
}
