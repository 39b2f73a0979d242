import Passage
import PassageSQLite
import PassageTesting
import TestSupport
import Testing

/// A link to an object of a family has the number of the object's entity beside its key.
@Suite struct LinkEntityTests {
  private static func model(_ name: String, isAbstract: Bool) -> Model {
    let fans = Relationship.many("fans", "Owner", inverse: "favourite")
    var animal = Entity("Animal", [.text("name")], [fans])
    animal.isAbstract = isAbstract
    return Model(
      name,
      [
        animal, Entity("Cat", parent: "Animal"), Entity("Dog", parent: "Animal"),
        Entity(
          "Owner", [.text("in\(name)")], [.one("favourite", "Animal", inverse: "fans")]),
      ])
  }

  /// A cat and a dog, and an owner for each pair of a key and the number beside it.
  private static func fill(_ links: [(Int, String)]) -> (TestStore) throws -> Void {
    { store in
      let cat = try store.insert("Cat", ["name": .text("cat")])
      let dog = try store.insert("Dog", ["name": .text("dog")])
      for (key, _) in links {
        try store.relate(store.insert("Owner", [:]), "favourite", to: [key == 1 ? cat : dog])
      }
      for (index, link) in links.enumerated() {
        try store.execute(
          "UPDATE ZOWNER SET ZFAVOURITE = \(link.0), Z1_FAVOURITE = \(link.1) "
            + "WHERE Z_PK = \(index + 1)")
      }
    }
  }

  private static let copies = ["Cat", "Dog", "Owner"]
    .map { #"{"type": "copy", "source": "\#($0)", "destination": "\#($0)"}"# }
  private static let swaps = [
    #"{"type": "copy", "source": "Cat", "destination": "Dog"}"#,
    #"{"type": "copy", "source": "Dog", "destination": "Cat"}"#, copies[2],
  ]

  @Test(arguments: [false, true], [false, true])
  func `a link with the number of no entity is left out, and counted`(
    isAbstract: Bool, areSwapped: Bool
  ) throws {
    var trial = try Trial(
      Self.model("1", isAbstract: isAbstract), Self.model("2", isAbstract: isAbstract),
      [mapping((areSwapped ? Self.swaps : Self.copies).joined(separator: ","))],
      fill: Self.fill([(1, "2"), (2, "3"), (1, "NULL"), (2, "99"), (2, "1"), (2, "4")]))
    for inMemory in [false, true] {
      trial.worksInMemory = inMemory
      for (number, options) in Trial.ways.enumerated() {
        let path = "new-\(inMemory)-\(number).sqlite"
        let report = try trial.run(to: path, options: options)
        #expect(report.warnings.all.map(\.code) == ["RUN-024"])
        #expect(
          report.warnings.all.map(\.message) == [
            "4 links of “Owner.favourite” lead to no object of the store"
          ])
        let store = try Connection(path: trial.directory.path(path), mode: .readOnly)
        let found = try store.rows("SELECT ZFAVOURITE, Z1_FAVOURITE FROM ZOWNER ORDER BY Z_PK")
          .map { $0.map(\.integer) }
        #expect(
          found == [areSwapped ? [1, 3] : [1, 2], areSwapped ? [2, 2] : [2, 3]]
            + Array(repeating: [nil, nil], count: 4))
      }
    }
  }

  @Test func `a link to an object that is not migrated is counted once`() throws {
    let trial = try Trial(
      Self.model("1", isAbstract: true), Self.model("2", isAbstract: true),
      [
        mapping(
          [Self.copies[0], #"{"type": "remove", "source": "Dog"}"#, Self.copies[2]]
            .joined(separator: ","))
      ], fill: Self.fill([(1, "2"), (2, "3"), (1, "NULL"), (2, "99")]))
    for options in Trial.ways {
      let report = try trial.run(to: "new-\(UInt64.random(in: 0 ... .max))", options: options)
      #expect(Set(report.warnings.all.map(\.code)) == ["RUN-024", "RUN-082"])
      #expect(
        report.warnings.all.contains {
          $0.message == "1 link of “Owner.favourite” leads to no object of the store"
        })
    }
  }
}
