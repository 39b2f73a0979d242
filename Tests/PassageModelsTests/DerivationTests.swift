import PassageModels
import Testing

struct DerivationTests {
  static let model = Model(
    name: "m",
    entities: [
      Entity(
        name: "Label",
        attributes: [
          Attribute(name: "code", type: .string),
          Attribute(name: "sketch", type: .string, isTransient: true),
        ],
        relationships: [
          Relationship(name: "owner", destinationEntityName: "Author"),
          Relationship(name: "gone", destinationEntityName: "Nowhere"),
        ]),
      Entity(
        name: "Author", attributes: [Attribute(name: "name", type: .string)],
        relationships: [
          Relationship(name: "label", destinationEntityName: "Label"),
          Relationship(name: "books", destinationEntityName: "Book", maximumCount: 0),
          Relationship(
            name: "drafts", destinationEntityName: "Book", isTransient: true, maximumCount: 0),
        ]),
      Entity(
        name: "Book", attributes: [Attribute(name: "pages", type: .integer32)],
        relationships: [Relationship(name: "author", destinationEntityName: "Author")]),
    ])

  @Test func `an expression without end is not understood, and not repeated`() {
    let longest = String(repeating: "a.", count: DerivationText.maximumBytes / 2 - 1) + "aa"
    #expect(DerivationText(longest) != nil)
    #expect(DerivationText(longest + "a") == nil)
    let error = #expect(throws: DerivationMistake.self) { try derive(longest + ".") }
    #expect((error?.description.count ?? 0) < 400)
  }

  private func derive(
    _ expression: String, in name: String = "Author"
  ) throws -> Derivation {
    let entity = try #require(Self.model.entity(named: name))
    return try Self.model.derivation(
      of: Attribute(name: "d", type: .string, derivation: expression), in: entity)
  }

  @Test(arguments: [
    ("name", Derivation(.value, attribute: "name")),
    ("label.code", Derivation(.value, path: ["label"], attribute: "code")),
    ("label.owner.name", Derivation(.value, path: ["label", "owner"], attribute: "name")),
    ("uppercase:(name)", Derivation(.uppercase, attribute: "name")),
    ("lowercase:( label.code )", Derivation(.lowercase, path: ["label"], attribute: "code")),
    ("canonical:(name)", Derivation(.canonical, attribute: "name")),
    ("now()", Derivation(.now)),
    ("books.@count", Derivation(.count, collection: "books")),
    ("count:(books)", Derivation(.count, collection: "books")),
    (
      "label.owner.books.@count",
      Derivation(.count, path: ["label", "owner"], collection: "books")
    ),
    ("books.pages.@sum", Derivation(.sum, collection: "books", attribute: "pages")),
    ("books.@sum.pages", Derivation(.sum, collection: "books", attribute: "pages")),
    ("sum:(books.pages)", Derivation(.sum, collection: "books", attribute: "pages")),
    ("books.@min.pages", Derivation(.minimum, collection: "books", attribute: "pages")),
    ("max:(books.pages)", Derivation(.maximum, collection: "books", attribute: "pages")),
    ("books.@avg.pages", Derivation(.average, collection: "books", attribute: "pages")),
  ])
  func `an expression of a documented form is resolved`(
    expression: String, derivation: Derivation
  ) throws {
    #expect(try derive(expression) == derivation)
  }

  @Test(arguments: [
    "", "a b", "name + 1", "add:to:(name, name)", "reverse:(name)", "now(name)", "count:()",
    "missing", "label", "label.missing", "name.length", "books", "books.pages",
    "uppercase:(books.pages)", "sum:(name)", "count:(name)", "sum:(books)", "books.author.@count",
    "books.author.name.@max", "drafts.@count", "label.sketch", "label.gone.name", "label.@count",
  ])
  func `any other expression says why it cannot be computed`(expression: String) throws {
    let mistake = #expect(throws: DerivationMistake.self) { try derive(expression) }
    #expect(mistake?.description.isEmpty == false)
  }
}
