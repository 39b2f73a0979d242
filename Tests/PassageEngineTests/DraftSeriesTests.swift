import PassageDiagnostics
import PassageMappings
import PassageModels
import PassagePlanning
import PassageReaders
import TestSupport
import Testing

/// Series of models: every consecutive pair is inferred, drafted, or it is told why neither is
/// possible. A draft is refused by a plan for its marks, and for nothing else.
struct DraftSeriesTests {
  /// What became of the pairs of a series.
  private struct Counts: CustomStringConvertible {
    var inferred = 0
    var drafted = 0
    var told = 0
    var marks = 0

    var description: String {
      "\(inferred) inferred, \(drafted) drafted with \(marks) marks, \(told) told why"
    }
  }

  @Test(arguments: ModelSeries.all)
  func `every pair of a series made by hand is inferred or drafted`(
    _ series: ModelSeries
  ) throws {
    var counts = Counts()
    for (old, new) in zip(series.models, series.models.dropFirst()) {
      try Self.judge(old, new, &counts)
    }
    print("\(series.name): \(counts)")
    #expect(counts.told == 0)
    #expect(counts.inferred + counts.drafted == series.models.count - 1)
    #expect(counts.drafted == series.drafted)
  }

  @Test func `there are at least 22 series made by hand`() {
    #expect(ModelSeries.all.count >= 22)
    #expect(Set(ModelSeries.all.map(\.name)).count == ModelSeries.all.count)
    #expect(ModelSeries.all.count { $0.drafted > 0 } >= 20)
  }

  /// Bundles of models with several versions.
  private static let bundles = Corpus.paths {
    $0.hasSuffix(".xcdatamodeld") || $0.hasSuffix(".momd")
  }

  @Test(.enabled(if: Corpus.isPresent), arguments: bundles)
  func `every pair of a real series is inferred, drafted or told why`(_ path: String) throws {
    let names = try ModelFile.list(path: Corpus.file(path)).names
    var counts = Counts()
    for (old, new) in zip(names, names.dropFirst()) {
      do throws(Diagnostics) {
        let source = try ModelFile.read(path: "\(Corpus.file(path)):\(old)")
        let destination = try ModelFile.read(path: "\(Corpus.file(path)):\(new)")
        try Self.judgeKnown(source, destination, &counts)
      } catch {
        #expect(error.hasErrors && error.errors.allSatisfy { !$0.code.isEmpty })
        counts.told += 1
      }
    }
    print("\(path): \(names.count) versions: \(counts)")
    #expect(counts.inferred + counts.drafted + counts.told == max(names.count - 1, 0))
  }

  private static func judgeKnown(
    _ source: Model, _ destination: Model, _ counts: inout Counts
  ) throws(Diagnostics) {
    do {
      try judge(source, destination, &counts)
    } catch let found as Diagnostics {
      throw found
    } catch {
      Issue.record(error)
    }
  }

  /// Infers, drafts, and plans what was drafted, with and without its marks.
  private static func judge(
    _ source: Model, _ destination: Model, _ counts: inout Counts
  ) throws {
    var isInferred = true
    do throws(Diagnostics) {
      _ = try InferredMapping.infer(from: source, to: destination)
    } catch {
      isInferred = false
      #expect(error.errors.allSatisfy { $0.reason != nil && $0.remedy != nil })
    }
    let draft = InferredMapping.draft(from: source, to: destination)
    let marks = draft.draftMarks.count
    let text = MappingDocument.encode(draft)
    let read = try MappingDocument.decode(Array(text.utf8), file: "draft.json")
    #expect(read == draft)
    let models = [source.name: source, destination.name: destination]
    if isInferred, marks == 0 {
      counts.inferred += 1
      _ = try Planner.plan([read], models: models, policies: [])
      return
    }
    counts.drafted += 1
    counts.marks += marks
    let refusal = #expect(throws: Diagnostics.self) {
      try Planner.plan([read], models: models, policies: [])
    }
    #expect(refusal?.errors.map(\.code) == Array(repeating: "MAP-040", count: marks))
    let confirmed = MappingDocument.encode(draft.withoutMarks)
    _ = try Planner.plan(
      [MappingDocument.decode(Array(confirmed.utf8), file: "draft.json")], models: models,
      policies: [])
  }
}
