internal import PassageDiagnostics
internal import PassageMappings
internal import PassageModels
internal import PassagePlanning
internal import PassageStores

/// What a call would run, compared with what stores record of themselves.
///
/// “Nothing to do” means that the record answers the call, not that something is there.
struct RecordedCall {
  let steps: [PlannedStep]
  /// Of each step.
  let digests: [String]

  /// What a store says to the call.
  enum Answer {
    /// It is what the call would make; the migration that did.
    case made(MigrationRecord?)
    /// Something else made it.
    case other(MigrationLedger)
    /// It does not say what made it what it is.
    case unknown
  }

  init(steps: [PlannedStep], options: MigrationOptions, policies: PolicyRegistry) {
    self.steps = steps
    digests = steps.map { StepIdentity($0, options: options, policies: policies).digest }
  }

  /// What a store says that stays where it is: whether the call's steps were the last that ran on it,
  /// in one migration or in several.
  func answer(of metadata: StoreMetadata) -> Answer {
    let ledger = metadata.migrationLedger
    guard ledger.leads(to: metadata.versionHashes) else { return .unknown }
    return ledger.ends(with: digests) ? .made(ledger.migrations.last) : .other(ledger)
  }

  /// What a store says that the call would make of another: whether nothing but the call's steps ran
  /// on it since.
  ///
  /// - Parameter source: what ran on the other store.
  func answer(of metadata: StoreMetadata, madeFrom source: MigrationLedger) -> Answer {
    let ledger = metadata.migrationLedger
    guard ledger.leads(to: metadata.versionHashes) else { return .unknown }
    return ledger.isContinuation(of: source, by: digests)
      ? .made(ledger.migrations.last) : .other(ledger)
  }

  /// What is recorded of the call's steps in a store that they made.
  func steps(in ledger: MigrationLedger) -> [MigrationRecord.Step] {
    Array(ledger.steps.suffix(digests.count))
  }

  /// The steps of the call that have not run on a store, where those before them were the last that
  /// did; `nil` otherwise.
  func rest(after ledger: MigrationLedger) -> ArraySlice<PlannedStep>? {
    guard digests.count > 1 else { return nil }
    let done = (1..<digests.count).last { ledger.ends(with: Array(digests.prefix($0))) }
    return done.map { steps[$0...] }
  }

  /// In words: the mapping models, and the versions that they join.
  var text: String {
    Self.text(
      mappings: steps.flatMap { $0.passes.map(\.model.name) },
      versions: [steps.first?.source.name].compactMap(\.self) + steps.map(\.destination.name),
      digest: digests.count == 1 ? digests[0] : MigrationRecord.digest(of: digests))
  }

  /// In words, what made a store: when, and by what.
  static func text(_ ledger: MigrationLedger) -> String {
    guard let last = ledger.migrations.last else { return "nothing that is kept" }
    let made = text(
      mappings: last.steps.flatMap(\.mappings),
      versions: [last.steps.first?.source].compactMap(\.self) + last.steps.map(\.destination),
      digest: last.digest)
    let before = ledger.migrations.count > 1 ? ", after earlier migrations" : ""
    return "\(made) on \(last.timeText)\(before)"
  }

  private static let namedMappings = 20

  private static func text(mappings: [String], versions: [String], digest: String) -> String {
    var names = mappings.prefix(namedMappings).map { "“\($0)”" }.joined(separator: ", ")
    if mappings.count > namedMappings {
      names += " and \(mappings.count - namedMappings) more mapping models"
    }
    let way = versions.count > 4 ? [versions[0], "…", versions[versions.count - 1]] : versions
    return "\(names) (\(way.map { "“\($0)”" }.joined(separator: " to ")), digest "
      + "\(digest.prefix(12)))"
  }
}
