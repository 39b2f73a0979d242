import Foundation
import Passage
import PassageEngine
import PassageTesting
import Testing

/// Migrations of stores that real apps left behind, by inferred mappings.
@Suite(.enabled(if: CorpusSeries.isPresent, "no corpus beside the package"))
struct CorpusMigrationTests {
  @Test(arguments: CorpusSeries.messaging.pairs)
  func `consecutive models of a series have an inferred mapping that is accepted`(
    pair: CorpusSeries.Pair
  ) throws {
    let source = try CorpusSeries.messaging.model(pair.older)
    let destination = try CorpusSeries.messaging.model(pair.newer)
    let mapping = try InferredMapping.infer(from: source, to: destination)
    let (bound, findings) = MappingChecker.check(
      mapping, source: source, destination: destination, policies: [])
    #expect(findings.errors.map(\.description) == [])
    #expect(bound?.entityMappings.count == mapping.entityMappings.count)
    let text = MappingDocument.encode(mapping)
    #expect(try MappingDocument.decode(Array(text.utf8), file: "inferred.json") == mapping)
  }

  @Test(arguments: [
    CorpusSeries.pets, CorpusSeries.posts, CorpusSeries.cars, CorpusSeries.books,
  ])
  func `what cannot be inferred in a series is told with its reasons`(series: CorpusSeries) throws {
    for pair in series.pairs {
      let source = try series.model(pair.older)
      let destination = try series.model(pair.newer)
      do {
        let mapping = try InferredMapping.infer(from: source, to: destination)
        let (_, findings) = MappingChecker.check(
          mapping, source: source, destination: destination, policies: [])
        #expect(findings.errors.map(\.description) == [])
        #expect(series.notInferable[pair.newer] == nil)
      } catch {
        #expect(series.notInferable[pair.newer] == error.errors.map(\.code), "\(error)")
      }
    }
  }

  @Test
  func `a store goes through a whole series, at once or version by version, with the same result`()
    throws
  {
    let series = CorpusSeries.messaging
    let models = try series.names.map { try series.model($0) }
    let directory = try TemporaryDirectory()
    let store = try directory.copy(
      "\(CorpusSeries.root)/messaging/store1-25.wiredatabase", to: "old.sqlite")
    let before = directory.contents("old.sqlite")
    let first = try #require(models.first)
    let last = try #require(models.last)

    let direct = directory.path("direct.sqlite")
    let directReport = try migrate(
      store, to: direct, [InferredMapping.infer(from: first, to: last)], models)
    let chained = directory.path("chained.sqlite")
    let steps = try zip(models, models.dropFirst())
      .filter { $0.versionHashes != $1.versionHashes }
      .map { try InferredMapping.infer(from: $0, to: $1) }
    let chainedReport = try migrate(store, to: chained, steps, models)

    #expect(chainedReport.steps.count == steps.count)
    for report in [directReport, chainedReport] {
      #expect(report.steps.flatMap(\.mappings).filter { !$0.isBalanced } == [])
    }
    #expect(
      try CorpusSeries.rows(direct).differences(from: CorpusSeries.rows(chained)) == [])
    #expect(try StoreAudit(path: direct, model: last).findings == [])
    #expect(try StoreAudit(path: chained, model: last).findings == [])
    #expect(try StoreContents(path: direct, model: last).objects.count > 1_000)
    #expect(directory.contents("old.sqlite") == before)
  }

  @Test(arguments: CorpusSeries.samples)
  func `a store of any version reaches a newer one by inference`(sample: CorpusSeries.Sample) throws
  {
    let source = try sample.series.model(sample.model)
    let last = try sample.series.model(
      try #require(sample.target ?? sample.series.names.last))
    let directory = try TemporaryDirectory()
    let store = try directory.copy("\(CorpusSeries.root)/\(sample.store)", to: "old.sqlite")
    let path = directory.path("new.sqlite")
    let report = try migrate(
      store, to: path, [InferredMapping.infer(from: source, to: last)], [source, last])
    #expect(report.steps.flatMap(\.mappings).filter { !$0.isBalanced } == [])
    #expect(try StoreAudit(path: path, model: last).findings == [])
    #expect(try CorpusSeries.lostValues(from: store, source, to: path, last) == [])
  }

  @Test
  func `an inferred migration gives the rows that Core Data's own gave`() throws {
    let models = try ["SampleModel", "SampleModel2"].map { try CorpusSeries.cars.model($0) }
    let directory = try TemporaryDirectory()
    let store = try directory.copy(
      "\(CorpusSeries.root)/cars/SampleModel_V1.sqlite", to: "old.sqlite")
    let path = directory.path("new.sqlite")
    _ = try migrate(
      store, to: path, [InferredMapping.infer(from: models[0], to: models[1])], models)
    let oracle = try directory.copy(
      "\(CorpusSeries.root)/cars/SampleModel_V2.sqlite", to: "oracle.sqlite")
    for table in ["ZCAR", "ZPERSON"] {
      let found = try CorpusSeries.rows(path).tables[table]
      #expect(try CorpusSeries.rows(oracle).tables[table] == found)
      #expect(found?.isEmpty == false)
    }
  }

  private func migrate(
    _ store: String, to destination: String, _ mappings: [MappingModel], _ models: [Model]
  ) throws -> MigrationReport {
    try StoreMigration(
      storePath: store, destination: .file(destination), source: models.first,
      destinationModel: models.last,
      models: Dictionary(models.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first }),
      mappings: mappings, policies: PolicyRegistry([]), options: MigrationOptions()
    ).run(control: RunControl())
  }
}
