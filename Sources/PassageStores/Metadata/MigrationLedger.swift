internal import PassageModels

/// Every migration that ever ran on a store, the oldest first: what made it what it is.
///
/// A store that Passage made keeps it in its metadata under ``key``, and hands it on to the store that
/// is made of it. Core Data keeps entries of the metadata that it does not know.
///
/// It is bounded, so that a store that is migrated for the thousandth time is opened as quickly as one
/// that is migrated for the second: the last ``maximumMigrations`` are kept whole, as far as they fit
/// into ``maximumBytes``, and of those before them how many they were and when.
package struct MigrationLedger: Sendable, Hashable {
  /// The entry of a store's metadata.
  package static let key = "PassageMigrationHistory"

  /// So many migrations are kept whole.
  package static let maximumMigrations = 100
  /// About so many bytes are kept; the last migration is kept whatever its size.
  package static let maximumBytes = 128 << 10

  /// Migrations that are not kept whole any more.
  package struct Earlier: Sendable, Hashable {
    package var migrations: Int64
    package var steps: Int64
    /// When the first of them began, in seconds since 2001-01-01 UTC.
    package var firstSeconds: Double
    /// When the last of them began.
    package var lastSeconds: Double
  }

  /// The migrations before those that are kept whole; `nil` where there are none.
  package internal(set) var earlier: Earlier?
  /// The oldest first.
  package internal(set) var migrations: [MigrationRecord] = []
  /// Whether a part of what the store holds under ``key`` could not be read; it is left out.
  package internal(set) var isDamaged = false

  /// A ledger of nothing.
  package init() {}

  /// Whether no migration is known.
  package var isEmpty: Bool { migrations.isEmpty && earlier == nil }

  /// Every step that is kept whole, the oldest first.
  package var steps: [MigrationRecord.Step] { migrations.flatMap(\.steps) }

  /// How many steps ever ran.
  package var stepCount: Int64 {
    (earlier?.steps ?? 0).saturatingAdd(Int64(steps.count))
  }

  /// The same migrations, all of them at one time: what two stores have in common that were made in
  /// the same way.
  package var withoutTimes: MigrationLedger {
    var ledger = self
    ledger.earlier?.firstSeconds = 0
    ledger.earlier?.lastSeconds = 0
    for index in ledger.migrations.indices { ledger.migrations[index].seconds = 0 }
    return ledger
  }

  /// Adds a migration at the end, and lets go of the oldest where there are too many.
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

  // MARK: Questions

  /// Whether the last step led to these version hashes. Where it did not, another program has brought
  /// the store to another version since.
  package func leads(to hashes: [String: [UInt8]]) -> Bool {
    steps.last?.destinationChecksum == Model.versionChecksum(of: hashes)
  }

  /// Whether the last steps that ran are those of these digests, in this order.
  package func ends(with digests: [String]) -> Bool {
    !digests.isEmpty && steps.map(\.digest).suffix(digests.count) == digests[...]
  }

  /// Whether this is another ledger with steps of these digests added, as far as both are kept.
  package func isContinuation(of other: MigrationLedger, by digests: [String]) -> Bool {
    let expected = other.steps.map(\.digest) + digests
    let kept = min(expected.count, steps.count)
    return stepCount == other.stepCount.saturatingAdd(Int64(digests.count))
      && kept >= digests.count && ends(with: Array(expected.suffix(kept)))
  }
}

extension MigrationRecord {
  /// About the bytes that it takes in a property list.
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
  /// The sum; the largest number where it is larger: what is counted comes from files.
  package func saturatingAdd(_ other: Int64) -> Int64 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? .max : sum
  }
}
