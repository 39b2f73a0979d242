import PassageProjects
import TestSupport
import Testing

/// Paths through the steps of a history.
@Suite struct HistoryPathTests {
  /// Every history of four versions: all sets of the twelve steps between them.
  @Test func `another path is what remains without a step of the shortest`() {
    let names = ["1", "2", "3", "4"]
    let pairs = names.flatMap { from in
      names.filter { $0 != from }.map { History.Step(from: from, to: $0, mappings: ["M"]) }
    }
    for choice in 0..<(1 << pairs.count) {
      let steps = pairs.indices.filter { (choice >> $0) & 1 == 1 }.map { pairs[$0] }
      let history = History(versions: [], steps: steps)
      let expected = (history.path(from: "1", to: "4") ?? []).contains { step in
        var rest = history
        rest.steps.removeAll { $0 == step }
        return rest.path(from: "1", to: "4") != nil
      }
      #expect(history.hasOtherPath(from: "1", to: "4") == expected, "steps \(choice)")
      let paths = history.paths(from: "1", to: "4", limit: 9)
      #expect((paths.count > 1) == expected && Set(paths).count == paths.count)
      #expect(paths.first ?? [] == history.path(from: "1", to: "4") ?? [])
    }
  }

  @Test func `paths are named by their mapping models, the shortest first`() {
    let history = History(
      versions: [],
      steps: [
        History.Step(from: "1", to: "2", mappings: ["A", "A 2"]),
        History.Step(from: "2", to: "3", mappings: []),
        History.Step(from: "1", to: "3", mappings: ["C"]),
      ])
    let paths = history.paths(from: "1", to: "3", limit: 3)
    #expect(
      History.sentence(paths) == "by “C”, and by “A”, “A 2”, then a step without mapping models")
    #expect(history.paths(from: "1", to: "3", limit: 1).count == 1)
    #expect(history.paths(from: "3", to: "1", limit: 3) == [])
    #expect(history.paths(from: "2", to: "2", limit: 3) == [])
  }

  /// Versions in a row, with a detour around the last step, the first one, or many at once.
  @Test(arguments: [99_999...100_000, 0...1, 0...99_000, 50_000...50_002])
  func `a detour is found quickly wherever it is`(detour: ClosedRange<Int>) throws {
    let names = (0...100_000).map { "v\($0)" }
    var steps = zip(names, names.dropFirst()).map {
      History.Step(from: $0, to: $1, mappings: ["M"])
    }
    let aside = ["v\(detour.lowerBound)"] + (0...detour.count).map { "w\($0)" }
    steps += zip(aside, aside.dropFirst() + ["v\(detour.upperBound)"]).map {
      History.Step(from: $0, to: $1, mappings: ["N"])
    }
    let history = History(versions: [], steps: steps)
    var paths: [History.Path] = []
    let seconds = HangGuard.seconds {
      paths = history.paths(from: "v0", to: "v100000", limit: 3)
    }
    #expect(seconds < HangGuard.bound)
    // The detour has three steps more than what it goes around.
    #expect(paths.map(\.count) == [100_000, 100_003])
    #expect(history.hasOtherPath(from: "v0", to: "v100000"))
  }

  @Test(.timeLimit(.minutes(15)))
  func `a chain of a hundred thousand versions is searched quickly`() {
    let names = (0...100_000).map { "v\($0)" }
    let versions = names.map { History.Version(name: $0, model: "a") }
    let steps = zip(names, names.dropFirst()).map {
      History.Step(from: $0, to: $1, mappings: ["M"])
    }
    let history = History(versions: versions, steps: steps)
    #expect(history.path(from: "v0", to: "v100000")?.count == 100_000)
    #expect(!history.hasOtherPath(from: "v0", to: "v100000"))
    let inferred = History(versions: versions, steps: Array(steps.dropLast()))
      .inferringPath(from: "v0", to: "v100000")
    #expect(inferred?.count == 100_000)
    #expect(inferred?.last?.mappings.isEmpty == true)
  }
}
