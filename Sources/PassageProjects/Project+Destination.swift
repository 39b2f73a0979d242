internal import PassageDiagnostics
package import PassageEngine
internal import PassageFiles
package import PassageModels
package import PassageStores

extension Project {
  /// The version that is asked for, which the history need not have; for `nil` the newest.
  ///
  /// - Throws: `PLN-017` when the newest is wanted of a history without versions, or of none.
  package func versionToReach(_ version: String?) throws(MigrationError) -> String {
    if let name = version ?? versionNames.last { return name }
    guard hasHistoryFile else { throw MigrationError(.wrongCall, missingHistory) }
    throw MigrationError(
      .wrongCall,
      Diagnostic(
        "PLN-017", "the history has no versions",
        at: SourceLocation(file: migrationsDirectory + "/history.json")))
  }

  /// Why there are no versions, where the file is missing that names them.
  private var missingHistory: Diagnostic {
    Diagnostic(
      "PLN-017", "there is no history.json in “\(migrationsDirectory)”",
      at: SourceLocation(file: migrationsDirectory + "/history.json"),
      reason: FileSystem().isDirectory(migrationsDirectory) ? nil : "the folder does not exist",
      remedy: "name the folder that has the history.json of the project")
  }

  /// The name and the model of the version to reach; `nil` stands for the newest.
  ///
  /// - Throws: `PLN-017` when there is no history or it has no versions, `PLN-018` when it has no such
  ///   version, and what is wrong with its model when that cannot be read.
  package func destination(
    _ version: String?
  ) throws(MigrationError) -> (name: String, model: Model) {
    let name = try versionToReach(version)
    do {
      try checkReadable(name)
    } catch {
      // A disk that failed is no mistake in a file.
      throw MigrationError(error.failureKind == .inputOutput ? .inputOutput : .wrongFile, error)
    }
    if let model = models[name] { return (name, model) }
    guard hasHistoryFile else { throw MigrationError(.wrongCall, missingHistory) }
    throw MigrationError(
      .wrongCall,
      Diagnostic(
        "PLN-018", "the history has no version “\(name)”",
        remedy: correction(of: name, among: versionNames)))
  }

  /// The model that a store of another type declares, if the call names the store as a model too: then
  /// this one is meant, whatever the history has.
  func ownModel(ofForeignStoreAt path: String, types: StoreTypes) throws -> Model? {
    guard modelPaths.contains(path), let type = types.type(ofFileAt: path) else { return nil }
    return try models[type.model(path: path).name]
  }

  /// What stands for the metadata of a store of another type: it is at the version whose names it has,
  /// and has no UUID.
  ///
  /// - Parameter target: the version that the store should have.
  /// - Returns: `nil` for a store in Core Data's layout.
  /// - Throws: what is wrong with a store that fits no version of the history.
  package func metadata(
    ofForeignStoreAt path: String, types: StoreTypes, target: String
  ) throws -> StoreMetadata? {
    guard let type = types.type(ofFileAt: path) else { return nil }
    let fitting = versionNamesOfForeignStores(target: target).compactMap { models[$0] }.first {
      (try? type.open(path: path, as: $0)) != nil
    }
    let model =
      try fitting.map { try version($0, ofForeignStoreAt: path, type) } ?? type.model(path: path)
    return StoreMetadata(
      storeUUID: "", hashes: ModelHashes(model: model),
      versionIdentifiers: model.versionIdentifiers)
  }

  /// The versions that a store of another type may have, in the order in which they are tried: it is
  /// at the first whose names it has. The version to reach is the last.
  func versionNamesOfForeignStores(target: String) -> [String] {
    versionNames.filter { $0 != target } + [target]
  }
}
