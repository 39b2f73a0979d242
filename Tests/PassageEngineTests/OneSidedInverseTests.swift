import Passage
import PassageEngine
import PassageStores
import PassageTesting
import Testing

/// A relationship whose inverse names another one as its own inverse, as in a model that was
/// shipped: both lists of an author's books are kept in the books' one column.
@Suite struct OneSidedInverseTests {
  private static func model(_ name: String) -> Model {
    Model(
      name,
      [
        Entity(
          "Author", [.text("name")],
          [
            .many("books", "Book", inverse: "author"), .many("works", "Book", inverse: "author"),
            .one("latest", "Book", inverse: "author"),
          ]),
        Entity("Book", [.text("title")], [.one("author", "Author", inverse: "books")]),
      ])
  }

  @Test func `its links are kept in the column of the to-one end, in every lane`() throws {
    let source = Self.model("1")
    let layout = StoreLayout(model: source)
    #expect(
      layout.table(named: "ZBOOK")?.columns.map(\.name)
        == ["Z_PK", "Z_ENT", "Z_OPT", "ZAUTHOR", "ZTITLE"])
    #expect(
      layout.entity(named: "Author")?.storage(ofRelationship: "works")
        == layout.entity(named: "Author")?.storage(ofRelationship: "books"))

    let trial = try Trial(
      source, Self.model("2"),
      [
        mapping(
          #"""
          {"type": "copy", "source": "Author", "destination": "Author"},
          {"type": "copy", "source": "Book", "destination": "Book"}
          """#)
      ]
    ) { store in
      let authors = try ["Ada", "Bo"].map { try store.insert("Author", ["name": .text($0)]) }
      let books = try (0..<5).map { try store.insert("Book", ["title": .text("t\($0)")]) }
      try store.relate(authors[0], "books", to: [books[0], books[2]])
      try store.relate(authors[1], "books", to: [books[3]])
      try store.relate(authors[0], "latest", to: [books[2]])
    }
    let old = try StoreContents(path: trial.sourcePath, model: source)
    let new = try trial.migrate().contents
    #expect(new == old)
  }
}
