import PassageDiagnostics
import PassageModels
import PassageSQLite
import PassageStores
import PassageTesting
import PassageValues
import TestSupport
import Testing

@testable import PassageTableStores

/// Stores written as ordinary tables.
struct TableTreeWriterTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func write(_ store: String, _ model: Model) throws -> Connection {
    let path = folder.path("plain.db")
    try TableStoreType().write(
      StoredObjects(path: store, model: model), to: path, options: StoredObjects.WritingOptions())
    return try Connection(path: path, mode: .readOnly)
  }

  @Test func `names that SQLite keeps for itself are not given to tables, and are found again`()
    throws
  {
    let model = Model(
      name: "m",
      entities: [
        Entity(
          name: "SqliteThing", attributes: [Attribute(name: "t", type: .string, isIndexed: true)]),
        Entity(name: "_", attributes: [Attribute(name: "_", type: .string)]),
      ])
    let store = folder.path("store.sqlite")
    try StoreCreator.create(model: model, at: store)
    let tables = try write(store, model)
    #expect(
      try tables.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1")
        == [["_sqlite_things"], ["objects"]])
    _ = try TableStoreType().open(path: folder.path("plain.db"), as: model)
  }

  @Test(arguments: ["notes", "Notes"])
  func `tables that SQLite takes for one are refused by name`(name: String) throws {
    let model = Model(
      name: "m",
      entities: [
        Entity(
          name: "Memo", attributes: [Attribute(name: "t", type: .string)],
          userInfo: ["table": "notes"]),
        Entity(
          name: "Note", attributes: [Attribute(name: "t", type: .string)],
          userInfo: ["table": name]),
      ])
    let store = folder.path("store.sqlite")
    try StoreCreator.create(model: model, at: store)
    #expect {
      _ = try write(store, model)
    } throws: { error in
      let found = (error as? Diagnostics)?.all ?? []
      return found.map(\.code) == ["STO-134"]
        && found.first?.message == "“Memo” and “Note” have one table, \(name)"
    }
  }

  @Test(arguments: ["UTF-16le", "UTF-16be"])
  func `a store in UTF-16 is written too`(encoding: String) throws {
    let model = Model(
      name: "m", entities: [Entity(name: "A", attributes: [Attribute(name: "t", type: .string)])])
    let first = folder.path("first.sqlite")
    try StoreCreator.create(model: model, at: first)
    let store = folder.path("store.sqlite")
    try recode(first, to: store, encoding)
    #expect(try write(store, model).rows("SELECT id, t FROM \"as\" ORDER BY 1") == [[1, "Ω😀"]])
  }

  @Test(arguments: [
    (AttributeType.integer16, Int64(70_000)), (.integer32, 5_000_000_000), (.boolean, 2),
  ])
  func `a number that does not fit its attribute is refused`(
    type: AttributeType, number: Int64
  ) throws {
    let model = Model(
      name: "m",
      entities: [
        Entity(
          name: "A",
          attributes: [Attribute(name: "n", type: type), Attribute(name: "other", type: type)])
      ])
    let path = folder.path("store.sqlite")
    let store = try TestStore(model: model, at: path)
    try store.insert("A", ["n": .integer(1), "other": .integer(0)])
    try store.insert("A", ["n": .integer(number)])
    try store.close()
    #expect {
      _ = try write(path, model)
    } throws: { error in
      let found = (error as? Diagnostics)?.all ?? []
      return found.map(\.code) == ["ATM-015"] && found.first?.message.contains("A 2") == true
    }
  }

  /// Values of other types than Core Data's, as they are in damaged stores.
  @Test(arguments: [
    (AttributeType.uuid, "zeroblob(15)", "15 bytes"), (.uuid, "zeroblob(17)", "17 bytes"),
    (.uuid, "'0F0F0F0F-0000-0000-0000-000000000000'", "text"), (.string, "x'FF'", "1 byte"),
    (.uri, "x'6162'", "2 bytes"), (.date, "x''", "0 bytes"), (.date, "''", "text"),
    (.date, "'2001-01-01 00:00:00'", "text"), (.date, "9e999", "Inf"), (.date, "-9e999", "-Inf"),
    (.transformable, "'abc'", "text"), (.binary, "'abc'", "text"), (.decimal, "'abc'", "text"),
    (.double, "x'00'", "1 byte"), (.integer16, "'abc'", "text"), (.integer32, "0.5", "0.5"),
    (.integer64, "x'00'", "1 byte"), (.boolean, "0.5", "0.5"),
  ])
  func `a value that would not be read back is refused`(
    type: AttributeType, value: String, what: String
  ) throws {
    for allowsExternal in type == .binary || type == .transformable ? [false, true] : [false] {
      let attribute = Attribute(
        name: "n", type: type, allowsExternalBinaryDataStorage: allowsExternal)
      let model = Model(name: "m", entities: [Entity(name: "A", attributes: [attribute])])
      let path = folder.path("\(allowsExternal).sqlite")
      let store = try TestStore(model: model, at: path)
      try store.insert("A", [:])
      try store.execute(
        "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZN) VALUES (2, 1, 1, \(value))")
      try store.close()
      #expect {
        _ = try write(path, model)
      } throws: { error in
        let found = (error as? Diagnostics)?.all ?? []
        return found.map(\.code) == ["ATM-015"] && found.first?.message.contains("A 2") == true
          && found.first?.reason == "“n” is \(what), which the type \(type.name) does not hold"
      }
    }
  }

  /// Makes a copy in another encoding, with one object more.
  private func recode(_ path: String, to copy: String, _ encoding: String) throws {
    let source = try Connection(path: path, mode: .readOnly)
    let target = try Connection(path: copy, mode: .create)
    try target.execute("PRAGMA encoding = '\(encoding)'")
    for row in try source.rows("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL") {
      try target.execute(row[0].string ?? "")
    }
    for table in try source.rows("SELECT name FROM sqlite_master WHERE type = 'table'") {
      let name = (table[0].string ?? "").quotedIdentifier
      for row in try source.rows("SELECT * FROM \(name)") {
        let marks = row.map { _ in "?" }.joined(separator: ", ")
        try target.execute("INSERT INTO \(name) VALUES (\(marks))", row)
      }
    }
    try target.execute("INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZT) VALUES (1, 1, 1, 'Ω😀')")
  }
}
