public import PassageDiagnostics
public import PassageMappings
public import PassageModels
internal import PassageReaders

/// The files of a project: its history, the models of its versions, its mapping models.
public struct Project: Sendable {
  /// `Migrations/`
  public let migrationsDirectory: String
  /// `Mappings/`
  public let mappingsDirectory: String
  public let history: History
  /// The models of the history's versions and those given besides, by name. A model's own name
  /// gives way to its version's.
  public let models: [String: Model]
  /// The versions' names, oldest first.
  public let versionNames: [String]

  /// Reads a project.
  ///
  /// - Parameters:
  ///   - migrationsDirectory: holds `history.json`; a folder without one has no versions.
  ///   - mappingsDirectory: holds one `<name>.json` for each mapping model.
  ///   - modelPaths: further models, which mapping models may name by their files' names.
  /// - Throws: everything that is wrong with the history and the models.
  public init(
    migrationsDirectory: String, mappingsDirectory: String, modelPaths: [String] = []
  ) throws(Diagnostics) {
    self.migrationsDirectory = migrationsDirectory
    self.mappingsDirectory = mappingsDirectory
    let path = migrationsDirectory + "/history.json"
    if let bytes = TextFile.contents(path) {
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
    for path in modelPaths {
      do {
        let versions = try ModelFile.list(path: path)
        for name in versions.names {
          let isOne = versions.names.count == 1
          let model = try ModelFile.read(path: isOne ? path : "\(path):\(name)")
          models[model.name] = models[model.name] ?? model
        }
      } catch {
        diagnostics.append(contentsOf: error)
      }
    }
    try diagnostics.throwIfErrors()
    self.models = models
    versionNames = history.versions.map(\.name.value)
  }

  /// The store the history names, as a path; `nil` when it names none.
  public var storePath: String? {
    history.store.map { Self.path($0.value, in: migrationsDirectory) }
  }

  /// The model with exactly these version hashes; the newest version where several are equal.
  public func model(withHashes hashes: [String: [UInt8]]) -> Model? {
    let versions = versionNames.reversed().compactMap { models[$0] }
    let others = models.keys.sorted().filter { !versionNames.contains($0) }.compactMap {
      models[$0]
    }
    return (versions + others).first { $0.versionHashes == hashes }
  }

  /// Reads mapping models by name or by path: see ``MappingFolder/mappingModels(named:)``.
  public func mappingModels(named names: [String]) throws(Diagnostics) -> [MappingModel] {
    try mappingFolder.mappingModels(named: names)
  }

  /// The folder of mapping models, those of Xcode's to be understood with the project's models.
  public var mappingFolder: MappingFolder {
    MappingFolder(
      path: mappingsDirectory, models: models.sorted { $0.key < $1.key }.map(\.value))
  }

  private static func path(_ path: String, in directory: String) -> String {
    path.hasPrefix("/") ? path : "\(directory)/\(path)"
  }
}
