internal import PassageDiagnostics
public import PassageMappings
public import PassageModels
public import PassagePlanning
internal import PassageStores

/// The way from the version a store has to a version of its project's history.
public struct StoreRoute: Sendable {
  public let project: Project
  /// The store's version; `nil` when nothing is to do.
  public let source: Model?
  /// The version to reach; `nil` when nothing is to do.
  public let destination: Model?
  /// The mapping models of every step, in order.
  public let mappings: [MappingModel]

  /// Finds the way.
  ///
  /// - Parameters:
  ///   - storePath: the store.
  ///   - version: the version to reach; `nil` for the newest.
  ///   - migrations: the folder with `history.json`.
  ///   - mappings: the folder with the mapping models.
  /// - Throws: ``MigrationError`` of the kinds `sourceModelUnknown`, `noMapping`, `wrongCall` (an
  ///   unknown version), `wrongFile`, and those of a store that cannot be read.
  public init(
    storePath: String, version: String?, migrations: String, mappings: String
  ) throws {
    do {
      let project = try Project(migrationsDirectory: migrations, mappingsDirectory: mappings)
      try self.init(storePath: storePath, version: version, project: project)
    } catch {
      throw Failure(sourcePath: storePath, workspace: "", keepsWork: false).migrationError(error)
    }
  }

  /// Finds the way in a project that was read already; errors as above.
  public init(storePath: String, version: String?, project: Project) throws {
    do {
      try self.init(finding: version, storePath, project)
    } catch {
      throw Failure(sourcePath: storePath, workspace: "", keepsWork: false).migrationError(error)
    }
  }

  private init(finding version: String?, _ storePath: String, _ project: Project) throws {
    self.project = project
    guard let target = version ?? project.versionNames.last else {
      throw MigrationError(
        .wrongCall,
        Diagnostic(
          "PLN-017", "the history has no versions",
          at: SourceLocation(file: project.migrationsDirectory + "/history.json")))
    }
    guard let destination = project.models[target] else {
      throw MigrationError(
        .wrongCall,
        Diagnostic(
          "PLN-018", "the history has no version “\(target)”",
          remedy: nearest(to: target, in: project.versionNames).map { "did you mean “\($0)”?" }
            ?? "its versions are: \(project.versionNames.joined(separator: ", "))"))
    }
    let hashes = try StoreMetadata.read(path: storePath).versionHashes
    if hashes == destination.versionHashes {
      (source, self.destination, mappings) = (nil, nil, [])
      return
    }
    guard let source = project.model(withHashes: hashes) else {
      throw MigrationError(
        .sourceModelUnknown,
        Diagnostic(
          "PLN-016", "the store's version is not in the history",
          at: SourceLocation(file: storePath),
          reason: "\(Compatibility(recordedHashes: hashes, model: destination))",
          remedy: "add the model the store was written with to the history, or name it with "
            + "--models PATH"))
    }
    guard let steps = project.history.path(from: source.name, to: target) else {
      throw MigrationError(
        .noMapping,
        Diagnostic(
          "PLN-019", "no steps of the history lead from “\(source.name)” to “\(target)”",
          at: SourceLocation(file: project.migrationsDirectory + "/history.json"),
          remedy: "add the missing steps, or name the mapping models (--mappings)"))
    }
    self.source = source
    self.destination = destination
    mappings = try project.mappingModels(named: steps.flatMap { $0.mappings.map(\.value) })
  }
}
