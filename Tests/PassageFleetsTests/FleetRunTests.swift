import Foundation
import Passage
import PassageFiles
import PassageFleets
import PassageTesting
import Synchronization
import TestSupport
import Testing

/// Runs over many stores.
struct FleetRunTests {
  private let project: FleetProject

  init() throws { project = try FleetProject() }

  private var limits: FleetLimits {
    var limits = FleetLimits()
    limits.jobs = 2
    limits.group = 8
    return limits
  }

  @Test(arguments: [1, 8])
  func `every store is migrated once, and a second run finds nothing to do`(group: Int) throws {
    let stores = try project.makeStores(30)
    var limits = limits
    limits.group = group
    let (end, results) = try project.run(stores, limits: limits, ledger: "ledger")
    #expect(end.totals.migrated == 30 && end.left == 0 && end.stop == nil)
    #expect(Set(results.map(\.entry.store)) == Set(stores) && results.count == 30)
    for result in results {
      let metadata = try StoreMetadata.read(path: result.entry.store)
      let recorded = metadata.migrationLedger.migrations.last
      #expect(recorded != nil && result.report?.recordedSeconds == recorded?.seconds)
    }
    #expect(end.totals.counts.migrated == 60)
    for store in stores { #expect(try project.version(of: store) == "2") }
    let before = try stores.map { try bytes(of: $0) }
    let again = try project.run(stores, limits: limits, ledger: "ledger")
    #expect(again.end.totals.upToDate == 30)
    #expect(try stores.map { try bytes(of: $0) } == before)
    let entries = try project.entries("ledger")
    #expect(entries.count == 60 && entries.suffix(30).allSatisfy { $0.attempt == 2 })
    #expect(entries.prefix(30).allSatisfy { $0.from == "1" && $0.to == "2" })
    #expect(project.folder.everything.filter { $0.contains(".passage") }.isEmpty)
  }

  @Test func `a fleet makes the same store as one run alone`() async throws {
    let stores = try project.makeStores(2)
    _ = try project.run([stores[0]], limits: limits)
    let alone = try await StoreUpgrade(migrations: project.folder.url("Migrations"))
      .run(storeAt: URL(fileURLWithPath: stores[1]))
    #expect(alone.outcome == .migrated)
    let model = try ModelFile.read(path: project.path("Migrations/Events 2.json"))
    let contents = try stores.map { try StoreContents(path: $0, model: model) }
    #expect(contents[0] == contents[1])
    let ledgers = try stores.map { try StoreMetadata.read(path: $0).migrationLedger.withoutTimes }
    #expect(ledgers[0] == ledgers[1])
  }

  @Test func `a store that fails stays as it is and stops no other`() throws {
    let stores = try project.makeStores(12)
    try project.damage(stores[0])
    try FileManager.default.removeItem(atPath: stores[4])
    try FileManager.default.removeItem(atPath: stores[8])
    try FileManager.default.createDirectory(atPath: stores[8], withIntermediateDirectories: true)
    let damaged = try bytes(of: stores[0])
    let (end, results) = try project.run(stores, limits: limits, ledger: "ledger")
    #expect(end.totals.migrated == 9 && end.totals.failed == 3 && end.left == 0)
    #expect(try bytes(of: stores[0]) == damaged)
    let codes = Dictionary(
      uniqueKeysWithValues: results.filter { $0.error != nil }.map {
        ($0.entry.store, $0.entry.code)
      })
    #expect(codes == [stores[0]: "STO-106", stores[4]: "STO-101", stores[8]: "STO-102"])
    let failed = try project.entries("ledger").filter { $0.outcome == .failed }
    #expect(Set(failed.map(\.exitClass)) == [65, 64])
    #expect(failed.allSatisfy { $0.message != nil && $0.remedy != nil })
  }

  @Test func `a store that another runner holds is told as locked`() throws {
    let stores = try project.makeStores(3)
    let folder = try #require(
      try WorkFolder.hold(stores[1] + ".passage", files: FileSystem()))
    let (end, results) = try project.run(stores, limits: limits)
    _ = folder.end()
    #expect(end.totals.migrated == 2)
    #expect(results.first { $0.error != nil }?.entry.exitClass == 30)
    #expect(try project.run(stores, limits: limits).end.totals.migrated == 1)
  }

