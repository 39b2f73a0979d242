import PassageModels
import PassageStores

/// Models made by hand, small enough to know every table of their stores.
enum Fixtures {
  /// One entity, as in the shortest example of the design.
  static let events = Model(
    name: "1", versionIdentifiers: ["1"],
    entities: [
      Entity(name: "Event", attributes: [Attribute(name: "timeStamp", type: .date)])
    ])

  /// Entities with a parent, every kind of relationship, and names that clash.
  static let library = Model(
    name: "library",
    entities: [
      Entity(
        name: "Work", isAbstract: true,
        attributes: [
          Attribute(name: "title", type: .string, isIndexed: true),
          Attribute(name: "year", type: .integer16),
          Attribute(name: "weight", type: .double),
          Attribute(name: "draft", type: .string, isTransient: true),
        ],
        relationships: [
          Relationship(
            name: "shelf", destinationEntityName: "Shelf", inverseName: "works"),
          Relationship(
            name: "tags", destinationEntityName: "Tag", inverseName: "works", maximumCount: 0),
        ],
        uniquenessConstraints: [["title", "year"]]),
      Entity(
        name: "book", parentName: "Work",
        attributes: [
          Attribute(name: "note", type: .string), Attribute(name: "pages", type: .integer32),
        ]),
      Entity(
        name: "Atlas", parentName: "Work",
        attributes: [
          Attribute(name: "note", type: .string), Attribute(name: "scale", type: .decimal),
          Attribute(name: "cover", type: .binary), Attribute(name: "id", type: .uuid),
          Attribute(name: "link", type: .uri), Attribute(name: "box", type: .transformable),
        ],
        indexes: [
          Entity.Index(
            name: "byScale",
            elements: [
              Entity.Index.Element(propertyName: "scale", isAscending: false),
              Entity.Index.Element(propertyName: "shelf"),
            ])
        ]),
      Entity(
        name: "Shelf",
        attributes: [Attribute(name: "name", type: .string)],
        relationships: [
          Relationship(
            name: "works", destinationEntityName: "Work", inverseName: "shelf", maximumCount: 0,
            isOrdered: true),
          Relationship(
            name: "lenders", destinationEntityName: "Person", maximumCount: 0, isOrdered: true),
          Relationship(name: "best", destinationEntityName: "Work"),
        ]),
      Entity(
        name: "Tag",
        relationships: [
          Relationship(
            name: "works", destinationEntityName: "Work", inverseName: "tags", maximumCount: 0,
            isOrdered: true),
          Relationship(
            name: "likes", destinationEntityName: "Tag", inverseName: "likedBy", maximumCount: 0),
          Relationship(
            name: "likedBy", destinationEntityName: "Tag", inverseName: "likes", maximumCount: 0,
            userInfo: ["joinTable": "likes"]),
          Relationship(
            name: "similar", destinationEntityName: "Tag", inverseName: "similar", maximumCount: 0),
        ]),
      Entity(name: "Person", attributes: [Attribute(name: "name", type: .string)]),
    ])
}
