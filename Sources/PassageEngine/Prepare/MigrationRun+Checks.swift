internal import PassageDiagnostics
internal import PassageFiles
internal import PassageMappings
internal import PassageModels
internal import PassagePlanning
internal import PassagePlatform
internal import PassageStores

/// Checks that can refuse a migration before the first file is created. They write nothing.
extension MigrationRun {
  /// Refuses models whose layout is not fully known: their stores can be neither read completely
  /// (`STO-208`) nor written (`STO-205`, `STO-207`).
  func checkModels() throws {
    try prepared.unsupported.throwing(.wrongFile)
  }

  /// - Returns: whether the file at the destination may be this migration's own result.
  func checkDestination() throws -> Bool {
    _ = try outputType()
    switch destination {
    case .file(let path): return try checkDestination(path)
    case .inPlace:
      try checkReplacement()
      return false
    }
  }

  /// Refuses a file at which a new store cannot be placed.
  ///
  /// - Returns: whether it may be this migration's own result.
  private func checkDestination(_ path: String) throws -> Bool {
    var isRepeating = false
    if let identity = try files.identity(path), try identity == files.identity(source.path) {
      throw MigrationError(
        .wrongCall,
        Diagnostic(
          "RUN-001", "the source is given as its own destination",
          at: SourceLocation(file: path),
          remedy: "name another file"
            + (sourceStore.type == nil && options.output.type == nil ? ", or migrate in place" : "")
        ))
    }
    // Written there, the result would be taken for the settings of the source by the next run.
    if sourceStore.type != nil,
      files.canonical(path) == files.canonical(source.path) + ".store.json"
    {
      throw MigrationError(
        .wrongCall,
        Diagnostic(
          "RUN-060", "the destination belongs to a store that is being read",
          at: SourceLocation(file: path),
          reason:
            "where \(source.path) is a text file, the settings with which it is read have this name",
          remedy: "name another file"))
    }
    let check = DestinationCheck(destination: StoreUnit(path: path), files: files)
    try check.check(reading: [source])
    if try files.exists(path), try !isReserved(path) {
      isRepeating = try canBeRepeated(path)
      guard isRepeating else {
        let reason = try otherSource(ofResult: path)
        throw MigrationError(.wrongCall, OccupiedPlace.refusal(path, reason: reason))
      }
    } else {
      try check.checkLogs()
    }
    let folder = StoreUnit(path: path).folder
    guard files.isDirectory(folder) else {
      throw MigrationError(
        .wrongCall,
        NeededFolder.missing(folder, "the destination's folder"))
    }
    try checkPermission(inFolder: folder)
    if options.output.type == nil, sourceStore.type == nil {
      try check.checkSupportFolder(reading: source)
    }
    return isRepeating
  }

  /// Why a migrated store is not taken for the result of this call, if its source is of another type and
  /// is not what the store was made from.
  private func otherSource(ofResult path: String) throws -> String? {
    guard sourceStore.type != nil, options.output.type == nil, let last = steps.last,
      let found = try? StoreMetadata.read(path: path), !found.migrationLedger.migrations.isEmpty,
      Compatibility(recordedHashes: found.versionHashes, model: last.destination).isCompatible,
      try found.storeUUID != sourceStore.stagedUUID()
    else { return nil }
    return "it was not made from the source as it is now: a file that is no Core Data store is "
      + "known by its path, size, time and inode"
  }

  /// Refuses to replace a source that a migration in place cannot replace.
  private func checkReplacement() throws {
    try DestinationCheck(destination: source, files: files).checkNames(isResolved: true)
    if let limit = options.keptStoresLimit { try KeptStores.check(limit: limit) }
    if options.allowed.quarantined > 0, !keepsSource {
      throw MigrationError(
        .wrongCall,
        Diagnostic(
          "RUN-095",
          "objects may be quarantined, and the store that alone has their values is not kept",
          at: SourceLocation(file: source.path),
          reason:
            "a quarantined object is left out of the new store, and the file that lists it has no values",
          remedy: "keep the old store (leave out --no-backup), or quarantine nothing (leave out "
            + "--max-quarantined)"))
    }
    if sourceStore.type != nil || options.output.type != nil {
      throw MigrationError(
        .wrongCall,
        Diagnostic(
          "RUN-014", "a store cannot be replaced by one of another type",
          at: SourceLocation(file: source.path),
          reason: "programs that use the file expect the type it has",
          remedy: "name a file for the result (--output FILE), for a fleet a folder "
            + "(--output-dir DIR)"))
    }
    try checkPermission(inFolder: source.folder)
    // To replace a store, its log is folded in under SQLite's locks.
    guard FileSystem.isWritable(file: source.path) else {
      throw StoreError(
        .permissionDenied, path: source.path,
        detail: "a migration in place needs the permission to write to the store's file")
    }
    // A second name of the store, under which it is kept, could be given, but not be taken away again.
    if FileSystem.isHeldByStickyBit(source.path) {
      throw FileSystem.Failure(operation: .rename, path: source.path, errorNumber: EPERM)
    }
    if options.oldStore == .keep, let folder = options.keptStoresFolder?.path {
      guard files.isDirectory(folder) else {
        throw MigrationError(.wrongCall, KeptStores.missingFolder(folder))
      }
      try checkKeptStoresFolder(folder)
    }
    try keptStores?.checkFolder()
  }

