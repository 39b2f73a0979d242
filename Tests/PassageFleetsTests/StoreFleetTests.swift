import Foundation
import Passage
import PassageFleets
import PassageTesting
import TestSupport
import Testing

/// The library's fleet.
struct StoreFleetTests {
  private let project: FleetProject

  init() throws { project = try FleetProject() }

  private var fleet: StoreFleet { StoreFleet(migrations: project.folder.url("Migrations")) }

  private func urls(_ count: Int) throws -> [URL] {
    try project.makeStores(count).map { URL(fileURLWithPath: $0) }
  }

  /// The example of the documentation of `StoreFleet`.
  @Test func `results come as a sequence, and then the sum`() async throws {
    let urls = try urls(12)
    try project.damage(urls[3].path)
    let run = fleet.run(stores: urls)
    var failed: [String] = []
    for await result in run.results where result.outcome == .failed {
      failed.append("\(result.store.path) \(result.error?.diagnostics.first?.code ?? "")")
    }
    #expect(failed == ["\(urls[3].path) STO-106"])
    let summary = try await run.value
    #expect(summary.migrated == 11 && summary.failed == 1 && summary.notDone == 0)
  }

  @Test func `a run that nobody reads ends`() async throws {
    let summary = try await fleet.run(stores: try urls(5)).value
    #expect(summary.migrated == 5)
    #expect(
      try await fleet.run(stores: try urls(0) + [project.folder.url("data/1.sqlite")]).value
        .upToDate == 1)
  }

  @Test func `reading may end early`() async throws {
    let run = fleet.run(stores: try urls(8))
    for await _ in run.results { break }
    #expect(try await run.value.migrated == 8)
  }

  @Test func `cancelling the task stops the run at a store`() async throws {
    let urls = try urls(60)
    let run = fleet.run(stores: urls)
    let reading = Task {
      var count = 0
      for await _ in run.results { count += 1 }
      return count
    }
    reading.cancel()
    _ = await reading.value
    let summary = try await run.value
    #expect(summary.failed == 0 && summary.migrated + summary.notDone == 60)
    #expect(try await fleet.run(stores: urls).value.notDone == 0)
  }

  @Test func `a list with a store twice is refused before anything is written`() async throws {
    let urls = try urls(2)
    let before = try bytes(of: urls[0].path)
    do {
      _ = try await fleet.run(stores: urls + urls).value
      Issue.record("it runs")
    } catch {
      #expect(error.diagnostics.first?.code == "FLT-003")
    }
    #expect(try bytes(of: urls[0].path) == before)
  }

  @Test func `a ledger is written, and results go to a folder`() async throws {
    var options = StoreFleet.Options()
    options.outputFolder = project.folder.url("out")
    options.ledger = project.folder.url("ledger")
    options.jobs = 2
    try FileManager.default.createDirectory(
      at: project.folder.url("out"), withIntermediateDirectories: true)
    #expect(try await fleet.run(stores: try urls(3), options: options).value.migrated == 3)
    #expect(try project.entries("ledger").count == 3)
    #expect(try project.version(of: project.path("out/2.sqlite")) == "2")
    #expect(try project.version(of: project.path("data/2.sqlite")) == "1")
  }

  @Test func `shards divide the stores, in any order`() async throws {
    let urls = try urls(20)
    var migrated: [String] = []
    for number in 1...3 {
      var options = StoreFleet.Options()
      options.shard = Shard(number, of: 3)
      options.order = .random(seed: 7)
      let run = fleet.run(stores: urls, options: options)
      for await result in run.results where result.outcome == .migrated {
        migrated.append(result.name)
      }
      #expect(try await run.value.failed == 0)
    }
    #expect(migrated.sorted() == urls.map(\.path).sorted())
  }

  @Test func `nothing follows a canary that fails`() async throws {
    let urls = try urls(10)
    try project.damage(urls[1].path)
    var options = StoreFleet.Options()
    options.canary = 2
    let summary = try await fleet.run(stores: urls, options: options).value
    #expect(summary.migrated == 1 && summary.failed == 1 && summary.notDone == 8)
    options.canary = .share(0.1)
    #expect(try await fleet.run(stores: urls, options: options).value.migrated == 8)
  }

  @Test func `a run stops after the failures that it may have`() async throws {
    let urls = try urls(30)
    for url in urls.prefix(5) { try project.damage(url.path) }
    var options = StoreFleet.Options()
    options.maximumFailures = 0
    options.group = 1
    let summary = try await fleet.run(stores: urls, options: options).value
    #expect(summary.failed == 1 && summary.notDone == 29)
    options.maximumFailures = .share(0.5)
    #expect(try await fleet.run(stores: urls, options: options).value.migrated == 25)
  }

  @Test func `mapping models may be named, but not with a version`() async throws {
    var options = StoreFleet.Options()
    options.mappings = ["StepTwo"]
    let urls = try urls(2)
    do {
      _ = try await fleet.run(stores: urls, to: "2", options: options).value
      Issue.record("it runs")
    } catch {
      #expect(error.diagnostics.first?.code == "CMD-005")
    }
    #expect(try await fleet.run(stores: urls, options: options).value.migrated == 2)
    #expect(try project.version(of: urls[1].path) == "2")
  }

  /// A share or a number that makes no sense has the nearest meaning.
  @Test(arguments: [
    (FleetShare.count(-1), 0), (.share(-0.5), 0), (.share(7), 5), (.share(.nan), 0), (3, 3),
  ])
  func `shares are of the stores that there are`(share: FleetShare, expected: Int) {
    #expect(share.most(of: 5) == expected)
    #expect(share.some(of: 5) == expected)
  }
}
