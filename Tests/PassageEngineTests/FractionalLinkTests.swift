import Passage
import PassageEngine
import PassageSQLite
import PassageStores
import PassageTesting
import Testing

/// Links of a damaged store that are numbers and no keys: they lead to no object and come from none, in every
/// lane alike.
@Suite struct FractionalLinkTests {
  private static func model(_ name: String) -> Model {
    Model(
      name,
      [
        Entity("Person", [.text("name"), .number("n")], [.many("pets", "Pet", inverse: "owner")]),
        Entity("Pet", [.text("name")], [.one("owner", "Person", inverse: "pets")]),
      ])
  }

  /// The fourth of five persons has a pet, and another pet says that its owner is 4.5.
  private static func trial(_ members: String) throws -> Trial {
    let trial = try Trial(
      model("1"), model("2"),
      [
        mapping(
          #"""
          {"type": "transform", "source": "Person", "destination": "Person", \#(members)},
          {"type": "remove", "source": "Pet"}
          """#)
      ], journalMode: .delete
    ) { store in
      let persons = try (1...5).map { try store.insert("Person", ["name": .text("p\($0)")]) }
      for number in [3, 3] { try store.insert("Pet", [:], ["owner": [persons[number]]]) }
    }
    try Connection(path: trial.sourcePath, mode: .readWrite).execute(
      "UPDATE ZPET SET ZOWNER = 4.5 WHERE Z_PK = 2")
    return trial
  }

  @Test func `a filter does not count it`() throws {
    let found = try Self.trial(
      #""filter": "pets.@count == 1", "attributes": {"name": {}}"#
    ).migrate(keepsLinksToNothing: true).contents
    #expect(found["Person"].map(\.key) == [4])
  }

  @Test func `a value does not count it`() throws {
    let found = try Self.trial(
      #""attributes": {"name": {}, "n": "$source.pets.@count"}"#
    ).migrate(keepsLinksToNothing: true).contents
    #expect(found["Person"].map { $0["n"] } == [0, 0, 0, 1, 0])
  }

  /// The smallest number of all is not left out where the pairs are copied range by range.
  @Test(arguments: [0, 1], [[1], [1, 2], [1, 2, 3, 4]])
  func `a pair with an infinite key is copied`(column: Int, pairs: [Int]) throws {
    func model(_ name: String) -> Model {
      Model(
        name,
        [
          Entity("Person", [.text("name")], [.many("tags", "Tag", inverse: "people")]),
          Entity("Tag", [.text("title")], [.many("people", "Person", inverse: "tags")]),
        ])
    }
    let trial = try Trial(
      model("1"), model("2"),
      [
        mapping(
          """
          {"type": "copy", "source": "Person", "destination": "Person"},
          {"type": "copy", "source": "Tag", "destination": "Tag"}
          """)
      ], journalMode: .delete
    ) { store in
      let tags = try (1...2).map { try store.insert("Tag", ["title": .text("t\($0)")]) }
      for number in 1...2 {
        try store.insert("Person", ["name": .text("p\(number)")], ["tags": tags])
      }
    }
    let table = try #require(StoreLayout(model: model("1")).joinTables.first)
    let connection = try Connection(path: trial.sourcePath, mode: .readWrite)
    let columns = [table.owner.column, table.other.column]
    // Of the pairs that would be equal then, one is left.
    for rowid in pairs {
      try connection.execute(
        "UPDATE OR REPLACE \(table.name) SET \(columns[column]) = -9e999 WHERE rowid = \(rowid)")
    }
    let count = try connection.integer("SELECT count(*) FROM \(table.name)")
    #expect(count > 0)
    for lane in [MigrationOptions.Lane.row, .set, .page] {
      for rows in [1, 50_000] {
        var options = MigrationOptions()
        options.lane = lane
        options.limits.batch = BatchLimits(rows: rows)
        let name = "\(lane)-\(rows).sqlite"
        try trial.run(to: name, options: options)
        #expect(
          try Connection(path: trial.directory.path(name), mode: .readOnly).rows(
            "SELECT * FROM \(table.name) ORDER BY 1, 2")
            == connection.rows("SELECT * FROM \(table.name) ORDER BY 1, 2"))
      }
    }
  }
}
