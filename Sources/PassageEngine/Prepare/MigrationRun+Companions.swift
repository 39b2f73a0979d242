internal import PassageDiagnostics
internal import PassageFiles
internal import PassageMappings
internal import PassagePlanning
internal import PassageStores

extension MigrationRun {
  /// - Returns: what becomes of the source's companions.
  func checkCompanions(of store: OpenStore) throws -> CompanionCheck {
    var wasStopped = false
    let check = try CompanionCheck(
      store, steps: steps, layout: store.layout(of: steps[0].source), options: options,
      policies: policies, keepsSource: keepsSource,
      externalFolder: sourceStore.hasSupport ? externalDataPath : nil,
      isCancelled: {
        wasStopped = wasStopped || control.shouldStop
        return wasStopped
      })
    // The result of a check that was stopped early must not be used.
    if wasStopped { try control.checkCancellation() }
    if check.findings.hasErrors { throw MigrationError(check.findings) }
    return check
  }

  func historyCopy() throws -> HistoryCopy? {
    guard let history else { return nil }
    let store = try sourceStore.open()
    return HistoryCopy(
      tables: history, path: source.path, mode: store.mode,
      ancillary: store.metadata.ancillaryModelHashes)
  }

  /// Compares the finished store's references with the source's files before the files are
  /// transferred.
  ///
  /// - Returns: the report and the warnings about it.
  func checkExternalData(
    of path: String
  ) throws -> (report: ExternalDataReport?, warnings: Diagnostics) {
    var warnings = Diagnostics()
    guard let model = steps.last?.destination,
      // Work in memory is only done where there is none.
      ExternalAttribute.isIn(model) || !isInMemory && files.isDirectory(externalDataPath)
    else { return (nil, warnings) }
    // A file beside the finished store would outlive a kill.
    let report = try StoreFile.openUnchanging(path: path).externalData(
      of: model, in: externalDataPath, isCancelled: { [control] in control.shouldStop })
    try control.checkCancellation()
    let wasComplete = companions.externalData?.isComplete ?? true
    let unknownBefore = companions.externalData?.unknown ?? 0
    guard let report else { return (nil, warnings) }
    let isAnyPolicyUsed = steps.flatMap(\.passes).flatMap(\.entityMappings).contains {
      $0.mapping.policy != nil
    }
    if !report.isComplete, wasComplete {
      throw MigrationError(
        .verificationFailed,
        Diagnostic(
          "STO-317",
          "\(report.missing + report.malformed) values of the new store refer to files that are "
            + "missing, or to none", at: SourceLocation(file: source.path),
          reason: report.firstMissing.words(of: report.missing + report.malformed),
          remedy: "if files were removed from \(externalDataPath) during the run, put them back"
            + (isAnyPolicyUsed ? "; a policy must not write references to files" : "")))
    }
    if report.unknown > unknownBefore {
      warnings.append(
        Diagnostic(
          "STO-319",
          "\(report.unknown - unknownBefore) values that were made for external storage have no "
            + "marker", severity: .warning, at: SourceLocation(file: source.path),
          reason: "their first byte says neither that the value follows nor that it is in a file",
          remedy: isAnyPolicyUsed
            ? "the policy must write ExternalValue.inlineMarker before the bytes"
            : "no action is needed: values of the source without one are copied unchanged"))
    }
    if report.orphans > 0 {
      let names = report.firstOrphans.joined(separator: ", ")
      let rest = report.orphans - Int64(report.firstOrphans.count)
      warnings.append(
        Diagnostic(
          "STO-314",
          "\(report.orphans) files of external data belong to no object of the new store",
          severity: .warning, at: SourceLocation(file: source.externalDataPath),
          reason: names + (rest > 0 ? " and \(rest) more" : ""),
          remedy: "they stay with the store; remove them if no other store needs them"))
    }
    return (report, warnings)
  }
}
