internal import PassageDiagnostics
internal import PassageFiles
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// The file of quarantined rows and objects. It is their only record, so the file of another
/// migration is never replaced.
extension MigrationRun {
  private var quarantinePath: String { QuarantineFile.path(destination: destinationPath) }

  /// The number of rows and objects that were quarantined before a step.
  func quarantinedCount(beforeStep index: Int) throws -> Int64 {
    // Work in memory quarantines nothing.
    guard !isInMemory else { return Int64(quarantinedRows.count) }
    return try (0..<index).reduce(Int64(quarantinedRows.count)) {
      try $0 + files.lineCount(workspace.quarantinePath(step: $1))
    }
  }

  /// Warns of entity mappings that may have made objects of a step's quarantined objects (`RUN-094`).
  func tellRemains(of step: StepRun, _ journal: Journal) throws {
    guard step.quarantine.isOpen else { return }
    let counts = try Dictionary(
      journal.connection.rows(
        "SELECT entity, count(DISTINCT source) FROM \(journal.name(of: .quarantine)) GROUP BY entity"
      ).map { ($0[0].string ?? "", $0[1].integer ?? 0) }, uniquingKeysWith: { first, _ in first })
    for mappingPlan in step.plan.mappingPlans
    where !mappingPlan.isTraceable && mappingPlan.destination != nil {
      guard let entity = mappingPlan.source?.name, let count = counts[entity] else { continue }
      stepWarnings.append(
        Diagnostic(
          "RUN-094",
          "“\(mappingPlan.name)” may have made objects of \(count) quarantined "
            + "object\(count == 1 ? "" : "s") of “\(entity)”, and those are in the new store",
          severity: .warning,
          reason:
            "another entity mapping quarantined the source objects; what this one merges, makes of "
            + "lists or leaves to a policy belongs to no single source object",
          remedy:
            "correct the objects in the source and migrate it again, rather than only them: what "
            + "this mapping makes of them would exist twice"))
    }
  }

  /// - Throws: `RUN-046` when the file of an earlier migration is in the way.
  func checkQuarantine() throws {
    guard options.allowed.quarantined > 0, try files.exists(quarantinePath),
      try !isQuarantineLeftByInterruption()
    else { return }
    throw quarantineInTheWay
  }

  private var quarantineInTheWay: MigrationError {
    MigrationError(
      .wrongCall,
      Diagnostic(
        "RUN-046", "the file of the objects that an earlier migration quarantined is in the way",
        at: SourceLocation(file: quarantinePath),
        reason: "it is the only record of those objects",
        remedy: "move it away, or remove it once those objects have been dealt with"))
  }

  /// Whether the file beside the destination was left by a run that was interrupted just before its
  /// cut-over. In that case the finished store is still in the work folder and not at the
  /// destination, and the file beside it has the same contents.
  private func isQuarantineLeftByInterruption() throws -> Bool {
    guard try files.exists(quarantinePath) else { return false }
    if case .file(let path) = destination, try files.exists(path), try !isReserved(path) {
      return false
    }
    return try workspace.finishedPaths.contains { finished in
      let own = QuarantineFile.path(destination: finished)
      return try files.exists(finished) && files.exists(own) && files.exists(quarantinePath)
        && FileSystem.haveEqualContents(own, quarantinePath)
    }
  }

  /// Removes the file that an interrupted run left beside the destination, before work is continued
  /// or discarded. Only the holder of the lock may call this.
  func removeInterruptedQuarantine() throws {
    // A finished store is left with it.
    guard !isInBlankFolder, try isQuarantineLeftByInterruption() else { return }
    try files.remove(quarantinePath)
  }

  /// Puts the quarantine file beside the destination, durably, just before the cut-over. A
  /// continued run puts the same file there again.
  ///
  /// - Parameter finished: the store that is about to be put in place.
  /// - Returns: the number of quarantined rows and objects; if it is 0, no file is made.
  /// - Throws: `RUN-046` when a file has appeared there in the meantime, ``QuarantineFull`` when an
  ///   earlier call has quarantined more than is allowed now.
  func placeQuarantine(beside finished: String) throws -> Int64 {
    let count = try quarantinedCount(beforeStep: steps.count)
    guard count <= options.allowed.quarantined else {
      throw QuarantineFull(
        maximum: options.allowed.quarantined, last: Quarantine.earlierCall(Int(count)))
    }
    guard count > 0 else { return 0 }
    let path = QuarantineFile.path(destination: finished)
    try files.write(to: path) { append in
      for line in QuarantineFile.lines(quarantinedRows) { try append(Array((line + "\n").utf8)) }
      for step in steps.indices {
        try files.forEachBlock(workspace.quarantinePath(step: step), append)
      }
    }
    do {
      try files.link(path, to: quarantinePath)
    } catch let failure as FileSystem.Failure {
      // Not every file system has links.
      guard !failure.isExisting, files.entry(quarantinePath) == nil else {
        throw quarantineInTheWay
      }
      let copy = path + ".copy"
      try files.remove(copy)
      try files.copy(path, to: copy)
      try files.rename(copy, to: quarantinePath)
    }
    try files.synchronizeDirectory(StoreUnit(path: destinationPath).folder)
    return count
  }
}
