import PassageModels
import PassageValues

/// A model with every part that an archive keeps, as a reader gives it: properties sorted by name,
/// derivations in their stored form.
enum RichModel {
  static let model = Model(
    name: "Rich", versionIdentifiers: ["2", "v2"],
    entities: [item, book, edition, shelf, Entity(name: "Émile")],
    configurations: [
      Model.Configuration(name: "Cloud", entityNames: ["Book", "Edition"]),
      Model.Configuration(name: "Local", entityNames: ["Shelf"]),
    ],
    fetchRequestTemplates: [
      Model.FetchRequest(
        name: "Thick", entityName: "Book", predicate: "pages > 500 AND title BEGINSWITH[cd] \"A\"",
        settings: ["NSFetchLimit": "5", "NSHasIncludesSubentities": "YES"])
    ])

  private static let item = Entity(
    name: "Item", isAbstract: true,
    attributes: [
      Attribute(name: "id", type: .uuid, isOptional: false, isIndexed: true),
      Attribute(name: "note", type: .string, isTransient: true, userInfo: ["why": "shown only"]),
    ],
    relationships: [
      Relationship(
        name: "shelf", destinationEntityName: "Shelf", inverseName: "items", minimumCount: 0,
        deleteRule: .deny)
    ], uniquenessConstraints: [["id"]], className: "LibraryItem", userInfo: ["color": "red"])

  private static let book = Entity(
    name: "Book", parentName: "Item", attributes: attributes.sorted { $0.name < $1.name },
    relationships: [
      Relationship(
        name: "sequels", destinationEntityName: "Book", inverseName: "sequels", maximumCount: 0),
      Relationship(
        name: "translations", destinationEntityName: "Edition", inverseName: "original",
        isOptional: false, minimumCount: 1, maximumCount: 4, isOrdered: true, deleteRule: .cascade,
        renamingIdentifier: "versions", versionHashModifier: "r2", userInfo: ["a": "b"]),
    ],
    fetchedProperties: [
      Entity.FetchedProperty(
        name: "similar",
        fetchRequest: Model.FetchRequest(
          name: "", entityName: "Book", predicate: "title == $FETCH_SOURCE.title"),
        userInfo: ["k": "v"])
    ],
    indexes: [
      Entity.Index(
        name: "byTitle",
        elements: [
          Entity.Index.Element(propertyName: "title"),
          Entity.Index.Element(propertyName: "pages", isAscending: false),
        ]),
      Entity.Index(
        name: "byPlace",
        elements: [
          Entity.Index.Element(propertyName: "latitude", kind: .rtree),
          Entity.Index.Element(propertyName: "price", kind: .rtree),
        ]),
      Entity.Index(
        name: "shelved", elements: [Entity.Index.Element(propertyName: "shelf")],
        partialPredicate: "isSold == 0"),
    ], renamingIdentifier: "Volume", versionHashModifier: "b2")

  private static let attributes = [
    Attribute(
      name: "title", type: .string, defaultValue: .text("Ohne Titel – 無題"), minimum: "1",
      maximum: "200", regularExpression: "[A-Z].*", isIndexed: true),
    Attribute(name: "subtitle", type: .string, derivation: "lowercase:(title)"),
    Attribute(name: "stamp", type: .date, derivation: "now()"),
    Attribute(name: "editionCount", type: .integer64, derivation: "count:(translations)"),
    Attribute(
      name: "price", type: .decimal, defaultValue: .real(-12.25), minimum: "0.5", maximum: "1000"),
    Attribute(name: "units", type: .decimal, defaultValue: .integer(90_000_000_000)),
    Attribute(name: "latitude", type: .float, defaultValue: .real(0.5)),
    Attribute(name: "weight", type: .double, defaultValue: .real(1e-300), minimum: "0"),
    Attribute(
      name: "pages", type: .integer32, isOptional: false, defaultValue: .integer(-7), minimum: "-9",
      renamingIdentifier: "length", versionHashModifier: "p2"),
    Attribute(name: "copies", type: .integer16, defaultValue: .integer(.init(Int16.max))),
    Attribute(name: "isbn", type: .integer64, defaultValue: .integer(.min)),
    Attribute(name: "isSold", type: .boolean, isOptional: false, defaultValue: .integer(1)),
    Attribute(
      name: "printed", type: .date, defaultValue: .real(-978_307_200.5), minimum: "0",
      maximum: "1000000.5"),
    Attribute(name: "key", type: .uuid, defaultValue: .blob([UInt8](0..<16))),
    Attribute(name: "page", type: .uri, defaultValue: .text("https://example.org/ä?a=b")),
    Attribute(
      name: "cover", type: .binary, defaultValue: .blob([0, 255, 7]),
      allowsExternalBinaryDataStorage: true),
    Attribute(
      name: "tags", type: .transformable, preservesValueOnDeletion: true,
      valueTransformerName: "NSSecureUnarchiveFromData", valueClassName: "NSSet"),
    Attribute(name: "anything", type: .undefined, isTransient: true),
    Attribute(name: "link", type: .objectID, isTransient: true),
  ]

  private static let edition = Entity(
    name: "Edition", parentName: "Book",
    attributes: [Attribute(name: "language", type: .string)],
    relationships: [
      Relationship(
        name: "original", destinationEntityName: "Book", inverseName: "translations"),
      Relationship(name: "source", destinationEntityName: "Émile", isTransient: true),
    ])

  private static let shelf = Entity(
    name: "Shelf",
    attributes: [
      Attribute(name: "label", type: .string), Attribute(name: "row", type: .integer16),
    ],
    relationships: [
      Relationship(
        name: "items", destinationEntityName: "Item", inverseName: "shelf", maximumCount: 0)
    ], uniquenessConstraints: [["label", "row"], ["row"]])
}
