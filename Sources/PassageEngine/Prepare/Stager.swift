internal import PassageDiagnostics
internal import PassageFiles
internal import PassageModels
internal import PassageStores

/// Converts a source of another type into Core Data's layout, which the engine reads.
struct Stager {
  let source: SourceStore
  let model: Model
  let workspace: Workspace
  let options: MigrationOptions
  let files: FileSystem
  let control: RunControl

  /// Stages the source, or uses what an interrupted run has staged since the machine was started.
  ///
  /// - Returns: the staged store's path.
  func stage(_ type: any StoreType) throws -> String {
    let staged = workspace.stagedPath
    if try files.exists(staged) {
      let store = try StoreFile.open(path: staged)
      let rows = try QuarantinedRow.read(store.connection, path: source.path)
      // An earlier call may have allowed more quarantined rows.
      if rows.count <= options.allowed.quarantined { return staged }
      try files.remove(staged)
    }
    control.update(isMilestone: true) { $0.phase = .stage }
    let path = workspace.stagingPath
    try files.remove(path)
    try files.makeFile(path)
    let fingerprint = try source.fingerprint()
    do {
      try write(type, to: path, usesPages: [.automatic, .page].contains(options.lane))
    } catch is StagedPagesDiffer {
      try files.remove(path)
      try files.makeFile(path)
      try write(type, to: path, usesPages: false)
    }
    try control.checkCancellation()
    guard try source.fingerprint() == fingerprint else { throw SourceChanged() }
    // Not synced: after a restart of the machine the source is staged again, like unsealed passes.
    try files.rename(path, to: staged)
    return staged
  }

  /// Writes the store and closes it.
  private func write(_ type: any StoreType, to path: String, usesPages: Bool) throws {
    let store = try StagedStore(
      path: path, model: model, maximumQuarantined: options.allowed.quarantined,
      usesPages: usesPages)
    control.stopStatements(of: store.connection)
    let foreign = try type.open(path: source.path, as: model)
    try foreign.read(into: store)
    try store.seal(storeUUID: source.stagedUUID())
  }
}
