internal import PassageFiles
internal import PassageMappings
internal import PassagePlanning
internal import PassageValues

/// Work on a step that cannot be continued as it is: it is discarded, in the journal first.
extension MigrationRun {
  /// Discards the work on a step that was interrupted in a moment that cannot be continued, or whose files
  /// do not belong together.
  func discardTornStep(of step: StepRun) throws {
    guard wasContinued, let journal = try journal(ofStep: step.plan.index) else { return }
    let reason: String
    if try IndexFile.isTorn(journal) {
      reason = "its indexes were being put in place"
    } else if try LeafAssembly.isTorn(journal) {
      reason = "its tables were being put in place"
    } else if let pass = try lostPass(of: step, journal) {
      reason =
        "what was made later needs the pass “\(step.plan.passes[pass].model.name)”, whose work is lost"
    } else if try hasFilesOfSeveralMoments(step, journal) {
      reason = "its files were not written at one moment, as in a copy made during a run"
    } else {
      return
    }
    discard("the step starts again, because \(reason)")
    try forget(step, journal)
  }

  /// A pass that would start again although other work needs it: that of the assembly, which the journal
  /// says is done and which would be missing from the new store, or that of a later pass.
  private func lostPass(of step: StepRun, _ journal: Journal) throws -> Int? {
    let isAssembling = try journal.adoptedPass != nil
    let passes = step.plan.passes.indices
    return try passes.first { pass in
      let entries = journal.of(pass: pass)
      let isBegun = try entries.isBegun
      let isThere =
        try isBegun && files.byteCount(workspace.passPath(step: step.plan.index, pass: pass)) > 0
      if isAssembling { return try !isThere || !entries.isFinished }
      return try isBegun && !isThere
        && passes[(pass + 1)...].contains { try journal.of(pass: $0).isBegun }
    }
  }

  private func hasFilesOfSeveralMoments(_ step: StepRun, _ journal: Journal) throws -> Bool {
    try step.plan.passes.indices.contains { pass in
      let path = workspace.passPath(step: step.plan.index, pass: pass)
      let entries = journal.of(pass: pass)
      // Without its file, the last pass that has begun starts again by itself.
      guard try entries.isBegun, try files.byteCount(path) > 0, try !PagePass.isUnderWay(entries)
      else { return false }
      return try !StoreMoment.isShared(byStoreAt: path, entries)
    }
  }

  /// Discards the work on a step, and leaves its passes and indexes to SQLite.
  func abandonPages(of step: StepRun, _ reason: String) throws {
    guard let journal = try journal(ofStep: step.plan.index) else { return }
    try forget(step, journal) {
      try PageIndexes.abandon(journal)
      for pass in step.plan.passes.indices {
        try journal.setState(Self.unsuitableName(pass), .text(reason))
      }
    }
  }

  /// Discards the work on a step: what the journal says goes in one transaction, and the files after it. If
  /// the journal cannot be written, the next run finds that files are missing (``lostPass(of:_:)``).
  ///
  /// - Parameter note: writes to the journal in the same transaction.
  private func forget(
    _ step: StepRun, _ journal: Journal, noting note: () throws -> Void = {}
  ) throws {
    let forgotten = Result { try journal.forgetStep(noting: note) }
    for pass in step.plan.passes.indices {
      try workspace.clearPass(step: step.plan.index, pass: pass)
    }
    try forgotten.get()
  }

  /// The entry of the journal that says why a pass is not written page by page.
  static func unsuitableName(_ pass: Int) -> String { "pages:unsuitable:\(pass)" }

  /// Discards a pass. The journal decides what is kept; if it cannot be written, the next run finds that
  /// the file is missing (``lostPass(of:_:)``, ``preparePass(_:of:path:)``).
  func clearPass(_ pass: Int, ofStep index: Int) throws {
    let forgotten = Result { try journal(ofStep: index)?.of(pass: pass).forget() }
    try workspace.clearPass(step: index, pass: pass)
    try forgotten.get()
  }
}
