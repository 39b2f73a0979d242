import Foundation
import Passage
import PassageTesting
import Testing

/// Two stores compared with each other, with inheritance and every kind of link.
struct StoreComparisonTests {
  private static let model = Model(
    name: "library",
    entities: [
      Entity(
        name: "Work", isAbstract: true, attributes: [Attribute(name: "title", type: .string)],
        relationships: [
          Relationship(name: "shelf", destinationEntityName: "Shelf", inverseName: "works"),
          Relationship(
            name: "tags", destinationEntityName: "Tag", inverseName: "works", maximumCount: 0),
        ]),
      Entity(
        name: "Atlas", parentName: "Work", attributes: [Attribute(name: "scale", type: .double)]),
      Entity(
        name: "Book", parentName: "Work", attributes: [Attribute(name: "cover", type: .binary)]),
      Entity(
        name: "Shelf",
        relationships: [
          Relationship(
            name: "works", destinationEntityName: "Work", inverseName: "shelf", maximumCount: 0)
        ]),
      Entity(
        name: "Tag",
        relationships: [
          Relationship(
            name: "works", destinationEntityName: "Work", inverseName: "tags", maximumCount: 0)
        ]),
    ])

  private func makeStore(at path: String, _ change: (TestStore) throws -> Void = { _ in }) throws {
    let store = try TestStore(model: Self.model, at: path)
    let shelf = try store.insert("Shelf")
    let tags = try (0..<3).map { _ in try store.insert("Tag") }
    for index in 0..<10 {
      try store.insert(
        index.isMultiple(of: 2) ? "Book" : "Atlas", ["title": .text("Work \(index)")],
        ["shelf": [shelf], "tags": Array(tags.prefix(index % 4))])
    }
    try change(store)
    try store.close()
  }

  private func compare(
    limit: Int = 20, _ change: (TestStore) throws -> Void
  ) throws -> ComparisonReport {
    let folder = try TemporaryDirectory()
    try makeStore(at: folder.path("expected.sqlite"))
    try makeStore(at: folder.path("found.sqlite"), change)
    return try StoreComparison(
      expected: StoreFile.open(path: folder.path("expected.sqlite")),
      found: StoreFile.open(path: folder.path("found.sqlite")), model: Self.model, limit: limit
    ).run()
  }

  @Test
  func `stores with the same objects are equal`() throws {
    let report = try compare { _ in }
    #expect(report.isEqual)
    #expect(report.parts.allSatisfy { $0.expectedDigest == $0.foundDigest })
    let counts = Dictionary(uniqueKeysWithValues: report.parts.map { ($0.name, $0.foundCount) })
    #expect(counts["Book"] == 5)
    #expect(counts["Atlas"] == 5)
    #expect(counts["Work"] == 0)
    #expect(report.parts.last?.isJoinTable == true)
    #expect(report.parts.last?.foundCount == 13)
  }

  @Test(arguments: [
    ("UPDATE ZWORK SET ZTITLE = 'other' WHERE Z_PK = 2", "Atlas", ["title"]),
    ("UPDATE ZWORK SET ZSHELF = NULL WHERE Z_PK = 3", "Book", ["shelf"]),
    ("UPDATE ZWORK SET ZCOVER = x'00' WHERE Z_PK = 1", "Book", ["cover"]),
    ("UPDATE ZWORK SET ZTITLE = ZTITLE || char(0) WHERE Z_PK = 1", "Book", ["title"]),
  ])
  func `one changed value is found with its property`(
    _ sql: String, _ entity: String, _ properties: [String]
  ) throws {
    let report = try compare { try $0.execute(sql) }
    #expect(report.differenceCount == 1)
    #expect(report.differences.first?.name == entity)
    #expect(report.differences.first?.kind == .changed)
    #expect(report.differences.first?.properties == properties)
    let part = report.parts.first { $0.name == entity }
    #expect(part?.expectedDigest != part?.foundDigest)
  }

  @Test
  func `a link that is missing is found`() throws {
    let report = try compare { store in
      try store.execute("DELETE FROM Z_2WORKS WHERE Z_2TAGS = 2")
    }
    #expect(!report.isEqual)
    #expect(report.differences.allSatisfy { $0.kind == .missing && $0.key.count == 2 })
  }

  @Test
  func `missing and unexpected objects are distinguished`() throws {
    let report = try compare { store in
      try store.execute("DELETE FROM ZTAG WHERE Z_PK = 1")
      try store.insert("Tag")
    }
    #expect(report.differences.map(\.kind) == [.missing, .unexpected])
    #expect(report.differences.map(\.key) == [[1], [4]])
  }

  @Test
  func `no more differences are listed than asked for, but all are counted`() throws {
    let report = try compare(limit: 2) { try $0.execute("DELETE FROM ZWORK") }
    #expect(report.differences.count == 2)
    #expect(report.differenceCount == 10)
  }

  @Test
  func `a comparison stops when asked`() throws {
    let folder = try TemporaryDirectory()
    for name in ["a.sqlite", "b.sqlite"] {
      let store = try TestStore(model: SampleStore.eventsModel, at: folder.path(name))
      try store.execute(
        "WITH RECURSIVE k(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM k WHERE n < 9000) "
          + "INSERT INTO ZEVENT (Z_PK, Z_ENT, Z_OPT) SELECT n, 1, 1 FROM k")
      try store.close()
    }
    let error = try #require(throws: MigrationError.self) {
      try StoreComparison(
        expected: StoreFile.open(path: folder.path("a.sqlite")),
        found: StoreFile.open(path: folder.path("b.sqlite")), model: SampleStore.eventsModel,
        isCancelled: { true }
      ).run()
    }
    #expect(error.kind == .cancelled)
  }
}
