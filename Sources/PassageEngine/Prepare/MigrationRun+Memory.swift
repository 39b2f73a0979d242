internal import PassageFiles
internal import PassageMappings
internal import PassagePlanning
internal import PassageStores

/// Keeps the work of a small migration in memory.
///
/// Only the lock and, at the end, the finished store are in the work folder then. Nothing has to be
/// continued after an interruption, so nothing but the finished store has to be durable.
extension MigrationRun {
  /// Whether the work is kept in memory.
  var isInMemory: Bool { workspace.memory != nil }

  /// The memory for the work; `nil` when the work is kept in the folder: because it is estimated
  /// not to fit, or is made of more than the passes of steps, or may have to be continued.
  func fittingMemory() throws -> WorkMemory? {
    guard sourceStore.type == nil, options.output.type == nil,
      // What was quarantined is recorded in files of the folder.
      options.allowed.quarantined == 0,
      // A run that is stopped again and again must come to an end.
      options.limits.timeBudget == nil,
      options.lane != .page, !sourceStore.hasSupport
    else { return nil }
    return WorkMemory.fitting(
      sourceBytes: sourceStore.totalBytes, steps: steps.map(\.passes.count),
      readsLists: steps.contains { step in
        step.passes.contains { $0.entityMappings.contains { $0.elements != nil } }
      },
      limit: options.limits.workMemoryBytes)
  }

  /// Keeps the work in memory, unless the folder has work of an interrupted run to decide about.
  func work(in memory: WorkMemory, _ folder: WorkFolder) throws {
    if try folder.isBlank || workspace.holdsNothing {
      workspace.memory = memory
    } else {
      try folder.mark()
    }
  }

  /// Runs the part that needs the lock. If the work turns out not to fit into memory, or to be faster
  /// in the folder, it begins again in the folder.
  func performInMemoryOrFolder(
    _ witness: SourceWitness, _ folder: WorkFolder
  ) throws -> MigrationReport {
    let found = warnings
    do {
      return try performLocked(witness, folder)
    } catch let failure
      where isInMemory && !witness.isDismissed
      && (WorkMemory.isFull(failure) || failure is WorkMemory.BetterInFolder)
    {
      // In the cut-over it is the disk that is full.
      workspace.memory = nil
      warnings = found
      accountsOfSteps = []
      try folder.mark()
      return try performLocked(witness, folder)
    }
  }

  /// Keeps the assembled store of a step for the next one; that of the last step is written into the
  /// work folder.
  func finishInMemory(_ assembled: String, _ memory: WorkMemory, step index: Int) throws {
    guard isLast(index) else { return try memory.keep(assembled) }
    try checkWorkPlace()
    try memory.write(
      assembled, to: workspace.sealedPath(step: index), files, prepared.images.databases)
  }
}
