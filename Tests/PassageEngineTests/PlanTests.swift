import Passage
import PassageDiagnostics
import PassagePlanning
import PassageProjects
import PassageTesting
import Testing

/// The plan finds what is wrong with a list of mapping models, and can be printed.
@Suite struct PlanTests {
  static let models = Dictionary(
    uniqueKeysWithValues: ["1", "2", "3"].map { name in
      (name, Model(name, [Entity("A", [.text("in\(name)"), .text("x")])]))
    })

  static func step(_ name: String, _ from: String, _ to: String) throws -> MappingModel {
    try mapping(
      #"{"type": "copy", "source": "A", "destination": "A"}"#, named: name, from: from, to: to)
  }

  private func codes(_ mappings: [MappingModel]) throws -> [String] {
    do {
      _ = try Planner.plan(mappings, models: Self.models, policies: [])
      return []
    } catch {
      return error.errors.map { "\($0.code) \($0.location?.line ?? 0)" }
    }
  }

  @Test func `consecutive passes between the same models are one step, what continues is the next`()
    throws
  {
    let (steps, warnings) = try Planner.plan(
      [Self.step("a", "1", "2"), Self.step("b", "1", "2"), Self.step("c", "2", "3")],
      models: Self.models, policies: [])
    #expect(steps.map(\.source.name) == ["1", "2"])
    #expect(steps.map(\.destination.name) == ["2", "3"])
    #expect(steps.map { $0.passes.map(\.model.name) } == [["a", "b"], ["c"]])
    #expect(!warnings.hasErrors)
  }

  /// What `--mappings A,A` says by mistake doubles every object.
  @Test func `a mapping model that is named twice for a step is warned of once`() throws {
    func warnings(_ names: [(String, String, String)]) throws -> [String] {
      try Planner.plan(
        names.map { try Self.step($0.0, $0.1, $0.2) }, models: Self.models, policies: []
      ).warnings.all.filter { $0.code == "PLN-024" }.map(\.message)
    }
    let a = ("a", "1", "2")
    let message = "“a” is named more than once for the step from “1” to “2”"
    #expect(try warnings([a, ("b", "1", "2"), a, a, ("c", "2", "3")]) == [message])
    // Another one of the same name, and the same in another step, are no repetitions.
    #expect(try warnings([a, ("b", "1", "2"), ("a", "2", "3")]) == [])
  }

  @Test func `a run of a mapping model that is named twice warns of it`() throws {
    let step = try Self.step("a", "1", "2")
    let trial = try Trial(
      Self.models["1"] ?? Safety.source, Self.models["2"] ?? Safety.source, [step, step]
    ) { try $0.insert("A", ["x": .text("one")]) }
    let plan = try trial.migration(to: .inPlace).plan()
    #expect(plan.warnings.map(\.code).contains("PLN-024"))
    let (contents, report) = try trial.migrate()
    #expect(report.warnings.all.map(\.code).contains("PLN-024"))
    #expect(contents["A"].map { $0["x"] } == [.text("one"), .text("one")])
  }

  /// Default values have no hashes.
  @Test func `versions with equal hashes are told from each other by their names`() throws {
    var models = Dictionary(
      uniqueKeysWithValues: ["1", "2", "3", "alias 1", "alias 2"].map { name in
        (name, Model(name, [Entity("A", [.text("x")])]))
      })
    models["4"] = Self.models["3"]
    func steps(_ names: [(String, String)]) throws -> [[String]] {
      let mappings = try names.map { try Self.step("\($0)-\($1)", $0, $1) }
      return try Planner.plan(mappings, models: models, policies: []).steps.map {
        $0.passes.map(\.model.name)
      }
    }
    #expect(
      try steps([("1", "2"), ("2", "3"), ("3", "4")]) == [["1-2"], ["2-3"], ["3-4"]])
    #expect(try steps([("1", "2"), ("1", "2"), ("2", "3")]) == [["1-2", "1-2"], ["2-3"]])
    #expect(try steps([("1", "1"), ("1", "1")]) == [["1-1", "1-1"]])
    #expect(try steps([("1", "2"), ("2", "1")]) == [["1-2"], ["2-1"]])
    #expect(try steps([("1", "2"), ("alias 1", "alias 2")]) == [["1-2", "alias 1-alias 2"]])
    #expect(try steps([("1", "4"), ("alias 1", "4")]) == [["1-4", "alias 1-4"]])
  }

