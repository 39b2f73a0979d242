import Passage
import PassageModels
import PassageTesting
import TestSupport
import Testing

/// Properties of an entity whose user info names one column.
@Suite struct SharedColumnTests {
  private static let types = [
    ("delimited", "b.csv"), ("json-lines", "b.jsonl"), ("keyed", "b.records"),
  ]

  /// Books have a column, and so has the table of pairs with their tags.
  private static let library = Model(
    name: "M",
    entities: [
      Entity(
        name: "Book",
        attributes: [
          Attribute(name: "number", type: .string, userInfo: ["column": "book_id"])
        ],
        relationships: [
          Relationship(
            name: "tags", destinationEntityName: "Tag", inverseName: "books", maximumCount: 0,
            userInfo: ["table": "book_tag", "column": "book_id", "otherColumn": "tag_id"])
        ]),
      Entity(
        name: "Tag", attributes: [Attribute(name: "name", type: .string)],
        relationships: [
          Relationship(
            name: "books", destinationEntityName: "Book", inverseName: "tags", maximumCount: 0)
        ]),
    ])

  @Test(arguments: types)
  func `a relationship with a table of pairs leaves its column to an attribute`(
    type: String, name: String
  ) throws {
    let folder = try TemporaryDirectory()
    let store = try TestStore(model: Self.library, at: folder.path("a.sqlite"))
    let book = try store.insert("Book", ["number": "ISBN"])
    try store.relate(book, "tags", to: [try store.insert("Tag", ["name": "t"])])
    try store.close()
    let conversion = Conversion(model: Self.library)
    try conversion.convert(folder.path("a.sqlite"), to: folder.path(name), as: type)
    try conversion.convert(folder.path(name), to: folder.path("c.sqlite"), as: nil)
    let (before, after) = try (
      conversion.contents(folder.path("a.sqlite")), conversion.contents(folder.path("c.sqlite"))
    )
    #expect(after.differences(from: before) == [])
  }

  @Test(arguments: types)
  func `properties with one column are refused`(type: String, name: String) throws {
    let model = Model(
      name: "M",
      entities: [
        Entity(
          name: "A",
          attributes: [
            Attribute(name: "one", type: .string, userInfo: ["column": "x"]),
            Attribute(name: "two", type: .string, userInfo: ["column": "x"]),
          ])
      ])
    let folder = try TemporaryDirectory()
    let store = try TestStore(model: model, at: folder.path("a.sqlite"))
    try store.insert("A", ["one": "1", "two": "2"])
    try store.close()
    let error = try #require(
      Conversion(model: model).failure(folder.path("a.sqlite"), to: folder.path(name), as: type))
    #expect(error.diagnostics.all.map(\.code) == ["ATM-024"])
    #expect(error.kind == .wrongFile)
    #expect(!folder.names.contains(name))
  }
}
