internal import PassageDiagnostics
internal import PassageFiles
internal import PassageMappings
internal import PassageModels
internal import PassagePlanning
internal import PassageSQLite
internal import PassageStores

/// Decides what becomes of the work of an interrupted run.
extension MigrationRun {
  /// Records that work is discarded, for the report. Whatever discards work calls this.
  func discard(_ reason: String) {
    discardedWork = discardedWork.map { "\($0); \(reason)" } ?? reason
  }

  /// Decides whether existing work belongs to this migration and can be trusted, and discards it
  /// otherwise.
  ///
  /// - Returns: the value of `now()` for the whole migration.
  func prepareWorkspace(_ fingerprint: String) throws -> Double {
    let now = (repeatedPresent(isRepeating) ?? present).seconds
    guard !isInMemory else {
      // A killed run may have left its finished store.
      if !isInBlankFolder { try clearWork() }
      return now
    }
    let plan = PlanIdentity(
      steps: steps, options: options, policies: policies, sourceType: sourceStore.type?.name
    ) { files.executableIdentity ?? "a program that cannot be distinguished from another" }
    var place = ContentDigest()
    place.add(files.canonical(workspace.directory))
    let wanted = Workspace.Identity(
      source: fingerprint, plan: plan.text, code: plan.code, boot: files.bootIdentity,
      place: place.text, now: now, asksWhatToQuarantine: options.allowed.quarantined > 0)
    var isReplacing = true
    switch try workspace.holding() {
    case .nothing: isReplacing = false
    case .unknown(let reason): discard(reason)
    case .work(let found):
      if let reason = try obstacle(to: found, wanted) {
        discard(reason)
      } else {
        return try continued(found, as: wanted).now
      }
    }
    try clearWork()
    try workspace.write(wanted, isReplacing: isReplacing)
    return now
  }

  /// Why work cannot be continued; `nil` when it can.
  private func obstacle(
    to found: Workspace.Identity, _ wanted: Workspace.Identity
  ) throws -> String? {
    if options.unfinishedWork == .discard { return "a fresh start was requested" }
    if found.source != wanted.source { return "the source has changed since then" }
    let isOfThesePasses = found.code.map(\.count) == wanted.code.map(\.count)
    guard found.plan == wanted.plan, isOfThesePasses else {
      return "it belonged to other models, mapping models or options, or to another version of "
        + "Passage"
    }
    if wanted.asksWhatToQuarantine == true, found.asksWhatToQuarantine != true {
      return "what it has written was not asked whether it is to be quarantined"
    }
    if let present = options.present, found.now != present.seconds {
      return "it was to be compared with what was made at another time"
    }
    if try workspace.hasSharedFiles() { return "a file of it has another name, too" }
    return nil
  }

  /// Continues with those parts of the work that can be trusted.
  private func continued(
    _ found: Workspace.Identity, as wanted: Workspace.Identity
  ) throws -> Workspace.Identity {
    var kept = wanted
    kept.now = found.now
    kept.asksWhatToQuarantine = found.asksWhatToQuarantine == true
    wasContinued = true
    control.awaitAdvance()
    if found.boot == nil || found.boot != wanted.boot {
      try removeUnsynced(
        "the machine was restarted since then, and work that was not sealed may be incomplete")
    } else if found.place != wanted.place, try holdsOpenTransaction() {
      try removeUnsynced(
        "the work folder was moved during a write, and work that was not sealed may be incomplete")
    }
    if found.code != wanted.code { try restartChangedCode(found.code, wanted.code) }
    if kept != found { try workspace.write(kept, isReplacing: true) }
    askedWork = kept.asksWhatToQuarantine == wanted.asksWhatToQuarantine ? nil : kept
    return kept
  }

  /// Notes that not all of the work is asked whether it is to be quarantined, before the first of it is written
  /// that is not. The note is durable then: it must not be lost and the work be found.
  ///
  /// - Throws: ``QuarantineFull`` where an earlier call has quarantined more than this one allows. It has
  ///   written nothing then, and a call that allows as many continues.
  func noteUnaskedWork(of step: StepRun) throws {
    guard var identity = askedWork else { return }
    try step.quarantine.noteObjects(of: journal(ofStep: step.plan.index))
    identity.asksWhatToQuarantine = false
    try workspace.write(identity, isReplacing: true)
    askedWork = nil
  }

