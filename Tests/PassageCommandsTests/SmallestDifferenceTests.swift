import Foundation
import Passage
import PassageTesting
import Testing

/// The smallest things that can go wrong with a store are found, and named by entity, key and
/// property.
struct SmallestDifferenceTests {
  private static let model = Model(
    name: "music",
    entities: [
      Entity(
        name: "Album",
        attributes: [
          Attribute(name: "released", type: .date), Attribute(name: "title", type: .string),
        ],
        relationships: [
          Relationship(
            name: "tracks", destinationEntityName: "Track", inverseName: "album", maximumCount: 0,
            isOrdered: true),
          Relationship(
            name: "artists", destinationEntityName: "Artist", inverseName: "albums",
            maximumCount: 0, isOrdered: true),
        ]),
      Entity(
        name: "Artist",
        relationships: [
          Relationship(
            name: "albums", destinationEntityName: "Album", inverseName: "artists",
            maximumCount: 0)
        ]),
      Entity(
        name: "Track",
        relationships: [
          Relationship(name: "album", destinationEntityName: "Album", inverseName: "tracks")
        ]),
      Entity(name: "Bonus", parentName: "Track"),
    ])

  private func makeStore(at path: String, _ change: String?) throws {
    let store = try TestStore(model: Self.model, at: path)
    let artists = try (0..<3).map { _ in try store.insert("Artist") }
    let albums = try (0..<2).map { index in
      try store.insert(
        "Album",
        ["released": .real(700_000_000.123456 + Double(index)), "title": .text("Album \(index)")],
        ["artists": artists])
    }
    for index in 0..<4 {
      try store.insert(index == 3 ? "Bonus" : "Track", [:], ["album": [albums[0]]])
    }
    try store.execute("UPDATE ZTRACK SET Z_FOK_ALBUM = Z_PK * 1024")
    if let change { try store.execute(change) }
    try store.close()
  }

  private func compare(_ change: String, showsValues: Bool = false) throws -> ComparisonReport {
    let folder = try TemporaryDirectory()
    try makeStore(at: folder.path("expected.sqlite"), nil)
    try makeStore(at: folder.path("found.sqlite"), change)
    return try StoreComparison(
      expected: StoreFile.open(path: folder.path("expected.sqlite")),
      found: StoreFile.open(path: folder.path("found.sqlite")), model: Self.model,
      showsValues: showsValues
    ).run()
  }

  /// One bit of a date, which no comparison of rounded values would see.
  @Test
  func `one bit of a date is found with both values`() throws {
    let date = 700_000_000.123456
    let change = "UPDATE ZALBUM SET ZRELEASED = \(date.nextUp) WHERE Z_PK = 1"
    let hidden = try compare(change)
    #expect(hidden.differenceCount == 1)
    #expect(hidden.differences.first?.name == "Album")
    #expect(hidden.differences.first?.key == [1])
    #expect(hidden.differences.first?.properties == ["released"])
    #expect(hidden.differences.first?.values.isEmpty == true)
    let shown = try compare(change, showsValues: true).differences.first?.values.first
    #expect(shown?.expected == "\(date)")
    #expect(shown?.found == "\(date.nextUp)")
  }

  @Test
  func `an order that is another one is found with its relationship`() throws {
    let report = try compare(
      "UPDATE ZTRACK SET Z_FOK_ALBUM = (5 - Z_PK) * 1024 WHERE Z_PK IN (2, 3)")
    #expect(report.differences.map(\.key) == [[2], [3]])
    #expect(report.differences.allSatisfy { $0.properties == ["album (order)"] })
  }

  @Test
  func `the order of a many-to-many relationship is found with its name`() throws {
    let report = try compare(
      "UPDATE Z_1ARTISTS SET Z_FOK_2ARTISTS = coalesce(Z_FOK_2ARTISTS, 0) + 7 WHERE rowid = 2")
    #expect(report.differenceCount == 1)
    #expect(report.differences.first?.name == "Album.artists")
    #expect(report.differences.first?.properties == ["artists (order)"])
  }

  @Test
  func `a pair that leads elsewhere counts as one missing and one unexpected`() throws {
    let report = try compare(
      """
      DELETE FROM Z_1ARTISTS WHERE Z_1ALBUMS = 1 AND Z_2ARTISTS = 3;
      UPDATE Z_1ARTISTS SET Z_1ALBUMS = 9 WHERE Z_1ALBUMS = 2 AND Z_2ARTISTS = 1
      """)
    #expect(report.differences.map(\.kind) == [.missing, .missing, .unexpected])
    #expect(report.differences.map(\.key) == [[1, 3], [2, 1], [9, 1]])
    #expect(report.differences.allSatisfy { $0.name == "Album.artists" })
  }

  @Test
  func `an object of another entity is found although its values are the same`() throws {
    // Bonus is the fourth entity.
    let report = try compare("UPDATE ZTRACK SET Z_ENT = 4 WHERE Z_PK = 2")
    #expect(report.differenceCount == 1)
    #expect(report.differences.first?.name == "Track")
    #expect(report.differences.first?.properties == ["entity"])
    let counts = Dictionary(uniqueKeysWithValues: report.parts.map { ($0.name, $0.foundCount) })
    #expect(counts["Track"] == 2)
    #expect(counts["Bonus"] == 2)
  }

  @Test
  func `an object of no entity is found`() throws {
    let report = try compare("UPDATE ZTRACK SET Z_ENT = 77 WHERE Z_PK = 2")
    #expect(report.differences.map(\.properties) == [["entity"]])
  }

  @Test
  func `missing and additional objects are named by key`() throws {
    let report = try compare(
      "DELETE FROM ZTRACK WHERE Z_PK = 4; INSERT INTO ZTRACK (Z_PK, Z_ENT, Z_OPT) "
        + "SELECT 90, Z_ENT, 1 FROM ZTRACK WHERE Z_PK = 1;"
        + "UPDATE Z_PRIMARYKEY SET Z_MAX = 90 WHERE Z_NAME = 'Track'")
    #expect(report.differences.map(\.kind) == [.missing, .unexpected])
    #expect(report.differences.map(\.name) == ["Bonus", "Track"])
    #expect(report.differences.map(\.key) == [[4], [90]])
  }

  /// A value of a megabyte is cut where it is shown.
  @Test
  func `long values are cut`() throws {
    let report = try compare(
      "UPDATE ZALBUM SET ZTITLE = replace(hex(zeroblob(500000)), '0', 'x') WHERE Z_PK = 1",
      showsValues: true)
    let found = try #require(report.differences.first?.values.first?.found)
    #expect(found.count < 100)
    #expect(found.hasPrefix("“xxxx"))
  }
}
