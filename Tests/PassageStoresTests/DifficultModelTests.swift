import PassageDiagnostics
import PassageModels
import PassageSQLite
import PassageStores
import PassageTesting
import PassageValues
import Testing

/// Models whose names and kinds a writer of schemas could stumble over.
struct DifficultModelTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  static let long = String(repeating: "VeryLongName", count: 100)

  @Test(arguments: [
    ["Straße", "ılık", "İstanbul", "été", "E\u{301}te\u{301}", "日本", "🚀rocket", "ﬀ"],
    ["\"; DROP TABLE Z_METADATA; --", "it's", "a b", "a\"\"b", "[x]", "`y`", "%s", "?1", ":p"],
    [long, "Event", "event2", "EVENT3"],
    ["_PRIMARYKEY", "_METADATA", "_MODELCACHE"],
    ["Straße", "Strasse", "STRASSE1"],
  ])
  func `a store of entities and properties with difficult names is sound`(names: [String]) throws {
    let path = folder.path("new.sqlite")
    let model = Model(
      name: "m",
      entities: names.map { name in
        Entity(
          name: name, attributes: names.map { Attribute(name: $0, type: .string, isIndexed: true) },
          relationships: [
            Relationship(
              name: "to\(name)", destinationEntityName: names[0], inverseName: nil, maximumCount: 0)
          ])
      })
    let layout = try StoreCreator.create(model: model, at: path)
    let store = try StoreFile.open(path: path)
    #expect(try store.fullCheck() == [])
    #expect(try store.layout(of: model) == layout)
    #expect(Set(layout.tables.map { $0.name.uppercased() }).count == names.count)
    #expect(try store.primaryKeys().map(\.name) == layout.entities.map(\.name))
    #expect(store.metadata.versionHashes == model.versionHashes)
    let statements = try store.connection.integer(
      "SELECT count(*) FROM sqlite_master WHERE type = 'table'")
    #expect(statements == Int64(layout.tables.count + BookkeepingTable.allCases.count))
  }

  @Test func `a composite attribute is refused by name, and nothing is written`() throws {
    let size = Attribute(
      name: "size", type: .composite, elements: [Attribute(name: "width", type: .double)])
    let model = Model(
      name: "m",
      entities: [Entity(name: "Box", attributes: [size, Attribute(name: "name", type: .string)])])
    let error = #expect(throws: StoreError.self) {
      try StoreCreator.create(model: model, at: folder.path("new.sqlite"))
    }
    #expect(error?.kind == .modelNotWritable)
    #expect(error?.description.contains("Box.size") == true)
    #expect(folder.names.isEmpty)
    let layout = StoreLayout(model: model)
    #expect(layout.unsupported.errors.map(\.code) == ["STO-205"])
    #expect(layout.tables[0].columns.map(\.name) == ["Z_PK", "Z_ENT", "Z_OPT", "ZNAME"])
    #expect(layout.entities[0].columnName(ofAttribute: "size") == nil)
  }

  @Test(arguments: [1_997, 1_998, 2_100])
  func `a table has as many columns as SQLite takes, and one more is refused`(
    attributes: Int
  ) throws {
    let folder = try TemporaryDirectory()
    let half = attributes / 2
    func attribute(_ number: Int) -> Attribute { Attribute(name: "a\(number)", type: .string) }
    let model = Model(
      name: "m",
      entities: [
        Entity(name: "Box", attributes: (0..<half).map(attribute)),
        Entity(name: "Crate", parentName: "Box", attributes: (half..<attributes).map(attribute)),
      ])
    let errors = StoreLayout(model: model).unsupported.errors
    guard attributes > 1_997 else {
      #expect(errors.isEmpty)
      try StoreCreator.create(model: model, at: folder.path("new.sqlite"))
      return
    }
    #expect(errors.map(\.code) == ["STO-207"])
    let columns = attributes == 1_998 ? "2,001" : "2,103"
    #expect(
      errors[0].message
        == "the table ZBOX of “Box” and its subentities would have \(columns) columns: "
        + "no store of the model can be written")
    let error = #expect(throws: StoreError.self) {
      try StoreCreator.create(model: model, at: folder.path("new.sqlite"))
    }
    #expect(error?.kind == .modelNotWritable)
    #expect(folder.names.isEmpty)
  }
}
