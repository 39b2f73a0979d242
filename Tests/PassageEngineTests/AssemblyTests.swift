import Passage
import PassageEngine
import PassageSQLite
import PassageTesting
import PassageValues
import Testing

/// Several passes into the same tables give one store, whatever way they are assembled.
@Suite struct AssemblyTests {
  private static let journal = "new.sqlite.passage/step-1/journal.sqlite"

  /// Several passes of which each makes a car of every car, and the last one of no truck.
  private static func trial(passes: Int) throws -> Trial {
    let entities = [
      Entity("Car", [.text("plate"), .text("note")]), Entity("Truck", [.text("plate")]),
    ]
    let mappings = try (1...passes).map { pass in
      try mapping(
        """
        {"type": "transform", "source": "Car", "destination": "Car", "attributes": {
          "plate": "concatenate($source.plate, \\"-\(pass)\\")", "note": {}}}
        """
          + (pass == 1
            ? #", {"type": "copy", "source": "Truck", "destination": "Truck"}"# : ""),
        named: "Step\(pass)")
    }
    return try Trial(Model("1", entities), Model("2", entities), mappings) { store in
      for number in 1...700 {
        // Some do not fit their page.
        let length = number % 50 == 0 ? 9_000 : number % 40
        try store.insert(
          "Car",
          [
            "plate": .text("\(number)"), "note": .text(String(repeating: "n", count: length)),
          ])
      }
      try store.insert("Truck", ["plate": .text("one")])
    }
  }

  private static func options(_ lane: MigrationOptions.Lane) -> MigrationOptions {
    var options = MigrationOptions()
    options.lane = lane
    return options
  }

  private static func expectSame(_ trial: Trial, _ names: [String]) throws {
    try trial.run(to: "expected.sqlite", options: options(.set))
    let expected = try StoreRows(path: trial.directory.path("expected.sqlite"))
    for name in names {
      let path = trial.directory.path(name)
      #expect(try StoreRows(path: path).differences(from: expected) == [])
      let connection = try Connection(path: path, mode: .readWrite)
      #expect(try connection.rows("PRAGMA integrity_check") == [["ok"]])
      try connection.execute(
        "DELETE FROM ZCAR WHERE Z_PK % 3 = 0; UPDATE ZCAR SET ZPLATE = ZPLATE || 'longer'")
      #expect(try connection.rows("PRAGMA integrity_check") == [["ok"]])
      try connection.vacuum()
      #expect(try connection.rows("PRAGMA integrity_check") == [["ok"]])
    }
  }

  @Test(arguments: [2, 3])
  func `passes into one table give the same store in all lanes`(passes: Int) throws {
    let trial = try Self.trial(passes: passes)
    let (contents, _) = try trial.migrate()
    #expect(contents["Car"].count == 700 * passes)
    let report = try trial.run(to: "page.sqlite", options: Self.options(.page))
    #expect(report.warnings.all.isEmpty)
    try Self.expectSame(trial, ["page.sqlite"])
  }

  @Test func `an assembly that is stopped anywhere is continued`() throws {
    let trial = try Self.trial(passes: 2)
    var options = Self.options(.page)
    options.limits.batch = BatchLimits(rows: 200)
    var names: [String] = []
    var slice = FaultSlice("AssemblyTests")
    var stop = 0
    while true {
      stop = slice.next(after: stop, longest: 5)
      let name = "stopped-\(stop).sqlite"
      names.append(name)
      let stopping = StoppingControl(after: stop)
      do {
        try trial.run(to: name, options: options, control: stopping.control)
        break
      } catch let error as MigrationError {
        #expect(error.codes == ["RUN-013"])
      }
      try trial.run(to: name, options: options)
    }
    #expect(names.count > 1)
    try Self.expectSame(trial, names)
  }

  /// Stops a run soon after the leaves of the second pass were taken over: then the digest of the
  /// adopted pass tells all rows.
  private static func stopAfterAssembly(_ trial: Trial) throws -> Bool {
    for stop in 1... {
      let stopping = StoppingControl(after: stop)
      guard (try? trial.run(options: options(.page), control: stopping.control)) == nil else {
        return false
      }
      guard trial.directory.contents(journal) != nil else { continue }
      let rows = try Connection(path: trial.directory.path(journal), mode: .readWrite).rows(
        "SELECT value FROM state WHERE name = 'pages:digest:ZCAR:rows' AND value = 1400")
      if !rows.isEmpty { return true }
      var fresh = options(.page)
      fresh.unfinishedWork = .discard
      _ = try? trial.run(options: fresh, control: StoppingControl(after: 1).control)
    }
    return false
  }

  @Test func `a run that ends while leaves are put in place begins its step again`() throws {
    let trial = try Self.trial(passes: 2)
    #expect(try Self.stopAfterAssembly(trial), "no table was taken over by pages")
    // As a process leaves it that dies in the moment.
    try Connection(path: trial.directory.path(Self.journal), mode: .readWrite).execute(
      "INSERT INTO state VALUES (-1, 'assembly:moment', 1)")
    let report = try trial.run(options: Self.options(.page))
    #expect(report.wasContinued && report.discardedWork?.contains("tables") == true)
    try Self.expectSame(trial, ["new.sqlite"])
  }
}