  /// Refuses a folder in which the old store cannot be kept: where it lies on another disk, it is copied there
  /// during the cut-over.
  private func checkKeptStoresFolder(_ folder: String) throws {
    guard FileSystem.isWritable(folder) else {
      throw MigrationError(
        .inputOutput,
        Diagnostic(
          "STO-112", "this user does not have permission for this operation",
          at: SourceLocation(file: folder),
          reason: "no file can be made in the folder for kept stores",
          remedy: "check the permissions of the folder, or name another (--backup-dir DIR)"))
    }
    guard try FileSystem.status(folder).device != FileSystem.status(source.folder).device else {
      return
    }
    let free = try files.freeBytes(at: folder)
    let needed = source.totalBytes
    // What an interrupted call has left there is removed.
    guard try free.saturatingAdd(bytesOfInterruptedCopies()) < needed else { return }
    throw MigrationError(
      .diskTooSmall,
      Diagnostic(
        "RUN-005", "not enough disk space", at: SourceLocation(file: folder),
        reason: "the old store is kept on another disk: at least about \(needed) bytes are needed, "
          + "\(free) are free",
        remedy: "free some disk space there, or name another folder (--backup-dir DIR)"))
  }

  /// The size of copies of the old store that an interrupted cut-over has left where it would be kept.
  private func bytesOfInterruptedCopies() throws -> Int64 {
    guard let keptStores else { return 0 }
    var left = try keptStores.names(.before).map(keptStores.path).filter {
      try workspace.isLeftByCutOver($0, of: source)
    }
    left += try files.names(in: keptStores.folder).filter {
      $0.hasPrefix(source.name) && $0.hasSuffix(KeptStores.copyEnd)
    }.map { "\(keptStores.folder)/\($0)" }
    return try left.reduce(0) { try $0.saturatingAdd(files.byteCount($1)) }
  }

  /// Refuses a folder in which the run could not make its work folder.
  private func checkPermission(inFolder folder: String) throws {
    guard !FileSystem.isWritable(folder) else { return }
    throw FileSystem.Failure(
      operation: .makeDirectory, path: workspace.directory, errorNumber: EACCES)
  }

  /// Whether an empty file reserves the path for a store of another type.
  func isReserved(_ path: String) throws -> Bool {
    guard options.output.type != nil, try files.exists(path), !files.isDanglingLink(path) else {
      return false
    }
    let status = try FileSystem.status(path)
    return status.kind == .file && status.bytes == 0
  }

  /// Opens the source once, so that a damaged store is refused before anything is written.
  ///
  /// - Returns: the counts of the source's objects; the other findings are empty.
  func checkSource() throws -> Preparation {
    let counts = try sourceStore.counts(
      steps[0].source, predicted: prepared.sourceLayouts[0],
      pages: sourceStore.makePageCount(options))
    // Stores of other types refuse objects of abstract entities themselves.
    let abstract = sourceStore.type == nil ? steps[0].unreadAbstractEntities : []
    let unread = (steps[0].unreadEntities + abstract).filter { counts.byEntity[$0, default: 0] > 0 }
    var findings = Diagnostics()
    for entity in unread {
      findings.append(
        Self.unmapped(entity, step: steps[0], count: counts.byEntity[entity, default: 0]))
    }
    for (earlier, later) in zip(steps, steps.dropFirst()) {
      for entity in later.unreadEntities where earlier.madeEntities.contains(entity) {
        findings.append(Self.unmapped(entity, step: later, count: nil))
      }
    }
    try findings.throwing(.wrongFile)
    var total: Int64 = 0
    for mapping in steps[0].passes.flatMap(\.entityMappings) {
      total += mapping.source.map { counts.byEntity[$0.name, default: 0] } ?? 0
    }
    // Later steps read what earlier ones make, which is about the same number of objects.
    for step in steps.dropFirst() { total += counts.total * Int64(step.passes.count) }
    return Preparation(sourceCounts: counts, total: total)
  }

  /// Refuses texts that some lane would change.
  func checkTexts() throws {
    guard sourceStore.type == nil else { return }
    let store = try sourceStore.open()
    let findings = try store.inexactTexts(
      store.layout(of: steps[0].source, predicted: prepared.sourceLayouts[0]))
    try findings.throwing(.policyFailed)
  }

  private static func unmapped(_ entity: String, step: PlannedStep, count: Int64?) -> Diagnostic {
    let objects = count.map { "\($0) object\($0 == 1 ? "" : "s")" } ?? "objects"
    return Diagnostic(
      "PLN-012", "no entity mapping migrates the \(objects) of “\(entity)”",
      at: step.passes.last?.model.file.map { SourceLocation(file: $0) },
      reason: "no entity mapping of the step from “\(step.source.name)” to "
        + "“\(step.destination.name)” reads the entity"
        + (step.unreadAbstractEntities.contains(entity)
          ? "; it is abstract, and an intact store has no objects of it" : ""),
      remedy: "map it, or add an entity mapping of type “remove” to drop its objects")
  }

  /// Refuses a disk on which not even a copy of the source fits. How much more is needed is an estimate,
  /// of which the plan warns. The work that is there is continued or removed, so it counts as free.
  func checkDisk() throws {
    let needed = sourceStore.totalBytes
    let folder = StoreUnit(path: destinationPath).folder
    let free = try files.freeBytes(at: folder)
    guard free < needed else { return }
    let left = Workspace.leftBytes(ofDestination: destinationPath, files: files)
    guard free.saturatingAdd(left) < needed else { return }
    throw MigrationError(
      .diskTooSmall,
      Diagnostic(
        "RUN-005", "not enough disk space", at: SourceLocation(file: folder),
        reason: "at least about \(needed) bytes are needed, \(free) are free"
          + (left > 0 ? ", and earlier work takes \(left)" : ""),
        remedy: "free some disk space, or name a destination on another disk"))
  }
}
