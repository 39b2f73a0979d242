import PassageModels
import PassageSQLite
import PassageStores
import PassageTesting
import Testing

struct LayoutComparisonTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  @Test(arguments: [Fixtures.library, Fixtures.events])
  func `a store created from scratch is equal in every object`(model: Model) throws {
    let path = folder.path("new.sqlite")
    try StoreCreator.create(model: model, at: path)
    let comparison = try LayoutComparison(storeAt: path, model: model)
    #expect(comparison.equalCount == comparison.items.count)
    #expect(comparison.differences.isEmpty)
    #expect(comparison.exceptions.isEmpty)
    #expect(!comparison.isMigratedInPlace)
    #expect(comparison.counts.map(\.all).reduce(0, +) == comparison.items.count)
  }

  /// A change by hand, and what the comparison must say: a name with an exception, or with none.
  struct Change: Sendable, CustomTestStringConvertible {
    var statements: [String]
    var name: String
    var exception: LayoutComparison.Exception?

    var testDescription: String { statements[0] }
  }

  static let changes = [
    Change(statements: ["DROP INDEX Z_Atlas_byScale"], name: "Z_Atlas_byScale"),
    Change(statements: ["CREATE INDEX other ON ZTAG (Z_OPT)"], name: "other"),
    Change(statements: ["CREATE TABLE ZOTHER ( Z_PK INTEGER PRIMARY KEY )"], name: "ZOTHER"),
    Change(statements: ["UPDATE Z_PRIMARYKEY SET Z_SUPER = 1 WHERE Z_ENT = 2"], name: "Shelf"),
    Change(statements: ["DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 3"], name: "Tag"),
    Change(statements: ["DROP TABLE ZPERSON"], name: "ZPERSON"),
    Change(
      statements: ["ALTER TABLE ZPERSON ADD COLUMN ZMORE VARCHAR"], name: "ZPERSON",
      exception: .migratedInPlace),
    Change(
      statements: ["UPDATE Z_PRIMARYKEY SET Z_NAME = 'Human' WHERE Z_ENT = 1"], name: "Person",
      exception: .migratedInPlace),
    Change(
      statements: ["CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY )"], name: "ACHANGE",
      exception: .persistentHistory),
    Change(
      statements: ["CREATE TABLE ANSCKEVENT ( Z_PK INTEGER PRIMARY KEY )"], name: "ANSCKEVENT",
      exception: .cloudKit),
    Change(
      statements: [
        "DROP TABLE ZPERSON",
        "CREATE TABLE ZPERSON ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
          + "Z2LENDERS INTEGER, Z_FOK_2LENDERS INTEGER, ZNAME BLOB )",
      ], name: "ZPERSON"),
  ]

  @Test(arguments: changes)
  func `a change to the schema is found by name and explained only where it can be`(
    change: Change
  ) throws {
    let path = folder.path("changed.sqlite")
    try StoreCreator.create(model: Fixtures.library, at: path)
    do {
      let connection = try Connection(path: path, mode: .readWrite)
      for statement in change.statements { try connection.execute(statement) }
    }
    let comparison = try LayoutComparison(storeAt: path, model: Fixtures.library)
    let item = try #require(
      comparison.items.first { $0.name == change.name && $0.outcome != .equal })
    #expect(item.outcome == change.exception.map { .exception($0) } ?? .different)
    #expect(comparison.summary.contains(change.exception?.rawValue ?? change.name))
  }
}
