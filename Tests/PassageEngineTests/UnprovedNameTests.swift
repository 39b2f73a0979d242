import Passage
import PassageEngine
import PassageTesting
import Testing

/// The name of a join table that no store has confirmed is told by the plan and by the report, once.
@Suite struct UnprovedNameTests {
  private static func model(_ name: String, told: String? = nil) -> Model {
    Model(
      name,
      [
        Entity(
          "Person", [.text("name")],
          [
            .many(
              "followers", "Person", inverse: "following",
              userInfo: told.map { ["joinTable": $0] } ?? [:]),
            .many("following", "Person", inverse: "followers"),
          ])
      ])
  }

  @Test(arguments: [nil, "followers"])
  func `the plan and the report tell it unless the model does`(told: String?) throws {
    let copy = #"{"type": "copy", "source": "Person", "destination": "Person"}"#
    let trial = try Trial(Self.model("1"), Self.model("2", told: told), [mapping(copy)]) { store in
      let people = try ["a", "b"].map { try store.insert("Person", ["name": .text($0)]) }
      try store.relate(people[0], "following", to: [people[1]])
    }
    let expected = told == nil ? ["STO-206"] : []
    func codes(_ warnings: Diagnostics) -> [String] {
      warnings.all.map(\.code).filter { $0.hasPrefix("STO-2") }
    }
    let path = trial.directory.path("new.sqlite")
    #expect(codes(try trial.migration(to: .file(path)).plan().warnings) == expected)
    #expect(codes(try trial.run().warnings) == expected)
  }
}
