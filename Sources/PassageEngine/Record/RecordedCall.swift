internal import PassageDiagnostics
internal import PassageMappings
internal import PassageModels
internal import PassagePlanning
internal import PassageStores

/// Compares what a call would run with what stores record about themselves.
///
/// “Nothing to do” means that the record matches the call, not merely that a file exists.
struct RecordedCall: Sendable {
  let steps: [PlannedStep]
  /// The digest of each step.
  let digests: [String]

  /// The result of comparing a store's record with the call.
  enum Answer {
    /// The store is what the call would make; what it records.
    case made(MigrationLedger)
    /// Something else made the store.
    case other(MigrationLedger)
    /// The store does not record what made it.
    case unknown
  }

  init(steps: [PlannedStep], options: MigrationOptions, policies: PolicyRegistry) {
    self.steps = steps
    digests = steps.map { StepIdentity($0, options: options, policies: policies).digest }
  }

  /// Compares a store that is migrated in place: whether the call's steps were the last that ran on
  /// it, in one migration or in several.
  func answer(of metadata: StoreMetadata) -> Answer {
    let ledger = metadata.migrationLedger
    guard ledger.leads(to: metadata.versionHashes) else { return .unknown }
    return ledger.ends(with: digests) ? .made(ledger) : .other(ledger)
  }

  /// Compares a store that the call would make from another one: whether exactly the call's steps
  /// ran since the record of the other store.
  ///
  /// - Parameter source: the record of the other store.
  func answer(of metadata: StoreMetadata, madeFrom source: MigrationLedger) -> Answer {
    let ledger = metadata.migrationLedger
    guard ledger.leads(to: metadata.versionHashes) else { return .unknown }
    return ledger.isContinuation(of: source, by: digests) ? .made(ledger) : .other(ledger)
  }

  /// The record of the call's steps in a store that they made.
  func steps(in ledger: MigrationLedger) -> [MigrationRecord.Step] {
    Array(ledger.steps.suffix(digests.count))
  }

  /// The steps of the call that have not run on a store, if the steps before them were the last
  /// that did; `nil` otherwise.
  func rest(after ledger: MigrationLedger) -> ArraySlice<PlannedStep>? {
    guard digests.count > 1 else { return nil }
    let done = (1..<digests.count).last { ledger.ends(with: Array(digests.prefix($0))) }
    return done.map { steps[$0...] }
  }

  /// Describes the call: the mapping models, and the versions that they connect.
  var text: String {
    Self.text(
      mappings: steps.flatMap { $0.passes.map(\.model.name) },
      versions: [steps.first?.source.name].compactMap(\.self) + steps.map(\.destination.name),
      digest: digests.count == 1 ? digests[0] : MigrationRecord.digest(of: digests))
  }

  /// Describes what made a store, and when.
  static func text(_ ledger: MigrationLedger) -> String {
    guard let last = ledger.migrations.last else { return "a migration that is no longer recorded" }
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
