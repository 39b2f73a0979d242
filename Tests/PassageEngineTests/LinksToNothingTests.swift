import Passage
import PassageEngine
import PassageTesting
import TestSupport
import Testing

/// Links that lead to no object in the source already.
@Suite struct LinksToNothingTests {
  private static func trial(isOptional: Bool) throws -> Trial {
    func model(_ version: String, _ attributes: [Attribute]) -> Model {
      var pet = Relationship.one("owner", "Owner", inverse: "pets")
      pet.isOptional = isOptional
      return Model(
        version,
        [
          Entity("Pet", attributes, [pet]),
          Entity("Owner", [], [.many("pets", "Pet", inverse: "owner")]),
        ])
    }
    let (source, destination) = (model("1", []), model("2", [.text("name")]))
    let copies = ["Pet", "Owner"].map {
      #"{"type": "copy", "source": "\#($0)", "destination": "\#($0)"}"#
    }.joined(separator: ", ")
    return try Trial(
      source, destination, [mapping(copies)]
    ) { store in
      let owner = try store.insert("Owner")
      for _ in 1...3 { try store.insert("Pet", [:], ["owner": [owner]]) }
      try store.execute("UPDATE ZPET SET ZOWNER = 55 WHERE Z_PK = 2")
    }
  }

  @Test func `a required one is told, and kept as it is`() throws {
    let report = try Self.trial(isOptional: false).run()
    let warning = try #require(report.warnings.all.first)
    #expect(report.warnings.all.map(\.code) == ["RUN-024"])
    #expect(warning.message.hasPrefix("1 link of “Pet.owner” leads to no object"))
    #expect(warning.remedy?.contains("kept") == true)
    #expect(try Self.trial(isOptional: true).run().warnings.all.isEmpty)
  }

  @Test(arguments: ["json-lines", "delimited", "tables"])
  func `a file of another type cannot have it`(type: String) throws {
    var options = MigrationOptions()
    options.output.type = type
    let report = try Self.trial(isOptional: true).run(to: "new.file", options: options)
    #expect(report.warnings.all.map(\.code) == ["RUN-024"])
    #expect(report.warnings.all.first?.remedy?.contains("left out") == true)
    let error = try Self.trial(isOptional: false).failure(to: "new.file", options: options)
    #expect(error.codes == ["VAL-002"] && error.kind == .policyFailed)
  }
}
