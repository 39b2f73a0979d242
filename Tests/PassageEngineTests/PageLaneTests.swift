import Passage
import PassageEngine
import PassageSQLite
import PassageStores
import PassageTesting
import PassageValues
import Synchronization
import Testing

/// The page lane gives the stores of the other lanes, and leaves to them what it cannot do.
@Suite struct PageLaneTests {
  private static let pages: MigrationOptions = {
    var options = MigrationOptions()
    options.lane = .page
    return options
  }()

  private static func lanes(_ report: MigrationReport) -> [String] {
    report.steps.flatMap(\.mappings).map { "\($0.name): \($0.lane.rawValue)" }
  }

  @Test func `it is taken unless another one is asked for`() throws {
    let trial = try Safety.trial()
    var sets = MigrationOptions()
    sets.lane = .set
    #expect(
      Self.lanes(try trial.run(to: "set.sqlite", options: sets))
        == ["CarToCar: set", "PersonToPerson: set"])
    let report = try trial.run(to: "page.sqlite")
    #expect(Self.lanes(report) == ["CarToCar: page", "PersonToPerson: page"])
    let rows = try ["set.sqlite", "page.sqlite"].map {
      try StoreRows(path: trial.directory.path($0))
    }
    #expect(rows[1].differences(from: rows[0]) == [])
  }

  @Test func `the plan names the lane, and why it is another one`() throws {
    let trial = try SchoolTests.trial()
    let plan = try trial.migration(
      to: .file(trial.directory.path("new.sqlite")), options: Self.pages
    )
    .plan()
    let mappings = plan.steps.flatMap(\.passes).flatMap(\.mappings)
    #expect(mappings.contains { $0.lane == .page && $0.reason == nil })
    for mapping in mappings where mapping.lane != .page { #expect(mapping.reason != nil) }
  }

  @Test func `the plan says why the source's pages are left to SQLite`() throws {
    let trial = try Safety.trial()
    var bytes = try #require(trial.directory.contents("old.sqlite"))
    let target = MigrationDestination.file(trial.directory.path("new.sqlite"))
    #expect(try Self.reasons(trial, target) == [nil, nil])
    // As if a library before 3.7.0 had written last: the header's size does not count, and the
    // file's leaves open where the last page ends.
    bytes[95] ^= 1
    bytes += Array(repeating: 0, count: 100)
    try trial.directory.write(bytes, to: "old.sqlite")
    for reason in try Self.reasons(trial, target) {
      #expect(
        reason == "the source's pages are left to SQLite: the file does not end with a whole page")
    }
  }

  private static func reasons(
    _ trial: Trial, _ target: MigrationDestination
  ) throws -> [String?] {
    try trial.migration(to: target).plan().steps.flatMap(\.passes).flatMap(\.mappings)
      .map(\.reason)
  }

  /// A text in a column of numbers would be converted by SQLite if it looked like a number.
  @Test func `a source that needs SQLite's conversions runs through SQL, and the report says so`()
    throws
  {
    let source = Model("1", [Entity("Car", [.text("plate"), .number("age")])])
    let destination = Model("2", [Entity("Car", [.number("age"), .text("plate")])])
    let copy = try mapping(#"{"type": "copy", "source": "Car", "destination": "Car"}"#)
    let trial = try Trial(source, destination, [copy]) { store in
      for number in 1...2_000 {
        try store.insert("Car", ["plate": .text("c\(number)"), "age": .integer(7)])
      }
    }
    do {
      let connection = try Connection(path: trial.sourcePath, mode: .readWrite)
      try connection.execute("UPDATE ZCAR SET ZAGE = 'then' WHERE Z_PK = 1500")
    }
    let whole = try trial.run(to: "set.sqlite")
    let report = try trial.run(to: "page.sqlite", options: Self.pages)
    #expect(Self.lanes(report) == Self.lanes(whole))
    #expect(report.warnings.all.map(\.code).contains("RUN-048"))
    let rows = try ["set.sqlite", "page.sqlite"].map {
      try StoreRows(path: trial.directory.path($0))
    }
    #expect(rows[1].differences(from: rows[0]) == [])
  }

  @Test func `a value that becomes nil beside a long one counts once`() throws {
    let entities = [Entity("Car", [.number("age"), .number("half"), .text("plate")])]
    let halves = try mapping(
      #"""
      {"type": "transform", "source": "Car", "destination": "Car",
       "attributes": {"age": {}, "half": "$source.age / $source.half", "plate": {}}}
      """#)
    let trial = try Trial(
      Model("1", entities), Model("2", entities + [Entity("Dog", [.text("name")])]), [halves]
    ) { store in
      for number in 1...9 {
        try store.insert(
          "Car",
          [
            "age": .integer(7), "half": .integer(Int64(number % 2)),
            "plate": .text(String(repeating: "p", count: number * 1_500)),
          ])
      }
    }
    let report = try trial.migrate().report
    #expect(report.steps.flatMap(\.mappings).map(\.becameNil) == [["half": 4]])
  }

  /// SQLite counts such a row; the type of a value is seen only by who reads it.
  @Test func `damage that only the pages show is told with the table and the page`() throws {
    let source = Model("1", [Entity("Car", [.text("plate")])])
    let copy = try mapping(#"{"type": "copy", "source": "Car", "destination": "Car"}"#)
    let trial = try Trial(
      source, Model("2", [Entity("Car", [.number("age"), .text("plate")])]), [copy]
    ) { store in
      for number in 1...500 { try store.insert("Car", ["plate": .text("plate \(number)")]) }
    }
    var bytes = try #require(trial.directory.contents("old.sqlite"))
    // The type of the last column stands right before its text: 13 and twice the length.
    let text = Array("plate 321".utf8)
    let place = try #require(
      bytes.indices.dropLast(text.count).first { Array(bytes[$0..<$0 + text.count]) == text })
    #expect(bytes[place - 1] == UInt8(13 + 2 * text.count))
    bytes[place - 1] = 11
    try trial.directory.write(bytes, to: "old.sqlite")
    let error = try trial.failure(options: Self.pages)
    #expect(error.kind == .sourceDamaged)
    #expect(error.codes == ["STO-110"])
    let page = place / 4_096 + 1
    #expect("\(error)".contains("ZCAR: page \(page) has a record with an unknown type"), "\(error)")
    #expect(trial.directory.names == ["old.sqlite"])
  }

  /// A bit that a disk turns between writing and reading again may be one without which a page
  /// cannot be read at all.
  @Test func `pages that are not as they were written are made again through SQL`() throws {
    let source = Model("1", [Entity("Car", [.text("plate")])])
    let copy = try mapping(#"{"type": "copy", "source": "Car", "destination": "Car"}"#)
    let trial = try Trial(
      source, Model("2", [Entity("Car", [.number("age"), .text("plate")])]), [copy]
    ) { store in
      for number in 1...2_000 { try store.insert("Car", ["plate": .text("plate \(number)")]) }
    }
    let isDamaged = Mutex(false)
    let control = RunControl(report: { [directory = trial.directory] progress in
      guard progress.phase == .verify else { return }
      isDamaged.withLock { isDamaged in
        let path = "new.sqlite.passage/step-1/pass-1.sqlite"
        guard !isDamaged, var bytes = directory.contents(path) else { return }
        isDamaged = true
        let leaves = stride(from: 4_096, to: bytes.count, by: 4_096).filter { bytes[$0] == 13 }
        guard let leaf = leaves.last else { return }
        // Where the first cell begins.
        bytes[leaf + 8] = 0xFF
        _ = try? directory.write(bytes, to: path)
      }
    })
    let report = try trial.migration(
      to: .file(trial.directory.path("new.sqlite")), options: Self.pages
    ).run(control: control)
    #expect(isDamaged.withLock { $0 })
    #expect(report.warnings.all.map(\.code).contains("RUN-048"))
    try trial.expectSameAsInSets()
  }

  /// The source is copied while another program commits to its log.
  @Test func `a source that another program changes meanwhile is not mixed`() throws {
    let source = Model("1", [Entity("Car", [.text("plate")])])
    let copy = try mapping(#"{"type": "copy", "source": "Car", "destination": "Car"}"#)
    let trial = try Trial(
      source, Model("2", [Entity("Car", [.number("age"), .text("plate")])]), [copy]
    ) { store in
      for number in 1...3_000 { try store.insert("Car", ["plate": .text("plate \(number)")]) }
    }
    let isWritten = Mutex(false)
    var options = Self.pages
    options.limits.batch = BatchLimits(rows: 100)
    let control = RunControl(report: { [path = trial.sourcePath] progress in
      guard progress.phase == .create, !progress.mappingName.isEmpty else { return }
      isWritten.withLock { isWritten in
        guard !isWritten else { return }
        isWritten = true
        let writer = try? Connection(path: path, mode: .readWrite)
        try? writer?.execute("UPDATE ZCAR SET ZPLATE = 'changed' WHERE Z_PK > 2990")
      }
    })
    let error = try #require(throws: MigrationError.self) {
      try trial.migration(to: .file(trial.directory.path("new.sqlite")), options: options)
        .run(control: control)
    }
    #expect(isWritten.withLock { $0 })
    #expect(error.codes == ["RUN-012"])
    #expect(trial.directory.contents("new.sqlite") == nil)
  }
}