  @Test func `a list that neither stays nor continues is refused, naming both`() throws {
    let error = try #require(throws: Diagnostics.self) {
      try Planner.plan(
        [Self.step("a", "1", "2"), Self.step("b", "1", "3")], models: Self.models, policies: [])
    }
    #expect(error.errors.map(\.code) == ["PLN-011"])
    #expect(error.description.contains("“b” (1 to 3)"))
    #expect(error.description.contains("“a” (1 to 2)"))
    #expect(error.errors[0].location?.file == "b.json")
  }

  @Test func `an empty list and unknown models are refused`() throws {
    #expect(try codes([]) == ["PLN-013 0"])
    #expect(try codes([Self.step("a", "1", "22")]) == ["PLN-010 1"])
    #expect(try codes([Self.step("a", "7", "8"), Self.step("b", "8", "9")]).count >= 2)
  }

  @Test(arguments: [(1_000, false), (1_001, true)])
  func `a step with too many mapping models is refused, in the history before they are read`(
    count: Int, isRefused: Bool
  ) throws {
    if isRefused {
      let step = try Self.step("a", "1", "2")
      #expect(try codes(Array(repeating: step, count: count)) == ["PLN-023 1"])
    }
    let names = Array(repeating: #""a""#, count: count).joined(separator: ", ")
    let text = """
      {"versions": [{"name": "1", "model": "a"}, {"name": "2", "model": "b"}],
       "steps": [{"from": "1", "to": "2", "mappings": [\(names)]}]}
      """
    var found: [String] = []
    do {
      _ = try HistoryDocument.decode(Array(text.utf8), file: "history.json")
    } catch {
      found = error.all.map(\.code)
    }
    #expect(found == (isRefused ? ["PLN-023"] : []))
  }

  @Test func `mapping models that end elsewhere are refused`() throws {
    let trial = try Trial(
      Self.models["1"] ?? Safety.source, Self.models["3"] ?? Safety.source,
      between: Array(Self.models.values), [Self.step("a", "1", "2")])
    let error = try trial.failure()
    #expect(error.kind.rawValue == 22)
    #expect(error.codes == ["PLN-014"])
  }

  @Test func `the plan of a run names lanes, reasons and numbers, and writes nothing`() throws {
    var trial = try SchoolTests.trial()
    trial.worksInMemory = true
    let plan = try trial.migration(to: .inPlace).plan()
    #expect(!plan.isUpToDate)
    #expect(plan.objects == 65)
    #expect(plan.steps.count == 1)
    #expect(
      plan.steps[0].passes.flatMap(\.mappings).map(\.lane) == [
        .set, .row, .set, .set, .set, .row,
      ])
    #expect(
      plan.steps[0].passes.flatMap(\.mappings).compactMap(\.reason) == [
        "policy OneTeacherForEachAddress", "policy EnrollmentWithGrade",
      ])
    #expect(plan.steps[0].passes.flatMap(\.mappings).map(\.objects) == [9, 5, 3, 8, 8, 40])
    #expect(plan.neededBytes > plan.bytes)
    #expect(trial.directory.names == ["old.sqlite"])
  }

  @Test(
    arguments: [
      (
        #"{"versions": [{"name": "1", "model": "a"}, {"name": "1", "model": "b"}]}"#,
        ["PLN-002 1:53"]
      ),
      (
        #"{"versions": [{"name": "1", "model": "a"}], "steps": [{"from": "1", "to": "1", "mappings": []}]}"#,
        ["PLN-003 1:75"]
      ),
      (
        #"{"versions": [{"name": "1", "model": "a"}], "steps": [{"from": "1", "to": "x", "mappings": []}]}"#,
        ["PLN-003 1:75"]
      ),
      (#"{"versions": 1, "step": []}"#, ["PLN-001 1:17", "PLN-001 1:14"]),
    ] as [(String, [String])])
  func `a history's mistakes are found at their places`(text: String, expected: [String]) throws {
    let found = try #require(throws: Diagnostics.self) {
      try HistoryDocument.decode(Array(text.utf8), file: "history.json")
    }
    #expect(
      found.all.map { "\($0.code) \($0.location?.line ?? 0):\($0.location?.column ?? 0)" }
        == expected)
  }

  @Test func `the shortest way through a history is taken`() throws {
    let history = try HistoryDocument.decode(
      Array(
        #"""
        {"versions": [{"name": "1", "model": "a"}, {"name": "2", "model": "b"},
                      {"name": "3", "model": "c"}, {"name": "4", "model": "d"}],
         "steps": [{"from": "1", "to": "2", "mappings": ["A"]},
                   {"from": "2", "to": "3", "mappings": ["B", "C"]},
                   {"from": "1", "to": "3", "mappings": ["D"]},
                   {"from": "3", "to": "1", "mappings": ["E"]}]}
        """#.utf8), file: "history.json")
    func way(_ from: String, _ to: String) -> [String]? {
      history.path(from: from, to: to)?.flatMap { $0.mappings.map(\.value) }
    }
    #expect(way("1", "3") == ["D"])
    #expect(way("1", "2") == ["A"])
    #expect(way("2", "1") == ["B", "C", "E"])
    #expect(way("1", "1") == [])
    #expect(way("1", "4") == nil)
  }
}
