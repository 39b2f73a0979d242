internal import PassageDiagnostics
package import PassageEngine
internal import PassageFiles
package import PassageMappings
package import PassageModels
internal import PassagePlanning
internal import PassageStores

/// The route from a store's version to a version of its project's history.
package struct StoreRoute: Sendable {
  package let project: Project
  /// The store's version; `nil` when there is nothing to do.
  package let source: Model?
  /// The version to reach; `nil` when there is nothing to do.
  package let destination: Model?
  /// The mapping models of every step, in order.
  package let mappings: [MappingModel]

  /// Finds the route.
  ///
  /// - Parameters:
  ///   - storePath: the store.
  ///   - version: the version to reach; `nil` for the newest.
  ///   - migrations: the folder with `history.json`.
  ///   - mappings: the folder with the mapping models.
  ///   - allowsInference: whether mapping models may be inferred if the history names none: for
  ///     steps without mapping models, between consecutive versions, and from a model that is not
  ///     in the history.
  ///   - options: the source may be of one of its types of store; if it requests another type of
  ///     destination, a store that already has the version is copied.
  /// - Throws: ``MigrationError`` of the kinds `sourceModelUnknown`, `noMapping`, `wrongCall` (for
  ///   an unknown version) or `wrongFile`, and the errors of a store that cannot be read.
  package init(
    storePath: String, version: String?, migrations: String, mappings: String,
    allowsInference: Bool = false, options: MigrationOptions
  ) throws {
    do {
      let project = try Project(migrationsDirectory: migrations, mappingsDirectory: mappings)
      try self.init(
        storePath: storePath, version: version, project: project, allowsInference: allowsInference,
        options: options)
    } catch {
      throw Failure(sourcePath: storePath, workspace: "", keepsWork: false).migrationError(error)
    }
  }

  /// Finds the route in a project that has been read already. Throws the same errors.
  package init(
    storePath: String, version: String?, project: Project, allowsInference: Bool = false,
    options: MigrationOptions
  ) throws {
    // Another runner may be replacing the store at the moment.
    let contention = Contention(
      storePath: storePath, destinationPath: FileSystem().resolved(storePath), files: FileSystem())
    self = try contention.settle { attempt in
      try attempt.look {
        do {
          return try StoreRoute(finding: version, storePath, project, allowsInference, options)
        } catch {
          throw Failure(sourcePath: storePath, workspace: "", keepsWork: false)
            .migrationError(error)
        }
      }
    }
  }

  private init(
    finding version: String?, _ storePath: String, _ project: Project, _ allowsInference: Bool,
    _ options: MigrationOptions
  ) throws {
    let project = try project.adoptingHashes(ofStoreAt: storePath)
    if let type = options.boundedStoreTypes.type(ofFileAt: storePath) {
      let (target, destination) = try project.destination(version)
      let fitting = try Self.version(of: storePath, type, project, target: target)
      self.project = project
      source = fitting
      self.destination = destination
      mappings =
        fitting.name == target
        ? [try Self.copy(of: destination)]
        : try Self.mappings(
          from: fitting, to: target, project: project, allowsInference: allowsInference)
      return
    }
    let hashes = try StoreMetadata.read(path: storePath).versionHashes
    self = try StoreRoute(
      hashes: hashes, storePath: storePath, version: version, project: project,
      allowsInference: allowsInference, options: options)
  }

  /// Finds the route of a store in Core Data's layout whose version hashes were read, in a project
  /// that has adopted what the store tells. Throws the same errors.
  package init(
    hashes: [String: [UInt8]], storePath: String, version: String?, project: Project,
    allowsInference: Bool, options: MigrationOptions
  ) throws {
    self.project = project
    let (target, destination) = try project.destination(version)
    if hashes == destination.versionHashes {
      if !options.isWritingAnyway {
        (source, self.destination, mappings) = (nil, nil, [])
      } else {
        (source, self.destination) = (destination, destination)
        mappings = [try Self.copy(of: destination)]
      }
      return
    }
    guard let source = project.model(withHashes: hashes) else {
      let nearest = project.nearestModel(to: hashes, storePath: storePath)
      let unknown = Diagnostic(
        "PLN-016", "the store's version is not in the history",
        at: SourceLocation(file: storePath), reason: nearest?.summary,
        remedy: nearest?.configuration?.remedy
          ?? "add the model the store was written with to the history, or name it with "
          + "--models PATH; migrate status lists every difference")
      throw MigrationError(
        .sourceModelUnknown, Diagnostics([unknown] + project.unreadableVersions.all))
    }
    self.source = source
    self.destination = destination
    mappings = try Self.mappings(
      from: source, to: target, project: project, allowsInference: allowsInference)
  }

  /// The version of a store of another type, which has no hashes: the first version with the names
  /// that the store contains; the requested version is tried last.
  private static func version(
    of storePath: String, _ type: any StoreType, _ project: Project, target: String
  ) throws -> Model {
    var nearest: Diagnostics?
    for name in project.versionNamesOfForeignStores(target: target) {
      guard let model = project.models[name] else { continue }
      do {
        _ = try type.open(path: storePath, as: model)
        return try project.version(model, ofForeignStoreAt: storePath, type)
      } catch let mistakes as Diagnostics {
        if nearest.map({ mistakes.errors.count < $0.errors.count }) ?? true { nearest = mistakes }
      }
    }
    // Mistakes that do not depend on the model are mistakes in the file.
    if let nearest, mistakes(of: storePath, type)?.errors == nearest.errors {
      throw MigrationError(nearest.failureKind, nearest)
    }
    let findings = Diagnostics(
      [
        Diagnostic(
          "PLN-016", "the store's version is not in the history",
          at: SourceLocation(file: storePath),
          reason: "it is \(type.title), and its names are not those of any of the models",
          remedy: "add a version whose model is the file itself, or a model in JSON")
      ] + (nearest?.all ?? []))
    throw MigrationError(findings.failureKind, findings)
  }

  /// Why the model that a file declares cannot be read; `nil` when it can.
  private static func mistakes(of storePath: String, _ type: any StoreType) -> Diagnostics? {
    do {
      _ = try type.model(path: storePath)
      return nil
    } catch {
      return error as? Diagnostics
    }
  }

  /// The mapping model that copies every object unchanged, into another type of store.
  static func copy(of model: Model) throws -> MappingModel {
    do {
      return try InferredMapping.infer(from: model, to: model)
    } catch {
      throw MigrationError(.noMapping, error)
    }
  }

  private static func mappings(
    from source: Model, to target: String, project: Project, allowsInference: Bool
  ) throws -> [MappingModel] {
    let steps =
      allowsInference
      ? project.history.inferringPath(from: source.name, to: target)
      : project.history.path(from: source.name, to: target)
    if steps == nil, allowsInference, let destination = project.models[target] {
      return try inferred(from: source, to: destination, project)
    }
    guard let steps else {
      throw MigrationError(
        .noMapping,
        Diagnostic(
          "PLN-019", "no steps of the history lead from “\(source.name)” to “\(target)”",
          at: SourceLocation(file: project.migrationsDirectory + "/history.json"),
          remedy: "add the missing steps to the history; where the command takes it, name the "
            + "mapping models with --mappings, or allow inferred ones with --infer"))
    }
    return try mappings(of: steps, project, allowsInference)
  }

  /// Infers the mapping models if the history has no route.
  private static func inferred(
    from source: Model, to destination: Model, _ project: Project
  ) throws -> [MappingModel] {
    guard source.versionHashes != destination.versionHashes else { return [] }
    do {
      return try InferredWay.mappings(
        from: source, to: destination, among: project.models.all.values)
    } catch {
      throw MigrationError(.noMapping, notInferred(from: source, to: destination, error))
    }
  }

  private static func notInferred(
    from source: Model, to destination: Model, _ reasons: Diagnostics
  ) -> Diagnostics {
    Diagnostics(
      [
        Diagnostic(
          "PLN-021",
          "the mapping model from “\(source.name)” to “\(destination.name)” cannot be inferred",
          remedy: "write a mapping model for it and add a step to the history")
      ] + reasons.all)
  }

  /// The mapping models of steps, in order, with an inferred one for each step that names none.
  private static func mappings(
    of steps: [History.Step], _ project: Project, _ allowsInference: Bool
  ) throws -> [MappingModel] {
    let named = try project.mappingModels(named: steps.flatMap { $0.mappings.map(\.value) })
    var rest = named[...]
    var mappings: [MappingModel] = []
    var findings = Diagnostics()
    for step in steps {
      guard step.mappings.isEmpty else {
        mappings += rest.prefix(step.mappings.count)
        rest = rest.dropFirst(step.mappings.count)
        continue
      }
      guard allowsInference else {
        findings.append(
          Diagnostic(
            "PLN-020",
            "the step from “\(step.from.value)” to “\(step.to.value)” names no mapping models",
            at: step.from.location,
            remedy: "name them in the history, or allow an inferred one (--infer)"))
        continue
      }
      guard let source = project.models[step.from.value],
        let destination = project.models[step.to.value],
        source.versionHashes != destination.versionHashes
      else { continue }
      do {
        mappings.append(try InferredMapping.infer(from: source, to: destination))
      } catch {
        findings.append(contentsOf: notInferred(from: source, to: destination, error))
      }
    }
    try findings.throwing(.noMapping)
    return mappings
  }
}