  /// Whether a transaction was interrupted that SQLite would have to roll back. If it covered two
  /// files, a third file, known by its path, says whether it was committed
  /// (https://www.sqlite.org/fileformat2.html#the_super_journal_file).
  private func holdsOpenTransaction() throws -> Bool {
    try steps.indices.contains { step in
      let directory = workspace.stepDirectory(step)
      return try files.names(in: directory).contains { name in
        try name.hasSuffix("-journal") && files.byteCount("\(directory)/\(name)") > 0
      }
    }
  }

  /// Removes what was not synced: passes, the staged source and the last step, which the cut-over
  /// would have synced. Steps before it were synced when they were sealed.
  private func removeUnsynced(_ reason: String) throws {
    let isStaged = try files.exists(workspace.stagedPath)
    let hasPasses = try steps.indices.contains { step in
      try steps[step].passes.indices.contains {
        try files.byteCount(workspace.passPath(step: step, pass: $0)) > 0
      }
    }
    let last = steps.count - 1
    let isSealed = try files.exists(workspace.sealedPath(step: last))
    if isStaged || hasPasses || isSealed { discard(reason) }
    try files.remove(workspace.stagedPath)
    for index in steps.indices { try workspace.clearPasses(ofStep: index) }
    try workspace.clearStep(last)
  }

  // MARK: Changed code

  /// Discards what was made by code of policies and functions that has changed since, and
  /// everything made from that.
  private func restartChangedCode(
    _ found: [[[String: String]]], _ wanted: [[[String: String]]]
  ) throws {
    guard let step = found.indices.first(where: { found[$0] != wanted[$0] }) else { return }
    let passes = found[step].indices.filter { found[step][$0] != wanted[step][$0] }
    let names = Set(passes.flatMap { Self.changedNames(found[step][$0], wanted[step][$0]) })
    let passNames = passes.map { "“\(steps[step].passes[$0].model.name)”" }
    let reason =
      "\(names.sorted().joined(separator: ", ")): the code has changed since the work began, so "
      + "\(passNames.joined(separator: ", ")) and everything made from "
      + "\(passes.count == 1 ? "it" : "them") start again"
    var hasWork = false
    if try isAssembling(step) {
      // The step's passes have become one store. Its source still exists, or must be made again
      // too.
      var first = step
      while first > 0, try !files.exists(workspace.sealedPath(step: first - 1)) { first -= 1 }
      for index in first..<steps.count { try workspace.clearStep(index) }
      if first == 0 { wasContinued = false }
      hasWork = true
    } else {
      for pass in steps[step].passes.indices where isAffected(pass, by: passes, ofStep: step) {
        if try workspace.databaseBytes(workspace.passPath(step: step, pass: pass)) > 0 {
          hasWork = true
        }
        try clearPass(pass, ofStep: step)
      }
    }
    if hasWork { discard(reason) }
  }

  private static func changedNames(
    _ found: [String: String], _ wanted: [String: String]
  ) -> [String] {
    Set(found.keys).union(wanted.keys).filter { found[$0] != wanted[$0] }.sorted()
  }

  /// Whether a pass must be started again: its own code has changed, or it has a policy, which can
  /// ask what an earlier, changed pass has made.
  private func isAffected(_ pass: Int, by changed: [Int], ofStep step: Int) -> Bool {
    if changed.contains(pass) { return true }
    let hasPolicy = steps[step].passes[pass].entityMappings.contains { $0.mapping.policy != nil }
    return hasPolicy && changed.contains { $0 < pass }
  }

  /// Whether the assembly of a step's passes into one store has begun or is complete.
  private func isAssembling(_ step: Int) throws -> Bool {
    if try (step..<steps.count).contains(where: { try files.exists(workspace.sealedPath(step: $0)) }
    ) {
      return true
    }
    return try journal(ofStep: step)?.adoptedPass != nil
  }
}
