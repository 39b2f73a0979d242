import Foundation
import Passage
import PassageTesting
import Testing

/// Mapping models made in Swift run, and are checked, as those of files.
@Suite struct MappingInSwiftMigrationTests {
  private static func mapping(_ mappings: [MappingModel.EntityMapping]) -> MappingModel {
    MappingModel(name: "InSwift", source: "1", destination: "2", entityMappings: mappings)
  }

  private static func trial(_ mappings: [MappingModel.EntityMapping]) throws -> Trial {
    try Trial(
      PolicyTests.source, PolicyTests.destination, [mapping(mappings)], fill: PolicyTests.fill)
  }

  @Test func `it carries a store over`() throws {
    let trial = try Self.trial([
      .transform(
        "Person", filter: "city == 'Rome'",
        attributes: ["fullName": .expression("$source.first", default: "'nobody'")]),
      .remove("Person", name: "Others", filter: "city != 'Rome'"),
      .copy("Dog"),
    ])
    let contents = try trial.migrate().contents
    #expect(contents["Person"].map { $0["fullName"].string } == ["Ann", "Cy", "Di"])
    #expect(contents["Dog"].count == 2)
  }

  private static func adding(_ value: Value) throws -> Trial {
    try trial([
      .remove("Person"), .copy("Dog"),
      .add("City", objects: [["name": "Rome", "count": 1], ["name": value], ["count": value]]),
    ])
  }

  @Test func `an added object has the values that it is given`() throws {
    let cities = try Self.adding(.null).migrate().contents["City"]
    #expect(cities.map { $0["name"] } == ["Rome", .null, .null])
    #expect(cities.map { $0["count"] } == [1, .null, .null])
  }

  @Test(
    arguments: [
      (.malformedText([0x61, 0xff, 0x62]), "UTF-8"), (.real(.nan), "NaN"),
    ] as [(Value, String)])
  func `a value that an added object cannot have is refused`(value: Value, reason: String) throws {
    let trial = try Self.adding(value)
    let error = try trial.failure()
    #expect(error.kind == .wrongFile)
    #expect(error.codes == ["MAP-036", "MAP-036"])
    #expect(error.diagnostics.first?.message.contains("City.name") == true)
    #expect(error.diagnostics.first?.reason?.contains(reason) == true)
    #expect(trial.directory.names == ["old.sqlite"])
  }

  @Test func `all that is wrong with it is reported at once, by the names in it`() throws {
    let error = try Self.trial([
      .transform("Persn", to: "Person"),
      .transform("Person", filter: "citty == 1", attributes: ["fullName": "$source.last.x"]),
      .copy("Dog"),
    ]).failure()
    #expect(error.kind == .wrongFile)
    #expect(error.diagnostics.count >= 3)
    #expect(error.diagnostics.contains { $0.message.contains("Persn") })
    #expect(error.diagnostics.contains { $0.message.contains("citty") })
  }
}
