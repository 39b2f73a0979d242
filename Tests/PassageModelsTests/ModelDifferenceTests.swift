import PassageModels
import PassageValues
import Testing

struct ModelDifferenceTests {
  private let old = Model(
    name: "1",
    entities: [
      Entity(
        name: "Event",
        attributes: [
          Attribute(name: "timeStamp", type: .date), Attribute(name: "note", type: .string),
          Attribute(name: "kept", type: .string),
        ],
        relationships: [
          Relationship(name: "place", destinationEntityName: "Place", inverseName: "events")
        ], indexes: [Entity.Index(name: "i", elements: [.init(propertyName: "note")])]),
      Entity(name: "Place"), Entity(name: "Same"),
    ])
  private let new = Model(
    name: "2",
    entities: [
      Entity(
        name: "Event", parentName: "Same",
        attributes: [
          Attribute(name: "timeStamp", type: .string, isOptional: false, defaultValue: "x"),
          Attribute(name: "text", type: .string, renamingIdentifier: "note"),
          Attribute(name: "kept", type: .string),
          Attribute(name: "t", type: .string, isTransient: true),
        ],
        relationships: [
          Relationship(
            name: "place", destinationEntityName: "Site", inverseName: "events", minimumCount: 1,
            maximumCount: 0, isOrdered: true, deleteRule: .deny)
        ], userInfo: ["a": "b"]),
      Entity(name: "Site", renamingIdentifier: "Place"), Entity(name: "Same"),
      Entity(name: "Fresh"),
    ])

  @Test func `traits are compared by their bytes, as version hashes and values are`() throws {
    func model(_ text: String) -> Model {
      var title = Attribute(name: "title", type: .string, defaultValue: .text(text))
      title.versionHashModifier = text
      title.regularExpression = text
      return Model(name: "M", entities: [Entity(name: "E", attributes: [title])])
    }
    let (old, new) = (model("\u{E9}"), model("e\u{301}"))
    #expect(old.versionHashes != new.versionHashes)
    #expect(
      ModelDifference(from: old, to: new).description.split(separator: "\n").count == 3)
    #expect(ModelDifference(from: old, to: old).isEmpty)
  }

  @Test func `every difference is a sentence`() {
    #expect(
      ModelDifference(from: old, to: new).description == """
        Fresh: only in “2”
        Event: parent none → Same
        Event: userInfo none → a=b
        Event: the attribute “t” is added
        Event: the attribute “note” is renamed to “text”
        Event: the attribute “text”: renamingIdentifier none → note
        Event: the attribute “timeStamp”: type date → string
        Event: the attribute “timeStamp”: optional true → false
        Event: the attribute “timeStamp”: default none → "x"
        Event: the relationship “place”: destination Place → Site
        Event: the relationship “place”: minimumCount 0 → 1
        Event: the relationship “place”: maximumCount 1 → 0
        Event: the relationship “place”: ordered false → true
        Event: the relationship “place”: deleteRule nullify → deny
        Event: the index “i” is removed
        Site: renamed from “Place”
        Site: renamingIdentifier none → Place
        """)
  }

  @Test func `a model does not differ from itself`() {
    let difference = ModelDifference(from: old, to: old)
    #expect(difference.isEmpty)
    #expect(difference.description == "“1” and “1” have the same shape")
  }

  @Test func `changes say whether they reach the version hash`() throws {
    let event = try #require(
      ModelDifference(from: old, to: new).changed.first { $0.name == "Event" })
    let silent = event.changes.filter { !$0.changesVersionHash }.map(\.description)
    #expect(
      silent == [
        "userInfo none → a=b", "the attribute “t” is added",
        "the attribute “text”: renamingIdentifier none → note",
        "the attribute “timeStamp”: default none → \"x\"",
        "the relationship “place”: deleteRule nullify → deny", "the index “i” is removed",
      ])
    #expect(event.changesVersionHash)
  }

  @Test func `a renaming identifier joins across two renames`() {
    let second = Model(name: "2", entities: [Entity(name: "B", renamingIdentifier: "A")])
    let third = Model(name: "3", entities: [Entity(name: "C", renamingIdentifier: "A")])
    let difference = ModelDifference(from: second, to: third)
    #expect(difference.onlyInSource.isEmpty)
    #expect(difference.changed.map(\.name) == ["C"])
  }

  @Test func `equal names win over a renaming identifier`() {
    let before = Model(name: "1", entities: [Entity(name: "A"), Entity(name: "B")])
    let after = Model(
      name: "2", entities: [Entity(name: "A"), Entity(name: "C", renamingIdentifier: "A")])
    let difference = ModelDifference(from: before, to: after)
    #expect(difference.onlyInSource == ["B"])
    #expect(difference.onlyInDestination == ["C"])
  }

  @Test func `a store of the model is compatible`() {
    let compatibility = Compatibility(recordedHashes: old.versionHashes, model: old)
    #expect(compatibility.isCompatible)
    #expect(compatibility.description == "the store is of model “1”")
  }

  @Test func `a store of another model is distinguished by entity`() {
    let compatibility = Compatibility(recordedHashes: old.versionHashes, model: new)
    #expect(!compatibility.isCompatible)
    #expect(compatibility.onlyInStore == ["Place"])
    #expect(compatibility.onlyInModel == ["Fresh", "Site"])
    #expect(compatibility.changed == ["Event"])
    #expect(
      compatibility.description == """
        only in the store: Place
        only in “2”: Fresh, Site
        different in “2”: Event
        """)
  }
}
