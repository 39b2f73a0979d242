import Foundation
import Passage
import PassageEngine
import PassageTesting
import TestSupport
import Testing

/// One entity that is read by so many entity mappings that a term for each two ends of a link, as they may be at
/// their keys or found by associations, is more than SQLite has for a compound (`SQLITE_LIMIT_COMPOUND_SELECT`).
/// What is expected is what one entity mapping makes of the same objects.
@Suite struct ManyMappingsTests {
  private static let count = 140

  private static func model(_ name: String) -> Model {
    Model(
      name,
      [
        Entity(
          "Node", [.text("name"), .number("kind"), .text("in\(name)")],
          [
            .one("next", "Node", inverse: "previous"),
            .many("previous", "Node", inverse: "next"), .many("forth", "Node", inverse: "back"),
            .many("back", "Node", inverse: "forth"), .one("pair", "Node", inverse: "paired"),
            .one("paired", "Node", inverse: "pair"),
          ])
      ])
  }

  /// Each node leads to others, a few to themselves and to those of kind 7.
  private static func fill(_ store: TestStore) throws {
    let nodes = try (0..<Self.count).map { number in
      try store.insert(
        "Node", ["name": .text("n\(number)"), "kind": .integer(Int64(number))])
    }
    for (number, node) in nodes.enumerated() {
      try store.relate(node, "next", to: [nodes[number * 7 % Self.count]])
      try store.relate(
        node, "forth", to: [nodes[number * 5 % Self.count], nodes[number < 20 ? 7 : 8]])
      let pair = nodes[(number + Self.count / 2) % Self.count]
      try store.relate(node, "pair", to: [pair])
      try store.relate(pair, "paired", to: [node])
    }
  }

  /// The names to which each relationship leads, by the name of the object, and how many links of each were lost.
  private static func found(
    _ trial: Trial, _ lane: MigrationOptions.Lane
  ) throws -> (links: [String: [String: Set<String>]], lost: [String: Int64]) {
    var options = MigrationOptions()
    options.lane = lane
    let report = try trial.run(to: "new.sqlite", options: options)
    let path = trial.directory.path("new.sqlite")
    #expect(try StoreAudit(path: path, model: trial.destination).findings == [])
    let nodes = try StoreContents(path: path, model: trial.destination)["Node"]
    let names = Dictionary(
      nodes.map { ($0.key, $0["name"].string ?? "") }, uniquingKeysWith: { first, _ in first })
    let links = nodes.map { node in
      (
        names[node.key] ?? "",
        node.related.mapValues { related in Set(related.map { names[$0.key] ?? "" }) }
      )
    }
    var lost: [String: Int64] = [:]
    for account in report.steps.flatMap(\.mappings) {
      lost.merge(account.emptied, uniquingKeysWith: +)
    }
    return (Dictionary(links, uniquingKeysWith: { first, _ in first }), lost)
  }

  /// The members of the entity mappings: both sides of what is related, one side, and one that selects.
  static let members = [
    "", #", "relationships": {"next": null, "forth": null, "pair": null}"#,
    #", "relationships": {"back": null, "forth": "FUNCTION($manager, "#
      + "'destinationInstancesForSourceRelationshipNamed:sourceInstances:', 'forth', "
      + #"SUBQUERY($source.forth, $n, $n.kind != 8))"}"#,
  ]

  /// One of them is drawn, or each is taken where the variable `PASSAGE_EVERY_WAY` is set.
  static let drawn =
    ProcessInfo.processInfo.environment["PASSAGE_EVERY_WAY"] != nil
    ? members
    : drawnOne()

  private static func drawnOne() -> [String] {
    var numbers = SeededRandom(seed: RandomSeed.told(for: "ManyMappingsTests"))
    return [numbers.pick(members)]
  }

  @Test(arguments: drawn)
  func `many mappings of one entity make what one mapping makes`(members: String) throws {
    let merge = #", "mergeBy": "$source.name""#
    func node(_ name: String, _ filter: String) -> String {
      #"{"type": "copy", "name": "\#(name)", "source": "Node", "destination": "Node", "#
        + #""filter": "\#(filter)"\#(merge)\#(members)}"#
    }
    let many = (0..<Self.count).filter { $0 != 7 }.map { node("Node\($0)", "kind == \($0)") }
    let found = try [many, [node("Node", "kind != 7")]].map { mappings in
      try Self.found(
        Trial(
          Self.model("1"), Self.model("2"), [mapping(mappings.joined(separator: ", "))],
          fill: Self.fill), .set)
    }
    #expect(found[0].links.count == Self.count - 1)
    #expect(found[0].links == found[1].links)
    #expect(found[0].lost == found[1].lost)
    #expect(found[0].lost.isEmpty == false)
  }
}