  @Test func `two runs over the same stores harm nothing`() throws {
    let stores = try project.makeStores(40)
    let ends = Mutex<[FleetRun.End]>([])
    DispatchQueue.concurrentPerform(iterations: 2) { _ in
      if let run = try? project.run(stores, limits: limits, ledger: "ledger") {
        ends.withLock { $0.append(run.end) }
      }
    }
    let all = ends.withLock { $0 }
    #expect(all.count == 2)
    #expect(all.reduce(0) { $0 + $1.totals.migrated } == 40)
    let failures = all.flatMap(\.totals.failures)
    #expect(failures.allSatisfy { $0.exitClass == 30 }, "\(failures)")
    for store in stores { #expect(try project.version(of: store) == "2") }
  }

  @Test func `those that come first must all be well`() throws {
    let stores = try project.makeStores(20)
    try project.damage(stores[1])
    var choice = FleetSetup.Choice()
    choice.canary = .count(4)
    let (end, results) = try project.run(stores, limits: limits, choice: choice)
    #expect(Set(results.map(\.entry.store)) == Set(stores[..<4]))
    #expect(end.left == 16)
    guard case .canary(failed: 1, of: 4) = end.stop else {
      Issue.record("\(String(describing: end.stop))")
      return
    }
    try FileManager.default.removeItem(atPath: stores[1])
    try project.folder.copy(project.path("empty.sqlite"), to: "data/2.sqlite")
    let again = try project.run(stores, limits: limits, choice: choice)
    #expect(again.end.totals.migrated == 17 && again.end.left == 0 && again.end.stop == nil)
  }

  @Test func `a run stops when more stores fail than may fail`() throws {
    let stores = try project.makeStores(20)
    for store in stores[..<6] { try project.damage(store) }
    var one = limits
    one.jobs = 1
    one.group = 1
    one.maximumFailures = .count(2)
    let (end, _) = try project.run(stores, limits: one)
    #expect(end.totals.failed == 3 && end.totals.migrated == 0 && end.left == 17)
    guard case .failures(allowed: 2) = end.stop else {
      Issue.record("\(String(describing: end.stop))")
      return
    }
    one.maximumFailures = .share(0.3)
    let all = try project.run(stores, limits: one)
    #expect(all.end.totals.failed == 6 && all.end.totals.migrated == 14 && all.end.stop == nil)
  }

  @Test func `a cancelled run begins no further store, and the same call goes on`() throws {
    let stores = try project.makeStores(40)
    var one = limits
    one.jobs = 1
    one.group = 1
    let control = RunControl()
    let (end, _) = try project.run(stores, limits: one, control: control) { result in
      if result.entry.store == stores[4] { control.cancel() }
    }
    #expect(end.totals.migrated == 5 && end.left == 35)
    guard case .cancelled = end.stop else {
      Issue.record("\(String(describing: end.stop))")
      return
    }
    #expect(try project.run(stores, limits: one).end.totals.migrated == 35)
  }

  @Test func `a run whose time is over is not a failure`() throws {
    let stores = try project.makeStores(5)
    let (end, results) = try project.run(
      stores, limits: limits, control: RunControl(timeBudget: .zero))
    #expect(end.left == 5 && results.isEmpty && end.totals.failed == 0)
  }

  /// An engine calls a run again for 33, and gives up for 50.
  @Test func `a run that has stores left says so, whatever failed`() {
    var totals = FleetTotals()
    func status(_ stop: FleetStop?, left: Int) -> Int32 {
      FleetRun.End(totals: totals, left: left, stop: stop, seconds: 0).exitStatus
    }
    #expect(status(nil, left: 0) == 0 && status(.cancelled, left: 1) == 33)
    totals.add(LedgerEntry(store: "a", outcome: .failed))
    #expect(status(nil, left: 0) == 50 && status(.cancelled, left: 1) == 33)
    #expect(status(.canary(failed: 1, of: 2), left: 1) == 50)
    #expect(status(.failures(allowed: 0), left: 1) == 50)
  }

  @Test func `results go to a folder, and the sources stay`() throws {
    let stores = try project.makeStores(4)
    let before = try stores.map { try bytes(of: $0) }
    try FileManager.default.createDirectory(
      atPath: project.path("out"), withIntermediateDirectories: true)
    let places = ResultPlaces.folder(project.path("out"), base: project.folder.path)
    let (end, _) = try project.run(stores, limits: limits, places: places)
    #expect(end.totals.migrated == 4)
    #expect(try stores.map { try bytes(of: $0) } == before)
    #expect(try project.version(of: project.path("out/data/3.sqlite")) == "2")
    #expect(try project.run(stores, limits: limits, places: places).end.totals.upToDate == 4)
  }

  @Test func `a mapping model that is wrong is refused before anything is written`() throws {
    let stores = try project.makeStores(3)
    try project.folder.write("{", to: "Mappings/StepTwo.json")
    do {
      _ = try project.run(stores, limits: limits, ledger: "ledger")
      Issue.record("it runs")
    } catch let error as MigrationError {
      #expect(error.kind == .wrongFile && error.diskState == "nothing was written")
    }
    #expect(!FileManager.default.fileExists(atPath: project.path("ledger")))
  }

  @Test func `what is the same for all stores is prepared once`() throws {
    let stores = try project.makeStores(3)
    let ways = try project.ways()
    let first = try ways.way(ofStoreAt: stores[0])
    // Nothing is read again.
    try FileManager.default.removeItem(atPath: project.path("Mappings"))
    try FileManager.default.removeItem(atPath: project.path("Migrations"))
    let second = try ways.way(ofStoreAt: stores[1])
    #expect(first.way.prepared === second.way.prepared && first.way.prepared != nil)
  }

  @Test func `a survey writes nothing and counts what a run would do`() throws {
    let stores = try project.makeStores(6)
    _ = try project.run([stores[0]], limits: limits)
    try project.damage(stores[1])
    try FileManager.default.removeItem(atPath: stores[2])
    let before = project.folder.everything
    let found = try FleetStores(StoreList(names: StoreNames(stores)), shard: nil)
    let totals = FleetSurvey(found, ways: try project.ways(), places: .inPlace, jobs: 2)
      .run(control: RunControl())
    #expect(totals.count(.done) == 1 && totals.count(.toDo) == 3)
    #expect(totals.count(.missing) == 1 && totals.count(.other) == 1)
    #expect(totals.examples[.missing] == [stores[2]] && totals.left == 0)
    #expect(project.folder.everything == before)
  }
}
