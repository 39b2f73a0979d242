internal import PassageModels

/// What a migration records in the store it made: what ran, when, from what, and with which counts.
///
/// It is part of a ``MigrationLedger`` in the store's metadata. Anybody who can write to the store
/// can write the record, so it is only reported and compared, and a comparison has its time. No decision
/// depends on it.
package struct MigrationRecord: Sendable, Hashable {
  /// One step: from one version to another.
  package struct Step: Sendable, Hashable {
    /// The name of the version before the step.
    package var source: String
    /// The name of the version after the step.
    package var destination: String
    /// The checksum of the source's version hashes: `Model.versionChecksum`.
    package var sourceChecksum: String
    /// The checksum of the destination's version hashes.
    package var destinationChecksum: String
    /// The names of the mapping models, in the order in which they ran.
    package var mappings: [String]
    /// The names of the mapping models that were inferred.
    package var inferred: [String]
    /// A digest of both models, the mapping models, the options that decide the result, and the
    /// revisions of policies and functions, in 64 hexadecimal digits.
    package var digest: String
    package var counts: Counts
    /// The values that were lost, at most ``maximumLosses``.
    package var losses: [Loss]
    /// The number of further losses, which are not kept.
    package var unlistedLosses: Int64

    /// The largest number of losses that are kept for a step.
    package static let maximumLosses = 100

    package init(
      source: String, destination: String, sourceChecksum: String, destinationChecksum: String,
      mappings: [String], inferred: [String] = [], digest: String, counts: Counts = Counts(),
      losses: [Loss] = [], unlistedLosses: Int64 = 0
    ) {
      self.source = source
      self.destination = destination
      self.sourceChecksum = sourceChecksum
      self.destinationChecksum = destinationChecksum
      self.mappings = mappings
      self.inferred = inferred
      self.digest = digest
      self.counts = counts
      self.losses = Array(losses.prefix(Self.maximumLosses))
      self.unlistedLosses = unlistedLosses.saturatingAdd(
        Int64(max(0, losses.count - Self.maximumLosses)))
    }
  }

  /// What became of the objects of a step, summed over all its entity mappings:
  /// `read = filtered + migrated + merged + removed + quarantined` and
  /// `made = migrated + split + added`.
  package struct Counts: Sendable, Hashable {
    package var read: Int64 = 0
    package var filtered: Int64 = 0
    package var migrated: Int64 = 0
    package var split: Int64 = 0
    package var merged: Int64 = 0
    package var removed: Int64 = 0
    package var quarantined: Int64 = 0
    package var added: Int64 = 0
    package var made: Int64 = 0

    package init() {}
  }

  /// Values of the source that the destination does not hold.
  package struct Loss: Sendable, Hashable {
    /// The source entity; for values that became nil or do not fit, the destination
    /// entity.
    package var entity: String
    /// The property that has the values or links.
    package var property: String
    /// How they were lost, in the words of the migration's report: `unread`, `becameNil`,
    /// `emptied`, `narrowed`.
    package var kind: String
    package var values: Int64

    package init(entity: String, property: String, kind: String, values: Int64) {
      self.entity = entity
      self.property = property
      self.kind = kind
      self.values = values
    }
  }

  /// The steps in the order in which they ran; at least one.
  package var steps: [Step]
  /// The version of Passage.
  package var toolVersion: String
  /// When the migration began, in seconds since 2001-01-01 UTC. Expressions of the migration use it
  /// as the current time.
  package var seconds: Double
  /// The UUID of the source store.
  package var storeUUID: String

  package init(steps: [Step], toolVersion: String, seconds: Double, storeUUID: String) {
    self.steps = steps
    self.toolVersion = toolVersion
    self.seconds = seconds
    self.storeUUID = storeUUID
  }

  /// A combined digest of the digests of several steps.
  package static func digest(of digests: [String]) -> String {
    var digest = ContentDigest()
    digest.add(digests)
    return digest.text
  }

  /// A digest of everything that decided the result, in 64 hexadecimal digits: the digest of the
  /// only step, or the combined digest of several.
  package var digest: String {
    steps.count == 1 ? steps[0].digest : Self.digest(of: steps.map(\.digest))
  }
}
