package import PassageDiagnostics
package import PassageMappings
package import PassageModels
internal import PassageReaders
internal import PassageStores

/// The files of a project: its history, the models of its versions, its mapping models.
package struct Project: Sendable {
  /// `Migrations/`
  package let migrationsDirectory: String
  /// `Mappings/`
  package let mappingsDirectory: String
  package let history: History
  /// The models of the history's versions and the additional ones, by name. The name of a version
  /// replaces the name of its model.
  package private(set) var models: [String: Model]
  /// Why versions of a bundle of models cannot be read, by name. The other versions can be used all
  /// the same.
  package let unreadable: [String: Diagnostics]
  /// The version hashes that were taken from elsewhere, because they cannot be computed with
  /// certainty.
  package private(set) var adoptedHashes: [AdoptedHash] = []
  /// The versions' names, oldest first.
  package let versionNames: [String]
  /// The default version: the newest of the history or, without a history, the current version of
  /// the only given bundle of models. `nil` when there is none.
  package let defaultVersionName: String?

  /// Reads a project.
  ///
  /// - Parameters:
  ///   - migrationsDirectory: the folder with `history.json`; a folder without it has no versions.
  ///   - mappingsDirectory: the folder with one `<name>.json` for each mapping model.
  ///   - modelPaths: additional models, which mapping models may name by their file names.
  /// - Throws: everything that is wrong with the history and the models, but for versions of a bundle
  ///   some of whose versions can be read.
  package init(
    migrationsDirectory: String, mappingsDirectory: String, modelPaths: [String] = []
  ) throws(Diagnostics) {
    self.migrationsDirectory = migrationsDirectory
    self.mappingsDirectory = mappingsDirectory
    let path = migrationsDirectory + "/history.json"
    if let bytes = try TextFile.contents(path) {
      history = try HistoryDocument.decode(bytes, file: path)
    } else {
      history = History(versions: [], steps: [])
    }
    var models: [String: Model] = [:]
    var diagnostics = Diagnostics()
    for version in history.versions {
      do {
        var model = try ModelFile.read(
          path: Self.path(version.model.value, in: migrationsDirectory))
        model.name = version.name.value
        models[version.name.value] = model
      } catch {
        diagnostics.append(contentsOf: error)
      }
    }
    var current: [String?] = []
    var unreadable: [String: Diagnostics] = [:]
    for path in modelPaths {
      do {
        let bundle = try Self.readBundle(path)
        current.append(bundle.current)
        for model in bundle.models { models[model.name] = models[model.name] ?? model }
        unreadable.merge(bundle.unreadable) { first, _ in first }
      } catch {
        diagnostics.append(contentsOf: error)
      }
    }
    try diagnostics.throwIfErrors()
    self.models = Self.adoptingJoinTableNames(models)
    self.unreadable = unreadable.filter { models[$0.key] == nil }
    versionNames = history.versions.map(\.name.value)
    defaultVersionName = versionNames.last ?? (current.count == 1 ? current[0] : nil)
    for model in modelsNewestFirst { adoptHashes(of: model, from: "the model “\(model.name)”") }
  }

  /// The versions of a bundle, or a single model.
  ///
  /// - Throws: everything that is wrong with them if none can be read.
  private static func readBundle(
    _ path: String
  ) throws(Diagnostics) -> (
    current: String?, models: [Model], unreadable: [String: Diagnostics]
  ) {
    let versions = try ModelFile.list(path: path)
    var models: [Model] = []
    var unreadable: [String: Diagnostics] = [:]
    for name in versions.names {
      do {
        models.append(
          try ModelFile.read(path: versions.names.count == 1 ? path : "\(path):\(name)"))
      } catch {
        unreadable[name] = error
      }
    }
    if models.isEmpty {
      try Diagnostics(versions.names.flatMap { unreadable[$0]?.all ?? [] }).throwIfErrors()
    }
    return (versions.current, models, unreadable)
  }

  /// Models of equal version hashes share what one of them tells about the names of join tables: one
  /// that was read from a store tells what the store shows.
  private static func adoptingJoinTableNames(_ models: [String: Model]) -> [String: Model] {
    let telling = models.values.filter(\.tellsJoinTableNames).sorted { $0.name < $1.name }
    guard !telling.isEmpty else { return models }
    return models.mapValues { model in
      telling.reduce(model) { model, other in
        other.name != model.name && other.versionHashes == model.versionHashes
          ? model.adoptingJoinTableNames(of: other) : model
      }
    }
  }

  /// Throws why a version cannot be read, if it is one of a bundle.
  package func checkReadable(_ version: String) throws(Diagnostics) {
    if let mistakes = unreadable[version] { throw mistakes }
  }

  /// What is wrong with versions that cannot be read, as warnings.
  package var unreadableVersions: Diagnostics {
    Diagnostics(
      unreadable.sorted { $0.key < $1.key }.flatMap(\.value.errors).map { mistake in
        var warning = mistake
        warning.severity = .warning
        return warning
      })
  }

  /// The path of the store that the history names; `nil` when it names none.
  package var storePath: String? {
    history.store.map { Self.path($0.value, in: migrationsDirectory) }
  }

  /// The model with exactly these version hashes; if several have them, the newest version.
  package func model(withHashes hashes: [String: [UInt8]]) -> Model? {
    modelsNewestFirst.first { $0.versionHashes == hashes }
  }

  /// The models of the versions, the newest first, then the other models by name.
  package var modelsNewestFirst: [Model] {
    let versions = Set(versionNames)
    let others = models.keys.filter { !versions.contains($0) }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return (versionNames.reversed() + others).compactMap { models[$0] }
  }

  /// Reads mapping models by name or by path: see ``MappingFolder/mappingModels(named:)``.
  package func mappingModels(named names: [String]) throws(Diagnostics) -> [MappingModel] {
    try mappingFolder.mappingModels(named: names)
  }

  /// The folder of mapping models. Those from Xcode are read with the project's models.
  package var mappingFolder: MappingFolder {
    MappingFolder(
      path: mappingsDirectory, models: models.sorted { $0.key < $1.key }.map(\.value))
  }

  private static func path(_ path: String, in directory: String) -> String {
    path.hasPrefix("/") ? path : "\(directory)/\(path)"
  }

  /// The project with version hashes from a store's own model, for known models of the same shape
  /// whose hashes cannot be computed with certainty. Nothing else is taken from the store. A store
  /// that contains no model changes nothing.
  ///
  /// - Throws: an error of the system when the store cannot be read at the moment; if it were
  ///   treated as a store without a model, its version would be unknown. Mistakes in the store
  ///   itself are reported by the code that reads it next.
  package func adoptingHashes(ofStoreAt path: String) throws(Diagnostics) -> Project {
    guard models.values.contains(where: { !$0.entitiesWithUnprovedHash.isEmpty }) else {
      return self
    }
    let read: ReadModel
    do {
      read = try ModelFile.load(path: path)
    } catch {
      if error.errors.contains(where: { Self.passingCodes.contains($0.code) }) { throw error }
      return self
    }
    if read.isGuessed { return self }
    var project = self
    project.adoptHashes(of: read.model, from: "the store \(path)")
    return project
  }

  /// Errors that may not occur at another attempt: the store is locked by another program,
  /// permissions, the disk, too many open files.
  private static let passingCodes: Set<String> = [
    "STO-111", "STO-112", "STO-113", "STO-115", "STO-160",
  ]

  private mutating func adoptHashes(of other: Model, from source: String) {
    for (name, model) in models where !model.entitiesWithUnprovedHash.isEmpty {
      let (adopting, entities) = model.adoptingHashes(of: other)
      models[name] = adopting
      adoptedHashes += entities.map {
        AdoptedHash(modelName: name, entityName: $0, source: source)
      }
    }
    adoptedHashes.sort {
      $0.modelName != $1.modelName
        ? $0.modelName.utf8.lexicographicallyPrecedes($1.modelName.utf8)
        : $0.entityName.utf8.lexicographicallyPrecedes($1.entityName.utf8)
    }
  }
}

/// A version hash that a model took from elsewhere, because it cannot be computed with certainty.
package struct AdoptedHash: Sendable, Hashable {
  /// The model that took it.
  package let modelName: String
  /// The entity whose hash it is.
  package let entityName: String
  /// Where the hash was recorded, as a clause.
  package let source: String
}

extension AdoptedHash: CustomStringConvertible {
  /// One sentence without a full stop.
  package var description: String {
    "the version hash of “\(modelName)”, \(entityName), is the one recorded in \(source)"
  }
}
