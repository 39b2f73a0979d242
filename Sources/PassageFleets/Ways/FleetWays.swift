internal import PassageDiagnostics
package import PassageEngine
package import PassageMappings
internal import PassageModels
package import PassageProjects
package import PassageStores
internal import Synchronization

/// The ways from the versions of stores to the one that a fleet is to have. What is the same for all
/// stores of a version is found, checked and planned once.
///
/// Used by several threads at once.
package final class FleetWays: Sendable {
  /// What a call asks for.
  package enum Wish: Sendable {
    /// These mapping models, in this order.
    case mappings([MappingModel])
    /// A version, to which the history leads.
    case version(StepSearch)
  }

  /// What decides the way of a store.
  private struct Key: Hashable {
    /// The store's version hashes; empty where the way is the same for every version.
    var hashes: [String: [UInt8]] = [:]
    /// What models took over from the store: names of model and entity.
    var adopted: [[String]] = []
  }

  private struct State {
    var ways: [Key: (way: StoreWay, use: UInt64)] = [:]
    var uses: UInt64 = 0
  }

  /// So many ways are kept, those that were used last.
  private static let maximumWays = 64

  let project: Project
  let wish: Wish
  let policies: PolicyRegistry
  let options: MigrationOptions
  /// Whether models may take hashes over from a store.
  private let mayAdopt: Bool
  private let state = Mutex(State())

  /// - Parameters:
  ///   - options: how every store is migrated.
  package init(
    project: Project, wish: Wish, policies: PolicyRegistry, options: MigrationOptions
  ) {
    self.project = project
    self.wish = wish
    mayAdopt = project.models.mayLackHashes
    self.policies = policies
    var options = options
    if case .version = wish { options.isAnsweredByVersion = true }
    self.options = options
  }

  /// Checks what can be checked without a store.
  ///
  /// - Throws: ``MigrationError`` with everything that is wrong with mapping models that the call
  ///   names; for a version, that it does not exist.
  package func check() throws {
    switch wish {
    case .mappings: _ = try way(Key(), project, hashes: [:], path: "")
    case .version(let search): _ = try search.target()
    }
  }

  /// The way of a store, and its metadata if it is in Core Data's layout and could be read, with what
  /// was seen of it.
  ///
  /// - Parameter rollBack: puts right what keeps the store from being read as it is. Called unless the
  ///   store is seen to have no file beside it.
  /// - Throws: what a run of the store alone would throw.
  package func way(
    ofStoreAt path: String, rollBack: () throws -> Void = {}
  ) throws -> (way: StoreWay, metadata: StoreMetadata?, sight: StoreSight?) {
    let metadata: StoreMetadata
    let sight: StoreSight?
    if let found = try? StoreMetadata.seeSingle(path: path) {
      (metadata, sight) = found
    } else {
      try rollBack()
      do throws(StoreError) {
        (metadata, sight) = try StoreMetadata.see(path: path)
      } catch {
        return (try unusualWay(path), nil, nil)
      }
    }
    let project = mayAdopt ? try project.adoptingHashes(ofStoreAt: path) : project
    var key = Key(adopted: project.adoptedHashes.map { [$0.modelName, $0.entityName] })
    if case .version = wish { key.hashes = metadata.versionHashes }
    let way = try way(key, project, hashes: metadata.versionHashes, path: path)
    return (way, metadata, sight)
  }

  /// The way of a store that is not in Core Data's layout, or that cannot be read at the moment.
  private func unusualWay(_ path: String) throws -> StoreWay {
    switch wish {
    case .mappings:
      return try way(Key(), project, hashes: [:], path: path)
    case .version(let search):
      let (mappings, target) = try search.mappings(ofStoreAt: path)
      return try make(mappings, target, project)
    }
  }

  private func way(
    _ key: Key, _ project: Project, hashes: [String: [UInt8]], path: String
  ) throws -> StoreWay {
    try state.withLock { state in
      state.uses += 1
      if let known = state.ways[key] {
        state.ways[key]?.use = state.uses
        return known.way
      }
      let way: StoreWay
      switch wish {
      case .mappings(let mappings): way = try make(mappings, nil, project)
      case .version(let search):
        let adopting = StepSearch(
          project: project, version: search.version, isInferring: search.isInferring,
          options: search.options)
        let (mappings, target) = try adopting.mappings(fromHashes: hashes, storePath: path)
        way = try make(mappings, target, project)
      }
      if state.ways.count >= Self.maximumWays,
        let oldest = state.ways.min(by: { $0.value.use < $1.value.use })
      {
        state.ways[oldest.key] = nil
      }
      state.ways[key] = (way, state.uses)
      return way
    }
  }

  private func make(
    _ mappings: [MappingModel], _ target: Model?, _ project: Project
  ) throws -> StoreWay {
    let models = project.models.named(mappings.flatMap { [$0.source.value, $0.destination.value] })
    return StoreWay(
      mappings: mappings, target: target, models: models,
      prepared: mappings.isEmpty
        ? nil : try PreparedCall(mappings, models: models, policies: policies, options: options))
  }
}
