package import PassageDiagnostics
package import PassageMappings
package import PassageModels
internal import PassagePlatform
internal import PassageReaders
internal import PassageStores

/// The files of a project: its history, the models of its versions, its mapping models.
package struct Project: Sendable {
  /// `Migrations/`
  package let migrationsDirectory: String
  /// `Mappings/`
  package let mappingsDirectory: String
  /// Where further models are.
  let modelPaths: [String]
  package let history: History
  /// Whether the folder has a `history.json`; the history is empty if not.
  package let hasHistoryFile: Bool
  /// The models of the history's versions and the additional ones, by name. The name of a version
  /// replaces the name of its model.
  package private(set) var models: KnownModels
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
    self.modelPaths = modelPaths
    let path = migrationsDirectory + "/history.json"
    let bytes = try TextFile.contents(path)
    hasHistoryFile = bytes != nil
    if let bytes {
      history = try HistoryDocument.decode(bytes, file: path)
    } else {
      history = History(versions: [], steps: [])
    }
    var models: [String: Model] = [:]
    var diagnostics = Diagnostics()
    // Versions may share a file, which is read once for all of them.
    var read: [ExactText: Model?] = [:]
    for version in history.versions {
      let file = ExactText(version.model.value)
      if read[file] == nil {
        do {
          read[file] = .some(
            try ModelFile.read(path: Self.path(file.text, in: migrationsDirectory)))
        } catch {
          diagnostics.append(contentsOf: error)
          read[file] = .some(nil)
        }
      }
      if var model = read[file] ?? nil {
        model.name = version.name.value
        models[version.name.value] = model
      }
    }
    var current: [String?] = []
    var unread: [String: KnownModels.Unread] = [:]
    var unreadable: [String: Diagnostics] = [:]
    for path in modelPaths {
      do {
        let bundle = try ModelBundle(path)
        current.append(bundle.current)
        if let model = bundle.first, unread[model.name] == nil {
          models[model.name] = models[model.name] ?? model
        }
        unread.merge(bundle.unread) { first, _ in first }
        unreadable.merge(bundle.unreadable) { first, _ in first }
      } catch {
        diagnostics.append(contentsOf: error)
      }
    }
    try diagnostics.throwIfErrors()
    versionNames = history.versions.map(\.name.value)
    self.models = KnownModels(
      models, unread: unread, unreadable: unreadable, versionNames: versionNames)
    defaultVersionName = versionNames.last ?? (current.count == 1 ? current[0] : nil)
  }

  /// Throws why a version cannot be read, if it is one of a bundle.
  package func checkReadable(_ version: String) throws(Diagnostics) {
    if models[version] == nil, let mistakes = unreadable[version] { throw mistakes }
  }

  /// Why versions of a bundle of models cannot be read, by name, of those that were asked for so
  /// far. The other versions can be used all the same.
  package var unreadable: [String: Diagnostics] { models.unreadable }

  /// The version hashes that were taken from elsewhere, because they cannot be computed with
  /// certainty.
  package var adoptedHashes: [AdoptedHash] { models.adoptedHashes }

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
    models.model(withHashes: hashes)
  }

  /// The models of the versions, the newest first, then the other models by name.
  package var modelsNewestFirst: [Model] { models.newestFirst }

  /// Reads mapping models by name or by path: see ``MappingFolder/mappingModels(named:)``.
  package func mappingModels(named names: [String]) throws(Diagnostics) -> [MappingModel] {
    try mappingFolder.mappingModels(named: names)
  }

  /// The folder of mapping models. Those from Xcode are read with the project's models.
  package var mappingFolder: MappingFolder {
    MappingFolder(path: mappingsDirectory, models: models)
  }

  /// The path of the model of a version of the history; `nil` for any other name.
  package func modelPath(of version: String) -> String? {
    history.versions.first { $0.name.value == version }
      .map { Self.path($0.model.value, in: migrationsDirectory) }
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
    guard models.mayLackHashes else { return self }
    let read: ReadModel
    do {
      read = try ModelFile.load(path: path)
    } catch {
      if error.errors.contains(where: { Self.passingCodes.contains($0.code) }) { throw error }
      return self
    }
    if read.isGuessed { return self }
    var project = self
    project.models = models.adoptingHashes(of: read.model, from: "the store \(path)")
    return project
  }

  /// Errors that may not occur at another attempt: the store is locked by another program,
  /// permissions, the disk, too many open files.
  private static let passingCodes: Set<String> = [
    "MOD-133", "STO-111", "STO-112", "STO-113", "STO-115", "STO-116", "STO-160",
  ]
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
