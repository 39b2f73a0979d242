package import PassageDiagnostics
package import PassageModels
internal import PassageReaders
internal import PassageStores
internal import Synchronization

/// The models that a project knows, by name. The versions of a bundle are read when they are asked
/// for, so that a bundle of a hundred versions costs what the versions that are used cost.
///
/// Copies share what they have read, and may be used by several threads.
package final class KnownModels: Sendable {
  /// A version of a bundle that has not been read.
  struct Unread: Sendable {
    /// The path of the version, for ``ModelFile``.
    var path: String
    /// The names of its entities, if they can be told without reading it.
    var entityNames: Set<String>?
  }

  private struct State {
    var models: [String: Model]
    var unread: [String: Unread]
    var unreadable: [String: Diagnostics]
    /// Models from elsewhere that give version hashes, with their sources.
    var givers: [(model: Model, source: String)] = []
    var adopted: [AdoptedHash] = []
  }

  /// The versions of the history, oldest first.
  private let versionNames: [String]
  /// Models that tell the names of join tables, by name.
  private let telling: [Model]
  private let state: Mutex<State>

  /// - Parameters:
  ///   - models: the models that have been read, by name.
  ///   - unread: the versions that have not, by name; those of names in `models` are ignored.
  ///   - unreadable: why others cannot be read.
  ///   - versionNames: the versions of the history, oldest first.
  init(
    _ models: [String: Model], unread: [String: Unread], unreadable: [String: Diagnostics],
    versionNames: [String]
  ) {
    self.versionNames = versionNames
    telling = models.values.filter(\.tellsJoinTableNames).sorted { $0.name < $1.name }
    var state = State(
      models: [:], unread: unread.filter { models[$0.key] == nil },
      unreadable: unreadable.filter { models[$0.key] == nil })
    for (name, model) in models { state.models[name] = Self.adopting(telling, model) }
    self.state = Mutex(state)
    self.state.withLock { adoptAmongEachOther(&$0) }
  }

  private init(copying other: KnownModels, giver: (model: Model, source: String)) {
    versionNames = other.versionNames
    telling = other.telling
    var state = other.state.withLock { $0 }
    state.givers.append(giver)
    for name in state.models.keys { Self.adopt(from: giver, &state, name) }
    self.state = Mutex(state)
  }

  // MARK: Models

  /// The model with this name; `nil` if there is none, or if it cannot be read.
  package subscript(name: String) -> Model? {
    state.withLock { state in
      read(name, &state)
      return state.models[name]
    }
  }

  /// The names of all models, sorted, with those that have not been read.
  package var names: [String] {
    state.withLock { Set($0.models.keys).union($0.unread.keys) }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Every model, by name. Reads those that have not been read.
  package var all: [String: Model] {
    state.withLock { state in
      readAll(&state)
      return state.models
    }
  }

  /// The models with these names, or every one if one of the names is not known, so that a message
  /// can name the nearest.
  package func named(_ names: some Sequence<String>) -> [String: Model] {
    var found: [String: Model] = [:]
    for name in names {
      guard let model = self[name] else { return all }
      found[name] = model
    }
    return found
  }

  /// Why versions cannot be read, by name, of those that were asked for so far.
  package var unreadable: [String: Diagnostics] { state.withLock { $0.unreadable } }

  /// The models of the versions, the newest first, then the other models by name. Reads all.
  package var newestFirst: [Model] {
    let all = all
    return order(all.keys).compactMap { all[$0] }
  }

  /// The model with exactly these version hashes; if several have them, the first of
  /// ``newestFirst``.
  ///
  /// Versions whose entities have other names are only read if no other has the hashes.
  package func model(withHashes hashes: [String: [UInt8]]) -> Model? {
    state.withLock { state in
      readLikely(hashes, &state)
      if let found = first(withHashes: hashes, state) { return found }
      readAll(&state)
      return first(withHashes: hashes, state)
    }
  }

  /// The names of the models with exactly these version hashes, among those that have been read or
  /// whose entities have these names.
  package func names(withHashes hashes: [String: [UInt8]]) -> Set<String> {
    state.withLock { state in
      readLikely(hashes, &state)
      return Set(state.models.filter { $0.value.versionHashes == hashes }.keys)
    }
  }

  /// Reads the versions that may have these version hashes, judged by the names of their entities.
  private func readLikely(_ hashes: [String: [UInt8]], _ state: inout State) {
    let names = Set(hashes.keys)
    for name in state.unread.keys.sorted()
    where state.unread[name]?.entityNames.map({ $0 == names }) ?? true {
      read(name, &state)
    }
  }

  private func first(withHashes hashes: [String: [UInt8]], _ state: State) -> Model? {
    order(state.models.keys).lazy.compactMap { state.models[$0] }
      .first { $0.versionHashes == hashes }
  }

  private func order(_ names: some Sequence<String>) -> [String] {
    let versions = Set(versionNames)
    return versionNames.reversed()
      + names.filter { !versions.contains($0) }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  // MARK: Reading

  private func read(_ name: String, _ state: inout State) {
    guard let version = state.unread.removeValue(forKey: name) else { return }
    do throws(Diagnostics) {
      state.models[name] = Self.adopting(telling, try ModelFile.read(path: version.path))
    } catch {
      state.unreadable[name] = error
      return
    }
    for giver in state.givers { Self.adopt(from: giver, &state, name) }
    // Any other version may have recorded the hash that this one lacks.
    if state.models[name]?.entitiesWithUnprovedHash.isEmpty == false {
      adoptAmongEachOther(&state)
    }
  }

  private func readAll(_ state: inout State) {
    guard !state.unread.isEmpty else { return }
    for name in state.unread.keys.sorted() { read(name, &state) }
    adoptAmongEachOther(&state)
  }

  // MARK: What models tell each other

  /// Models of equal version hashes share what one of them tells about the names of join tables: one
  /// that was read from a store tells what the store shows.
  private static func adopting(_ telling: [Model], _ model: Model) -> Model {
    telling.reduce(model) { model, other in
      other.name != model.name && other.versionHashes == model.versionHashes
        ? model.adoptingJoinTableNames(of: other) : model
    }
  }

  /// Takes over version hashes from models of the same shape, newest first.
  private func adoptAmongEachOther(_ state: inout State) {
    if state.models.values.contains(where: { !$0.entitiesWithUnprovedHash.isEmpty }) {
      readAll(&state)
    }
    // Nearly always there is none, and every model would be compared with every other.
    let takers = state.models.filter { !$0.value.entitiesWithUnprovedHash.isEmpty }.keys.sorted()
    guard !takers.isEmpty else { return }
    for name in order(state.models.keys) {
      guard let giver = state.models[name] else { continue }
      for taker in takers {
        Self.adopt(from: (giver, "the model “\(giver.name)”"), &state, taker)
      }
    }
  }

  private static func adopt(
    from giver: (model: Model, source: String), _ state: inout State, _ name: String
  ) {
    guard let model = state.models[name], !model.entitiesWithUnprovedHash.isEmpty else { return }
    let (adopting, entities) = model.adoptingHashes(of: giver.model)
    state.models[name] = adopting
    state.adopted += entities.map {
      AdoptedHash(modelName: name, entityName: $0, source: giver.source)
    }
  }

  /// The version hashes that were taken from elsewhere, by model and entity.
  package var adoptedHashes: [AdoptedHash] {
    state.withLock { $0.adopted }.sorted {
      $0.modelName != $1.modelName
        ? $0.modelName.utf8.lexicographicallyPrecedes($1.modelName.utf8)
        : $0.entityName.utf8.lexicographicallyPrecedes($1.entityName.utf8)
    }
  }

  /// Whether a model may lack a version hash. One that has not been read may.
  package var mayLackHashes: Bool {
    state.withLock { state in
      !state.unread.isEmpty
        || state.models.values.contains { !$0.entitiesWithUnprovedHash.isEmpty }
    }
  }

  /// The same models with version hashes from another model.
  func adoptingHashes(of model: Model, from source: String) -> KnownModels {
    KnownModels(copying: self, giver: (model, source))
  }
}
