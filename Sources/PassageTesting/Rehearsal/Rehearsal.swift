public import Passage
internal import PassageDiagnostics
internal import PassageEngine
internal import PassageExpressions
internal import PassageModels
public import PassagePlatform
internal import PassageProjects
internal import PassageStores

/// Tries the migrations of a project before an app is released: a made-up store of each version of
/// its history, and real stores, go every way to the newest version, and all ways must give the same
/// store.
///
/// ```swift
/// @Test func `every version can be migrated`() throws {
///   let report = try Rehearsal(migrations: folder, policies: [FullName.self]).run()
///   #expect(report.failures == [])
/// }
/// ```
///
/// Nothing is left behind, and real stores are only read.
public struct Rehearsal: Sendable {
  /// The number of made-up objects of each entity; less than 0 counts as 0.
  public var objectCount = 40
  /// The seed of the made-up objects; `nil` for a new one, which the report names.
  public var seed: UInt64?
  /// Whether attributes and relationships that may be empty are, now and then. Turn it off where a
  /// later version requires what earlier apps always wrote.
  public var makesNil = true
  /// Whether steps for which the history names no mapping model may be inferred.
  public var allowsInference = false
  /// The version to reach; `nil` for the newest.
  public var target: String?

  let migrations: URL
  let mappings: URL
  let policies: PolicyRegistry

  /// Describes a rehearsal; nothing is read yet.
  ///
  /// - Parameters:
  ///   - migrations: the folder with `history.json` and the models.
  ///   - mappings: the folder with the mapping models; if `nil`, the folder `Mappings` beside
  ///     `migrations`.
  ///   - policies: the policies that mapping models may name.
  ///   - functions: your own functions that filters and values may call by name.
  public init(
    migrations: URL, mappings: URL? = nil, policies: [any MigrationPolicy.Type] = [],
    functions: [ValueFunction] = []
  ) {
    self.init(
      migrations: migrations, mappings: mappings,
      registry: PolicyRegistry(policies, functions: functions))
  }

  package init(migrations: URL, mappings: URL?, registry: PolicyRegistry) {
    self.migrations = migrations
    self.mappings = mappings ?? migrations.deletingLastPathComponent().appending(path: "Mappings")
    policies = registry
  }

  /// Rehearses on the calling thread.
  ///
  /// - Parameter stores: real stores that go the same ways. They are only read.
  /// - Returns: what happened on every way. A migration that fails is not thrown: the report
  ///   contains it.
  /// - Throws: `MigrationError` when the history cannot be read, or has no such version.
  public func run(stores: [URL] = []) throws(MigrationError) -> RehearsalReport {
    try run(stores: stores.map(\.path), control: RunControl())
  }

  /// - Parameter control: stops the rehearsal between two ways.
  package func run(
    stores: [String], control: RunControl
  ) throws(MigrationError) -> RehearsalReport {
    do {
      return try perform(stores, control)
    } catch {
      throw MigrationError(error, store: migrations.path)
    }
  }

  private func perform(_ stores: [String], _ control: RunControl) throws -> RehearsalReport {
    let started = ContinuousClock.now
    let project = try Project(
      migrationsDirectory: migrations.path, mappingsDirectory: mappings.path)
    let (name, model) = try project.destination(target)
    let seed = seed ?? UInt64.random(in: 0...UInt64(UInt32.max))
    let versions = project.versionNames.prefix { $0 != name }
    var report = RehearsalReport(target: name, seed: seed, subjects: [])
    for version in versions {
      try control.checkCancellation()
      guard let source = project.models[version] else { continue }
      let folder = try TemporaryDirectory()
      var subject = RehearsalReport.Subject(
        name: "made up", isMadeUp: true, version: version, objects: 0, trials: [])
      let path = folder.path("source.sqlite")
      do {
        let store = try TestStore(model: source, at: path)
        subject.objects = Int64(
          try store.insertMadeUpObjects(
            count: objectCount, seed: seed, makesNil: makesNil))
        try store.close()
      } catch {
        let error = MigrationError(error, store: path)
        subject.trials = [failed(error)]
        report.subjects.append(subject)
        continue
      }
      subject.trials = try trials(of: path, from: version, project, model, folder, control)
      report.subjects.append(subject)
    }
    for path in stores {
      try control.checkCancellation()
      report.subjects.append(try subject(path, project, model, control))
    }
    report.seconds = started.duration(to: .now) / .seconds(1)
    return report
  }

  private func subject(
    _ path: String, _ project: Project, _ model: Model, _ control: RunControl
  ) throws -> RehearsalReport.Subject {
    var subject = RehearsalReport.Subject(
      name: path, isMadeUp: false, version: nil, objects: 0, trials: [])
    do {
      let store = try StoreFile.open(path: path)
      let own = try project.adoptingHashes(ofStoreAt: path)
      let found = own.model(withHashes: store.metadata.versionHashes)
      subject.version = found?.name
      if let found {
        subject.objects = try store.objectCounts(store.layout(of: found)).byEntity.values
          .reduce(0, +)
      }
      subject.trials = try trials(
        of: path, from: found?.name, own, model, TemporaryDirectory(), control)
    } catch let cancellation as Cancellation {
      throw cancellation
    } catch {
      subject.trials = [failed(MigrationError(error, store: path))]
    }
    return subject
  }

  private func failed(_ error: MigrationError) -> RehearsalReport.Trial {
    RehearsalReport.Trial(
      way: .direct, outcome: .failed("\(error)", error.kind), seconds: 0,
      findings: Array(error.diagnostics))
  }

  private func trials(
    of path: String, from version: String?, _ project: Project, _ model: Model,
    _ folder: TemporaryDirectory, _ control: RunControl
  ) throws -> [RehearsalReport.Trial] {
    let ways = RehearsalWays(
      rehearsal: self, project: project, target: model, path: path, version: version,
      folder: folder, control: control)
    return try ways.run()
  }
}
