internal import PassageModels

/// Every migration that ever ran on a store, the oldest first.
///
/// A store that Passage created has it in its metadata under ``key``. A migration copies it to the
/// new store. Core Data keeps metadata entries that it does not know.
///
/// Its size is bounded, so that a store opens equally fast after its thousandth migration and after
/// its second. The last ``maximumMigrations`` are kept in full, as far as they fit into
/// ``maximumBytes``. Of earlier ones only their number and times are kept.
package struct MigrationLedger: Sendable, Hashable {
  /// The key of the ledger in a store's metadata.
  package static let key = "PassageMigrationHistory"

  /// The largest number of migrations that are kept in full.
  package static let maximumMigrations = 100
  /// The approximate size limit in bytes. The last migration is kept even if it is larger.
  package static let maximumBytes = 128 << 10

  /// A summary of the migrations that are no longer kept in full.
  package struct Earlier: Sendable, Hashable {
    package var migrations: Int64
    package var steps: Int64
    /// When the first of them began, in seconds since 2001-01-01 UTC.
    package var firstSeconds: Double
    /// When the last of them began.
    package var lastSeconds: Double
  }

  /// The migrations before those that are kept in full; `nil` if there are none.
  package internal(set) var earlier: Earlier?
  /// The migrations that are kept in full, the oldest first.
  package internal(set) var migrations: [MigrationRecord] = []
  /// Whether a part of what the store holds under ``key`` could not be read. That part is left out.
  package internal(set) var isDamaged = false

  /// Creates an empty ledger.
  package init() {}

  /// Whether the ledger holds no migration.
  package var isEmpty: Bool { migrations.isEmpty && earlier == nil }

  /// Every step that is kept in full, the oldest first.
  package var steps: [MigrationRecord.Step] { migrations.flatMap(\.steps) }

  /// The number of all steps that ever ran.
  package var stepCount: Int64 {
    (earlier?.steps ?? 0).saturatingAdd(Int64(steps.count))
  }

  /// The same ledger with all times set to one value. It is equal for two stores that were made in
  /// the same way.
  package var withoutTimes: MigrationLedger {
    var ledger = self
    ledger.earlier?.firstSeconds = 0
    ledger.earlier?.lastSeconds = 0
    for index in ledger.migrations.indices { ledger.migrations[index].seconds = 0 }
    return ledger
  }

  /// Appends a migration, and summarizes the oldest if there are too many.
  package mutating func append(_ record: MigrationRecord) {
    migrations.append(record)
    isDamaged = false
    var bytes = migrations.reduce(0) { $0 + $1.approximateBytes }
    while migrations.count > 1,
      migrations.count > Self.maximumMigrations || bytes > Self.maximumBytes
    {
      let oldest = migrations.removeFirst()
      bytes -= oldest.approximateBytes
      let steps = Int64(oldest.steps.count)
      guard var earlier else {
        earlier = Earlier(
          migrations: 1, steps: steps, firstSeconds: oldest.seconds, lastSeconds: oldest.seconds)
        continue
      }
      earlier.migrations = earlier.migrations.saturatingAdd(1)
      earlier.steps = earlier.steps.saturatingAdd(steps)
      earlier.lastSeconds = oldest.seconds
      self.earlier = earlier
    }
  }

  // MARK: Queries

  /// Whether the last step ended with these version hashes. If not, another program has since
  /// migrated the store.
  package func leads(to hashes: [String: [UInt8]]) -> Bool {
    steps.last?.destinationChecksum == Model.versionChecksum(of: hashes)
  }

  /// Whether the last steps are those with these digests, in this order.
  package func ends(with digests: [String]) -> Bool {
    !digests.isEmpty && steps.map(\.digest).suffix(digests.count) == digests[...]
  }

  /// Whether this ledger is the other one with steps of these digests appended, as far as both are
  /// kept.
  package func isContinuation(of other: MigrationLedger, by digests: [String]) -> Bool {
    let expected = other.steps.map(\.digest) + digests
    let kept = min(expected.count, steps.count)
    return stepCount == other.stepCount.saturatingAdd(Int64(digests.count))
      && kept >= digests.count && ends(with: Array(expected.suffix(kept)))
  }
}

extension MigrationRecord {
  /// The approximate size of the ledger in a property list, in bytes.
  var approximateBytes: Int {
    var texts = [toolVersion, storeUUID]
    var count = 200
    for step in steps {
      texts += [
        step.source, step.destination, step.sourceChecksum, step.destinationChecksum, step.digest,
      ]
      texts += step.mappings + step.inferred
      texts += step.losses.flatMap { [$0.entity, $0.property, $0.kind] }
      count += 250 + step.losses.count * 60
    }
    return texts.reduce(count) { $0 + $1.utf8.count + 8 }
  }
}

extension Int64 {
  /// The sum, or the largest number if the sum overflows: counts come from files.
  package func saturatingAdd(_ other: Int64) -> Int64 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? .max : sum
  }
}
