internal import Passage
internal import PassageFiles

/// The store whose objects `select` examines, and its model. A store of another type is loaded as a
/// migration loads it, into a temporary file.
struct SelectedStore {
  let path: String
  /// The model that the call names; `nil` for none.
  let modelPath: String?
  let places: ProjectPlaces

  /// Opens the store.
  ///
  /// - Throws: ``MigrationError``, `StoreError`, and `Diagnostics` with every record that cannot
  ///   become an object.
  func open(_ console: Console) throws -> (store: OpenStore, model: Model) {
    guard let type = CommandContext.storeTypes.type(ofFileAt: path) else {
      let store = try StoreFile.open(path: path)
      return (store, try model { $0?.model(withHashes: store.metadata.versionHashes) })
    }
    let model = try model { known in
      let models = known.map { known in known.versionNames.compactMap { known.models[$0] } } ?? []
      let others = known?.models.all.sorted { $0.key < $1.key }.map(\.value) ?? []
      return (models + others).first { (try? type.open(path: path, as: $0)) != nil }
        ?? Self.declared(path, type)
    }
    // A store from standard input has a folder already, which is removed after the command.
    let own = CommandContext.input == nil ? try PrivateFolder() : nil
    // The open file stays readable, and nothing is left behind even if the process is killed.
    defer { if let problem = own?.remove() { console.printWarning(problem) } }
    let staged = (own?.path ?? FileSystem.folder(of: path)) + "/staged.sqlite"
    try StagedStore.stage(path, of: type, as: model, to: staged)
    let store = try StoreFile.open(path: staged)
    for warning in try StagedStore.warnings(store.connection, path: path).all {
      console.printWarning(warning)
    }
    return (store, model)
  }

  private static func declared(_ path: String, _ type: any StoreType) -> Model? {
    try? type.model(path: path)
  }

  /// The model that the call names, otherwise a known one, otherwise the store's own.
  private func model(known find: (Project?) -> Model?) throws -> Model {
    var mistakes = CallMistakes(diskState: nil)
    if let modelPath {
      do throws(Diagnostics) {
        return try ModelFile.read(path: modelPath)
      } catch {
        mistakes.add(inNamedFiles: error)
        try mistakes.throwIfErrors()
        throw error
      }
    }
    let known = ProjectReader(places).project(&mistakes)
    if places.migrations != nil || !places.models.isEmpty { try mistakes.throwIfErrors() }
    if let model = find(known) { return model }
    return try ModelFile.read(path: path)
  }
}
