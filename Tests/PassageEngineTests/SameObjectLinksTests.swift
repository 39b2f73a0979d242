import Passage
import PassageTesting
import TestSupport
import Testing

/// Several objects of one source object, related to each other: by arithmetic where every link is
/// certain, looked up where it is not, and the same either way.
@Suite struct SameObjectLinksTests {
  /// One way to map a row to a card and to a note that belong together.
  struct Way: Sendable, CustomTestStringConvertible {
    var isMany: Bool
    /// Which sides of the relationship are mapped.
    var card: Bool
    var note: Bool
    /// Which of the two is filtered.
    var filtersCards: Bool
    var filtersNotes: Bool
    /// Whether other objects feed the tables first, so that the keys are moved.
    var isShifted: Bool

    var testDescription: String {
      [
        isMany ? "one to many" : "one to one", card ? "card.note" : nil, note ? "note.card" : nil,
        filtersCards ? "cards filtered" : nil, filtersNotes ? "notes filtered" : nil,
        isShifted ? "shifted" : nil,
      ].compactMap(\.self).joined(separator: ", ")
    }

    static let all: [Way] = (0..<64).map { number in
      func bit(_ place: Int) -> Bool { number >> place & 1 == 1 }
      return Way(
        isMany: bit(0), card: bit(1), note: bit(2), filtersCards: bit(3), filtersNotes: bit(4),
        isShifted: bit(5))
    }.filter { $0.card || $0.note }
  }

  static let source = Model(
    "1", [Entity("Row", [.text("name"), .number("kind")]), Entity("Extra", [.text("name")])])

  static func destination(isMany: Bool, family: Bool = false) -> Model {
    Model(
      "2",
      [
        Entity(
          "Card", [.text("name")],
          [isMany ? .many("note", "Note", inverse: "card") : .one("note", "Note", inverse: "card")]),
        Entity("Note", [.text("name")], [.one("card", "Card", inverse: "note")]),
      ] + (family ? [Entity("Letter", parent: "Note", [])] : []))
  }

  static func asks(_ mapping: String) -> String {
    "FUNCTION($manager, \\\"destinationInstancesForEntityMappingNamed:sourceInstances:\\\", "
      + "\\\"\(mapping)\\\", $source)"
  }

  static func fill(_ store: TestStore) throws {
    for number in 1...6 {
      try store.insert("Row", ["name": .text("r\(number)"), "kind": .integer(Int64(number % 3))])
    }
    for number in 1...2 { try store.insert("Extra", ["name": .text("x\(number)")]) }
  }

  private static func part(
    _ name: String, to entity: String, from source: String = "Row", filter: String? = nil,
    link: (String, String)? = nil
  ) -> String {
    """
    {"name": "\(name)", "type": "transform", "source": "\(source)", "destination": "\(entity)",
     \(filter.map { "\"filter\": \"\($0)\"," } ?? "") "attributes": {"name": {}},
     "relationships": {\(link.map { "\"\($0.0)\": \"\(asks($0.1))\"" } ?? "")}}
    """
  }

  @Test(arguments: Way.all)
  func `each is related to the one that was made of the same object`(way: Way) throws {
    let extras =
      way.isShifted
      ? [
        Self.part("X", to: "Card", from: "Extra"), Self.part("Y", to: "Note", from: "Extra"),
      ] : [#"{"type": "remove", "source": "Extra"}"#]
    let mappings = try mapping(
      (extras + [
        Self.part(
          "Cards", to: "Card", filter: way.filtersCards ? "kind != 0" : nil,
          link: way.card ? ("note", "Notes") : nil),
        Self.part(
          "Notes", to: "Note", filter: way.filtersNotes ? "kind != 1" : nil,
          link: way.note ? ("card", "Cards") : nil),
      ]).joined(separator: ",\n"))
    let found = try Trial(
      Self.source, Self.destination(isMany: way.isMany), [mappings], fill: Self.fill
    ).migrate().contents
    let cards = found["Card"]
    let notes = found["Note"]
    let name = { (object: StoreContents.Object?) in object?["name"].string ?? "" }
    let extra = way.isShifted ? 2 : 0
    #expect(cards.count == (way.filtersCards ? 4 : 6) + extra)
    #expect(notes.count == (way.filtersNotes ? 4 : 6) + extra)
    for (here, there, link, back) in [
      (cards, notes, "note", "card"), (notes, cards, "card", "note"),
    ] {
      for object in here {
        let linked = object.keys(link).map { key in name(there.first { $0.key == key }) }
        let isThere = there.contains { name($0) == name(object) } && name(object).hasPrefix("r")
        #expect(linked == (isThere ? [name(object)] : []), "\(name(object)).\(link)")
        for key in object.keys(link) {
          #expect(there.first { $0.key == key }?.keys(back) == [object.key])
        }
      }
    }
  }

  @Test func `two that claim the same one are an error, as they are when they are looked up`()
    throws
  {
    let mappings = try mapping(
      [
        Self.part("Cards", to: "Card", link: ("note", "Notes")),
        Self.part("Others", to: "Card", link: ("note", "Notes")),
        Self.part("Notes", to: "Note"), #"{"type": "remove", "source": "Extra"}"#,
      ].joined(separator: ",\n"))
    let trial = try Trial(
      Self.source, Self.destination(isMany: false), [mappings], fill: Self.fill)
    for options in Trial.ways {
      #expect(try trial.failure(options: options).codes == ["RUN-023"])
    }
  }

  @Test func `the number of the related object's entity comes with the key`() throws {
    let mappings = try mapping(
      [
        Self.part("Cards", to: "Card", link: ("note", "Notes")),
        Self.part("Notes", to: "Letter"), #"{"type": "remove", "source": "Extra"}"#,
      ].joined(separator: ",\n"))
    let found = try Trial(
      Self.source, Self.destination(isMany: false, family: true), [mappings], fill: Self.fill
    ).migrate().contents
    #expect(found["Card"].map { $0.keys("note") } == (1...6).map { [$0] })
    #expect(found["Letter"].map { $0.keys("card") } == (1...6).map { [$0] })
  }
}
