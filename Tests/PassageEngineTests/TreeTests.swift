import Passage
import PassageEngine
import PassageSQLite
import PassageTesting
import TestSupport
import Testing

/// The depth and the path of objects of a tree, in every lane.
@Suite struct TreeTests {
  private static let source = Model(
    "1",
    [
      Entity(
        "Folder", [.text("name")],
        [
          .one("parent", "Folder", inverse: "folders"),
          .many("folders", "Folder", inverse: "parent"),
        ]),
      Entity("Shared", parent: "Folder"),
    ])
  private static let destination = Model(
    "2", [Entity("Folder", [.text("name"), .text("path"), .number("depth")])])

  private static func trial(
    _ parents: [Int64?], _ names: [String?],
    attributes: String =
      #""attributes": {"name": {}, "path": "pathAlong('parent', 'name', '/')", "depth": "depthAlong('parent')"}"#
  ) throws -> Trial {
    let trial = try Trial(
      source, destination,
      [
        mapping(
          """
          {"type": "transform", "source": "Folder", "destination": "Folder", \(attributes)},
          {"type": "transform", "source": "Shared", "destination": "Folder", \(attributes)}
          """)
      ]
    ) { store in
      for (number, name) in names.enumerated() {
        try store.insert(
          number % 4 == 3 ? "Shared" : "Folder", ["name": name.map { .text($0) } ?? .null])
      }
    }
    let connection = try Connection(path: trial.sourcePath, mode: .readWrite)
    for (number, parent) in parents.enumerated() {
      try connection.execute(
        "UPDATE ZFOLDER SET ZPARENT = ? WHERE Z_PK = ?",
        [parent.map { .integer($0) } ?? .null, .integer(Int64(number + 1))])
    }
    return trial
  }

  /// Each separator has a table of its own, whose name SQLite compares without the case of letters, and Swift
  /// without the form of accents.
  @Test(arguments: [("x", "X"), ("\u{E9}", "e\u{301}")])
  func `paths with separators that look alike are not mixed up`(one: String, two: String) throws {
    let trial = try Self.trial(
      [nil, 1], ["a", "b"],
      attributes: """
        "attributes": {"name": "pathAlong('parent', 'name', '\(one)')",
          "path": "pathAlong('parent', 'name', '\(two)')"}
        """)
    let folders = try trial.migrate().contents["Folder"]
    #expect(folders.map { $0["name"] } == ["a", .text("a\(one)b")])
    #expect(folders.map { $0["path"] } == ["a", .text("a\(two)b")])
  }

  @Test func `depth and path are those along the relationship`() throws {
    let trial = try Self.trial(
      [2, nil, 1, 3, nil, 99], ["b", "a", nil, "d", "x'/", "lost"])
    let (contents, report) = try trial.migrate()
    let folders = contents["Folder"]
    #expect(folders.map { $0["depth"] } == [1, 0, 2, 3, 0, 0])
    #expect(folders.map { $0["path"] } == ["a/b", "a", "a/b", "a/b/d", "x'/", "lost"])
    // Both sides of the relationship are read.
    #expect(report.losses.isEmpty)
  }

  @Test func `a deep chain is walked in one go`() throws {
    let count = 3_000
    let trial = try Self.trial(
      (0..<count).map { $0 == 0 ? nil : Int64($0) }, (0..<count).map { _ in "n" })
    var options = MigrationOptions()
    options.lane = .set
    try trial.run(options: options)
    let store = try StoreContents(path: trial.directory.path("new.sqlite"), model: Self.destination)
    #expect(store.object("Folder", 3_000)?["depth"] == 2_999)
    #expect(store.object("Folder", 3_000)?["path"].string?.count == 5_999)
  }

  @Test(arguments: [MigrationOptions.Lane.set, .row, .automatic])
  func `a circle is told with an object of it`(lane: MigrationOptions.Lane) throws {
    let trial = try Self.trial([nil, 4, 2, 3, 4], ["a", "b", "c", "d", "below"])
    var options = MigrationOptions()
    options.lane = lane
    let error = try trial.failure(options: options)
    #expect(error.codes == ["PRE-046"])
    #expect("\(error)".contains("“Folder” 2 is above itself"))
  }
}
