internal import PassageDiagnostics
internal import PassageEngine
package import PassageStores

extension MigrationPage.Record {
  /// What a store records about itself.
  ///
  /// - Parameter path: the store, as the user named it.
  package init(_ metadata: StoreMetadata, path: String) {
    self.init()
    storePath = path
    let ledger = metadata.migrationLedger
    entries = ledger.migrations.flatMap { migration in
      migration.steps.map { step in
        Entry(
          timeText: migration.timeText, toolVersion: migration.toolVersion, digest: step.digest,
          source: step.source, destination: step.destination, mappings: step.mappings,
          read: step.counts.read, made: step.counts.made)
      }
    }
    if let earlier = ledger.earlier {
      remarks.append(
        NumberText.count(earlier.migrations, "earlier migration") + " of "
          + NumberText.count(earlier.steps, "step") + ", from "
          + MigrationRecord.timeText(earlier.firstSeconds) + " to "
          + MigrationRecord.timeText(earlier.lastSeconds) + ".")
    }
    if ledger.isDamaged { remarks.append("A part of the record cannot be read.") }
    if !ledger.isEmpty, !ledger.leads(to: metadata.versionHashes) {
      remarks.append("Another program has changed the store's version since.")
    }
  }
}
