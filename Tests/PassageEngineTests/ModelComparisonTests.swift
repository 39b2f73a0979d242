import Passage
import PassageTesting
import Testing

/// What tests compare models and stores with.
@Suite struct ModelComparisonTests {
  private func model(_ attributes: [Attribute], identifier: String? = nil) -> Model {
    var entity = Entity("Note", attributes)
    entity.renamingIdentifier = identifier
    return Model("1", [entity])
  }

  @Test func `what only some files keep makes no difference`() {
    var named = Attribute.text("text")
    named.renamingIdentifier = "text"
    named.isIndexed = true
    var note = Entity(
      "Note", [.number("count"), named],
      indexes: [
        Entity.Index(name: "byText", elements: [Entity.Index.Element(propertyName: "text")])
      ])
    note.className = "ShopNote"
    var indexed = Attribute.text("text")
    indexed.isIndexed = true
    let comparison = ModelComparison(
      Model("1", [note]), model([indexed, .number("count")], identifier: "Note"))
    #expect(comparison.differences == [])
  }

  @Test(arguments: [
    Attribute.number("text"), Attribute.text("text", isOptional: false),
    Attribute.text("text", "default"),
  ])
  func `another property is a difference`(other: Attribute) {
    let comparison = ModelComparison(model([.text("text")]), model([other]))
    #expect(comparison.differences.first == "Note differs")
    #expect(comparison.differences.count == 2)
  }

  @Test func `a query reads a store and leaves its folder as it was`() throws {
    let directory = try TemporaryDirectory()
    let store = try TestStore(model: model([.text("text")]), at: directory.path("notes.sqlite"))
    for text in ["a", "b"] { try store.insert("Note", ["text": .text(text)]) }
    try store.close()
    let before = directory.names
    let query = try StoreQuery(path: store.path)
    #expect(try query.integer("SELECT count(*) FROM ZNOTE WHERE ZTEXT = ?", [.text("b")]) == 1)
    #expect(try query.rows("SELECT ZTEXT FROM ZNOTE ORDER BY 1") == [[.text("a")], [.text("b")]])
    let cursor = try query.cursor("SELECT ZTEXT FROM ZNOTE ORDER BY 1")
    #expect(try cursor.next() == [.text("a")])
    #expect(try cursor.next() == [.text("b")])
    #expect(try cursor.next() == nil)
    #expect(StoreQuery.identifier("a\"b") == "\"a\"\"b\"")
    #expect(directory.names.filter { !$0.hasSuffix("-shm") && !$0.hasSuffix("-wal") } == before)
  }
}
