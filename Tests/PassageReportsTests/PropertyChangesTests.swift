import PassageMappings
import PassageModels
import Testing

@testable import PassageReports

/// What a page says of properties, before and after.
struct PropertyChangesTests {
  private static func model(_ name: String, _ attributes: [Attribute]) -> Model {
    Model(
      name: name,
      entities: [
        Entity(name: "Base", isAbstract: true, attributes: [Attribute(name: "id", type: .uuid)]),
        Entity(name: "Person", parentName: "Base", attributes: attributes),
      ])
  }

  private static let old = model(
    "1",
    [
      Attribute(name: "name", type: .string), Attribute(name: "age", type: .integer16),
      Attribute(name: "gone", type: .date), Attribute(name: "kept", type: .boolean),
    ])
  private static let new = model(
    "2",
    [
      Attribute(name: "title", type: .string, isOptional: false),
      Attribute(name: "age", type: .integer64), Attribute(name: "fresh", type: .double),
      Attribute(name: "kept", type: .boolean),
    ])

  /// Each row as `before > after: words code`.
  private static func rows(_ mapping: EntityMapping, lost: Set<String> = []) throws -> [String] {
    let entity = try #require(
      PropertyChanges(mapping: mapping, from: old, to: new, lost: lost)
    ).entity
    return entity.rows.map { row in
      let words = [row.words, row.code].compactMap(\.self).joined(separator: " ")
      return "\(row.before?.name ?? "none") > \(row.after?.name ?? "none"): \(words)"
    } + ["\(entity.unchangedCount) unchanged"]
  }

  @Test func `a copy takes over what both entities have`() throws {
    #expect(
      try Self.rows(
        .copy("Person", attributes: ["title": .expression("$source.name", default: "'?'")]),
        lost: ["Person.gone"]) == [
          "age > age: taken over", "none > fresh: default value",
          "name > title: is name, or '?'", "gone > none: not read: its values are lost",
          "2 unchanged",
        ])
  }

  @Test func `a transformation takes over what it lists`() throws {
    #expect(
      try Self.rows(
        .transform(
          "Person",
          attributes: [
            "title": "$source.name", "fresh": "$source.age * 2 + $source.nowhere",
            "kept": .sameName,
            "age": .combined(by: .sum),
          ])) == [
          "age > age: combined (sum): age",
          "age > fresh: is $source.age * 2 + $source.nowhere", "none > id: default value",
          "name > title: taken over", "gone > none: not taken over here",
          "id > none: not taken over here", "1 unchanged",
        ])
  }

  @Test func `a policy decides about what is not listed`() throws {
    let rows = try Self.rows(.custom("Person", policy: "Namer", attributes: ["kept": .sameName]))
    #expect(rows.contains("none > title: the policy decides: Namer"))
    #expect(rows.contains("gone > none: the policy decides"))
    #expect(rows.last == "1 unchanged")
  }

  @Test func `a mapping without two entities changes no property`() {
    for mapping: EntityMapping in [
      .remove("Person"), .add("Person"), .copy("Nobody", to: "Person"),
    ] {
      let changes = PropertyChanges(mapping: mapping, from: Self.old, to: Self.new, lost: [])
      #expect(changes?.entity.rows == nil)
    }
  }
}
