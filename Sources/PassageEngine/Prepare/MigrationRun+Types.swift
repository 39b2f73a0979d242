internal import PassageDiagnostics
internal import PassageFiles
internal import PassagePlanning
internal import PassageStores

extension MappingAccount {
  /// Counts the rows that could not be read as objects of the mapping's source entity.
  mutating func count(_ rows: [QuarantinedRow]) {
    let number = Int64(rows.count { $0.entityName == source })
    read += number
    quarantined += number
  }
}

extension MigrationRun {
  /// Stages a source of another type: converts it into Core Data's layout.
  ///
  /// - Returns: the staged store's path.
  func stage(_ type: any StoreType) throws -> String {
    try checkWorkPlace()
    let path = try Stager(
      source: sourceStore, model: steps[0].source, workspace: workspace, options: options,
      files: files, control: control
    ).stage(type)
    let store = try StoreFile.open(path: path)
    quarantinedRows = try QuarantinedRow.read(store.connection, path: source.path)
    warnings.append(contentsOf: try StagedStore.warnings(store.connection, path: source.path))
    warnings.append(
      contentsOf: CompanionCheck.lostMetadata(store.metadata, options, at: source.path))
    return path
  }

  /// The finished store in the requested type; the store itself for Core Data's type.
  ///
  /// - Parameter now: stored as the file's modification time, so that a repeated run can use the
  ///   same `now()`.
  func output(_ finished: String, now: Double) throws -> String {
    guard let type = try outputType(), let last = steps.last else { return finished }
    let path = workspace.outputPath
    let quarantine = QuarantineFile.path(destination: path)
    for stale in [path, quarantine] + StoreUnit(path: path).sidecarPaths {
      try files.remove(stale)
    }
    try files.makeFile(path)
    try checkWorkPlace()
    var writing = options.output.writing
    writing.destinationPath = destinationPath
    try type.write(
      StoredObjects(
        path: finished, model: last.destination, externalFolder: externalFolder), to: path,
      options: writing)
    if let time = FrozenPresent(seconds: now).fileTime {
      try files.setModificationTime(path, nanoseconds: time)
    }
    try files.synchronize(path)
    return path
  }

  /// The folder of the source's files of external data. For a source of another type it is that of
  /// the staged store, so that a Core Data store of a similar name beside the source has no effect.
  ///
  /// A migration to a file does not follow a symbolic link here, since it could lead to any folder;
  /// a migration in place does, and leaves the link in place.
  var externalDataPath: String {
    guard sourceStore.type == nil else {
      return StoreUnit(path: workspace.stagedPath).externalDataPath
    }
    return ownExternalDataPath
  }

  /// The source's files of external data, to which the finished store refers.
  var externalFolder: ExternalFolder {
    ExternalFolder(
      path: externalDataPath, dropsMissingFiles: options.companions.missingFiles == .drop)
  }

  /// The type of store to write; `nil` for Core Data's layout.
  func outputType() throws -> (any StoreType)? {
    guard let name = options.output.type else { return nil }
    if let type = options.boundedStoreTypes.named(name) { return type }
    throw MigrationError(
      .wrongCall,
      Diagnostic(
        "RUN-015", "there is no type of store named “\(name)”",
        remedy: nearest(to: name, in: options.boundedStoreTypes.all.map(\.name)).map {
          "did you mean “\($0)”?"
        } ?? "use one of: \(options.boundedStoreTypes.all.map(\.name).joined(separator: ", "))"))
  }
}
