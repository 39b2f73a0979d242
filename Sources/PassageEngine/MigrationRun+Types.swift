internal import PassageDiagnostics
internal import PassagePlanning
internal import PassageStores

extension MappingAccount {
  /// Counts the rows that could not be read as objects of the mapping's source entity.
  mutating func count(_ rows: [SetAsideRow]) {
    let number = Int64(rows.count { $0.entityName == source })
    read += number
    quarantined += number
  }
}

extension MigrationRun {
  /// Brings a source of another type into Core Data's layout.
  ///
  /// - Returns: the staged store's path.
  func stage(_ type: any StoreType) throws -> String {
    let path = try Stager(
      source: sourceStore, model: steps[0].source, workspace: workspace, options: options,
      files: files, control: control
    ).stage(type)
    let store = try StoreFile.open(path: path)
    setAside = try SetAsideRow.read(store.connection, path: source.path)
    warnings.append(contentsOf: try StagedStore.warnings(store.connection, path: source.path))
    return path
  }

  /// Rows and objects that were set aside before a step.
  func quarantinedCount(beforeStep index: Int) -> Int64 {
    (0..<index).reduce(Int64(setAside.count)) { $0 + Int64(workspace.quarantine(ofStep: $1).count) }
  }

  /// Writes what was set aside beside the destination, just before the cut-over: a run that is
  /// continued writes the same again.
  ///
  /// - Returns: how many rows and objects that is; no file is made for none.
  func writeQuarantine() throws -> Int64 {
    let lines =
      QuarantineFile.lines(setAside)
      + steps.indices.flatMap { workspace.quarantine(ofStep: $0) }
    guard !lines.isEmpty else { return 0 }
    try files.write(
      Array(lines.map { $0 + "\n" }.joined().utf8),
      to: QuarantineFile.path(destination: destinationPath))
    return Int64(lines.count)
  }

  /// The finished store in the type the destination is to have; the store itself for Core Data's.
  func output(_ finished: String) throws -> String {
    guard let type = try outputType(), let last = steps.last else { return finished }
    let path = workspace.outputPath
    for stale in [path] + StoreUnit(path: path).sidecarPaths { try files.remove(stale) }
    try files.makeFile(path)
    var writing = options.writing
    writing.destinationPath = destinationPath
    try type.write(
      StoredObjects(
        path: finished, model: last.destination, externalFolder: externalFolder), to: path,
      options: writing)
    try files.synchronize(path)
    return path
  }

  /// Where the source's files of external data are; nowhere for a source of another type, whatever
  /// store of a like name stands beside it.
  var externalDataPath: String {
    sourceStore.type == nil
      ? source.externalDataPath : StoreUnit(path: workspace.stagedPath).externalDataPath
  }

  /// The source's files of external data, which the finished store refers to.
  var externalFolder: ExternalFolder {
    ExternalFolder(
      path: externalDataPath, dropsMissingFiles: options.missingFiles == .drop)
  }

  /// The type of store to write; `nil` for Core Data's layout.
  func outputType() throws -> (any StoreType)? {
    guard let name = options.outputType else { return nil }
    if let type = options.storeTypes.named(name) { return type }
    throw MigrationError(
      .wrongCall,
      Diagnostic(
        "RUN-015", "there is no type of store named “\(name)”",
        remedy: nearest(to: name, in: options.storeTypes.all.map(\.name)).map {
          "did you mean “\($0)”?"
        } ?? "use one of: \(options.storeTypes.all.map(\.name).joined(separator: ", "))"))
  }
}
