import Foundation
import Passage
import PassageEngine
import PassageTesting
import TestSupport
import Testing

/// `MigrationManager.plan`: what the same call of `migrate` would do, and nothing written.
@Suite struct ManagerPlanTests {
  private let trial: Trial
  private let manager = MigrationManager(source: Safety.source, destination: Safety.destination)
  private var store: URL { URL(fileURLWithPath: trial.sourcePath) }

  init() throws { trial = try Safety.trial() }

  private func url(_ name: String) -> URL { URL(fileURLWithPath: trial.directory.path(name)) }

  @Test func `a plan names its own destination, and writes nothing`() async throws {
    let (names, bytes) = (trial.directory.names, trial.sourceBytes)
    let beside = try await manager.plan(
      storeAt: store, to: url("new.sqlite"), mappings: trial.mappings)
    let inPlace = try await manager.plan(storeInPlaceAt: store, mappings: trial.mappings)
    #expect(beside.destinationPath == trial.directory.path("new.sqlite"))
    #expect(inPlace.destinationPath == trial.sourcePath)
    for plan in [beside, inPlace] {
      #expect(plan.storePath == trial.sourcePath)
      #expect(!plan.isUpToDate)
      #expect(plan.steps.map { $0.passes.map(\.name) } == [["Cars", "People"]])
    }
    #expect(trial.directory.names == names)
    #expect(trial.sourceBytes == bytes)
  }

  /// The mapping models of a history name its versions, and models have the names of their files.
  @Test func `a name that no model has is told with the names that there are`() async throws {
    var (first, second) = (Safety.source, Safety.destination)
    (first.name, second.name) = ("Model 1", "Model 2")
    let stranger = MigrationManager(source: first, destination: second)
    let error = await #expect(throws: MigrationError.self) {
      _ = try await stranger.plan(storeInPlaceAt: store, mappings: trial.mappings)
    }
    #expect(error?.codes.first == "PLN-010")
    let found = error?.diagnostics.all.first
    #expect(found?.reason == "the models are named “Model 1”, “Model 2”")
    #expect(found?.remedy?.contains("the “name” of a Model") == true)
    // What the remedy says.
    (first.name, second.name) = ("1", "2")
    let named = MigrationManager(source: first, destination: second)
    let plan = try await named.plan(storeInPlaceAt: store, mappings: trial.mappings)
    #expect(plan.steps.map(\.destination) == ["2"])
  }

  @Test func `without options those are planned that a migration without options has`() async throws
  {
    let plan = try await manager.plan(
      storeAt: store, to: url("new.sqlite"), mappings: trial.mappings)
    let lanes = plan.steps.flatMap { $0.passes.flatMap { $0.mappings.map(\.lane) } }
    let report = try await manager.migrate(
      storeAt: store, to: url("new.sqlite"), mappings: trial.mappings
    ).value
    #expect(lanes == report.steps.flatMap { $0.mappings.map(\.lane) })
    #expect(lanes.allSatisfy { $0 == .page })
  }

  @Test func `options are respected`() async throws {
    var options = MigrationOptions()
    options.lane = .row
    options.allowed.losses = .none
    for plan in [
      try await manager.plan(
        storeAt: store, to: url("new.sqlite"), mappings: trial.mappings, options: options),
      try await manager.plan(storeInPlaceAt: store, mappings: trial.mappings, options: options),
    ] {
      let lanes = plan.steps.flatMap { $0.passes.flatMap { $0.mappings.map(\.lane) } }
      #expect(!lanes.isEmpty && lanes.allSatisfy { $0 == .row })
    }
    // What may not be lost is refused by the plan as by the migration.
    let nameless = try mapping(
      """
      {"type": "transform", "source": "Car", "destination": "Car"},
      {"type": "copy", "source": "Person", "destination": "Person"}
      """)
    for plan in [
      {
        try await self.manager.plan(
          storeInPlaceAt: self.store, mappings: [nameless], options: options)
      },
      {
        try await self.manager.plan(
          storeAt: self.store, to: self.url("new.sqlite"), mappings: [nameless], options: options)
      },
    ] {
      let error = try await #require(throws: MigrationError.self) { try await plan() }
      #expect(error.kind == .valuesLost)
    }
    #expect(try await manager.plan(storeInPlaceAt: store, mappings: [nameless]).losses.count > 0)
    options.output.type = "xml"
    options.allowed.losses = .all
    #expect(
      try await manager.plan(
        storeAt: store, to: url("new.xml"), mappings: trial.mappings, options: options
      ).isUpToDate == false)
    let error = try await #require(throws: MigrationError.self) {
      try await manager.plan(storeInPlaceAt: store, mappings: trial.mappings, options: options)
    }
    #expect(error.codes == ["RUN-014"])
  }

  @Test func `a destination that is in the way is found by the plan of that destination alone`()
    async throws
  {
    try trial.directory.write([1, 2, 3], to: "new.sqlite")
    let beside = try await #require(throws: MigrationError.self) {
      try await manager.plan(storeAt: store, to: url("new.sqlite"), mappings: trial.mappings)
    }
    #expect(beside.codes == ["RUN-002"])
    var options = MigrationOptions()
    options.keptStoresFolder = url("missing")
    let inPlace = try await #require(throws: MigrationError.self) {
      try await manager.plan(storeInPlaceAt: store, mappings: trial.mappings, options: options)
    }
    #expect(inPlace.codes == ["RUN-003"])
    options.oldStore = .remove
    #expect(
      try await !manager.plan(storeInPlaceAt: store, mappings: trial.mappings, options: options)
        .isUpToDate)
    #expect(
      try await !manager.plan(storeAt: store, to: url("other.sqlite"), mappings: trial.mappings)
        .isUpToDate)
  }

  @Test func `what is done already is planned as nothing to do`() async throws {
    _ = try await manager.migrate(
      storeAt: store, to: url("new.sqlite"), mappings: trial.mappings
    ).value
    let done = try await manager.plan(
      storeAt: store, to: url("new.sqlite"), mappings: trial.mappings)
    #expect(done.isUpToDate)
    #expect(done.destinationPath == trial.directory.path("new.sqlite"))
    #expect(
      try await !manager.plan(storeAt: store, to: url("other.sqlite"), mappings: trial.mappings)
        .isUpToDate)
  }
}
